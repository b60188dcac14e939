import { randomUUID } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../clock.js'
import { makeDirectory } from '../config/directory.js'
import { CommandError } from '../io/command-error.js'
import { errorCode } from '../io/error-code.js'

const STALE_MS = 30_000
const RETRY_MS = 50
/** Longer than any holder may take, so that a waiter outlives a crashed one. */
const PATIENCE_MS = STALE_MS + 15_000

/** What a lock stands on. */
export interface LockOptions {
  readonly path: string
  readonly pid: number
  readonly clock: Clock
}

/**
 * Runs `run` while no other process does so under the same lock file; a lock older than 30 s is that of a crashed one.
 *
 * @throws CommandError `configuration` when the lock cannot be written, or is held for too long.
 */
export async function withLockFile<T>(options: LockOptions, run: () => Promise<T>): Promise<T> {
  const { path, clock } = options
  const mine = JSON.stringify({ pid: options.pid, startedAt: clock.now(), id: randomUUID() })
  const end = clock.monotonic() + PATIENCE_MS
  await makeDirectory(dirname(path)).catch((cause: unknown) => unwritable(path, cause))
  while (!(await create(path, mine))) {
    if (clock.monotonic() >= end) {
      throw new CommandError('configuration', `${path} is held by another process`, {
        lines: ['It renews the login of this context; if none is running, delete the file'],
      })
    }
    await breakStale(path, mine, clock)
    await clock.sleep(RETRY_MS)
  }
  try {
    return await run()
  } finally {
    if ((await contents(path)) === mine) await rm(path, { force: true })
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    return unwritable(path, error)
  }
}

/** Removes a lock whose holder is gone. A second lock keeps two waiters from removing each other's new one. */
async function breakStale(path: string, mine: string, clock: Clock): Promise<void> {
  if (!(await isStale(path, clock))) return
  const guard = `${path}.breaking`
  if (!(await create(guard, mine))) {
    if (await isStale(guard, clock)) await rm(guard, { force: true })
    return
  }
  try {
    if (await isStale(path, clock)) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

async function isStale(path: string, clock: Clock): Promise<boolean> {
  const text = await contents(path)
  if (text === null) return false
  const startedAt = /"startedAt":(\d+)/u.exec(text)?.[1]
  // A file that is not filled yet belongs to a process that is just writing it.
  return startedAt !== undefined && Math.abs(clock.now() - Number(startedAt)) >= STALE_MS
}

function contents(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

function unwritable(path: string, cause: unknown): never {
  throw new CommandError('configuration', `cannot write ${path} (${errorCode(cause)})`, { cause })
}
