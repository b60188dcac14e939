import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { StoreError } from './errors.js'
import { JournalFile, readHeader } from './journal-file.js'
import { lowdb } from './lowdb.js'
import type { Persistence } from './persistence.js'
import { lockPath, lockWriter } from './writer-lock.js'

const journalName = 'state.jsonl'
/** What may lie in a directory of ours before the first batch. */
const ours = /^(?:state\.jsonl(?:\.new)?|writer\.sock.*|lost\+found)$/

export interface DirectoryOptions {
  /** Told when an unfinished last line was cut, with its length in bytes. */
  readonly onRecovered?: (bytes: number) => void
}

/**
 * Keeps the state in a directory: lowdb over a journal file, one writer at a time. Survives a killed process.
 *
 * @throws StoreError (from `ready()`) `in_use`, `foreign`, `damaged`, `newer_format`, `path_too_long`.
 * @example
 * const server = createMockServer({ seed: 'demo', persistence: lowdbDirectory('./data') })
 */
export function lowdbDirectory(directory: string, options: DirectoryOptions = {}): Persistence {
  const path = resolve(directory)
  const journal = new JournalFile(join(path, journalName), options.onRecovered)
  let unlock: (() => Promise<void>) | undefined
  return lowdb(journal, {
    durable: true,
    async open() {
      const lock = lockPath(path)
      const names = await listDirectory(path)
      const strangers = names.filter((name) => !ours.test(name))
      if (strangers.length > 0 && !names.includes(journalName)) {
        throw new StoreError('foreign', `${path} is not empty and holds no ${journalName}: nothing was touched`)
      }
      unlock = await lockWriter(lock)
      try {
        if (names.includes(journalName)) await readHeader(join(path, journalName))
      } catch (error) {
        await unlock()
        throw error
      }
    },
    async close() {
      await journal.close()
      await unlock?.()
    },
  })
}

/** Step by step: where the system makes no directories at all, Node's own recursion never ends. */
async function makeDirectory(path: string): Promise<void> {
  const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code
  const make = (): Promise<unknown> =>
    mkdir(path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  try {
    await make()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await make()
  }
}

/** What lies in the directory, made when absent. */
async function listDirectory(path: string): Promise<readonly string[]> {
  try {
    await makeDirectory(path)
    return await readdir(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new StoreError('foreign', `${path} cannot be used as a data directory: ${code}`, { cause })
  }
}
