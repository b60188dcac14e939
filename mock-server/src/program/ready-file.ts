import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { backgroundClock } from '../base/clock.js'
import type { ReadyInfo } from '../server/mock-server.js'
import { patiently } from '../store/patience.js'

/** Writes the ready information atomically, readable by the owner of the file only. */
export async function writeReadyFile(path: string, info: ReadyInfo): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(info)}\n`, { mode: 0o600 })
  await patiently(() => rename(temporary, path))
}

/** Deletes the ready file, unless another process has written it since. */
export async function removeReadyFile(path: string): Promise<void> {
  const info = await readReadyFile(path)
  if (info?.pid === process.pid) await unlink(path)
}

async function readReadyFile(path: string): Promise<ReadyInfo | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ReadyInfo
  } catch {
    // The file does not exist yet, or is not a ready file.
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export interface WaitOptions {
  /** How long to wait, ms; default 10 000. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const pollEveryMs = 50

/**
 * Waits until a server is ready, by its URL or its ready file. A ready file of a dead process is
 * ignored.
 *
 * @returns The information of the ready file; null for a URL.
 * @throws Error when the time has passed.
 * @example
 * const info = await waitForReady({ readyFile: '/tmp/mock-server.json' })
 */
export async function waitForReady(
  where: { readonly url: string } | { readonly readyFile: string },
  { timeoutMs = 10_000, signal }: WaitOptions = {},
): Promise<ReadyInfo | null> {
  const until = backgroundClock.monotonic() + timeoutMs
  for (;;) {
    if ('url' in where) {
      if (await isReady(where.url)) return null
    } else {
      const info = await readReadyFile(where.readyFile)
      if (info !== null && isAlive(info.pid)) return info
    }
    if (backgroundClock.monotonic() >= until) {
      throw new Error(
        `The server at ${'url' in where ? where.url : where.readyFile} was not ready in ${timeoutMs} ms`,
      )
    }
    await backgroundClock.sleep(pollEveryMs, signal)
  }
}

export const readyPath = '/_control/health/ready'

export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}${readyPath}`)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
