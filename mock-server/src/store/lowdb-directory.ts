import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { StoreError, unusable } from './errors.js'
import { type JournalEvents, journalFile } from './journal-file.js'
import { lowdb } from './lowdb.js'
import { OwnerError, type Ownership, own } from './owner.js'
import type { Persistence } from './persistence.js'

const journalName = 'state.jsonl'
/** Files that a data directory may contain before the first batch. */
const ownFiles = /^(?:state\.jsonl(?:\.new)?|writer\..*|lost\+found)$/

/** Called for events of the data directory; none of them stops the server. */
export type DirectoryOptions = Pick<JournalEvents, 'onRecovered' | 'onCompactionFailed'>

/**
 * Keeps the state in a directory: lowdb over a journal file, one writer at a time. Survives a
 * killed process.
 *
 * @throws StoreError (from `ready()`) `in_use`, `foreign`, `damaged`, `other_format`.
 * @example
 * const server = createMockServer({ seed: 'demo', persistence: lowdbDirectory('./data') })
 */
export function lowdbDirectory(directory: string, options: DirectoryOptions = {}): Persistence {
  if (directory.trim() === '') throw new TypeError('lowdbDirectory takes the path of a directory')
  const path = resolve(directory)
  let ownership: Ownership | undefined
  const mayWrite = async (): Promise<void> => {
    if ((await ownership?.check()) !== false) return
    throw new StoreError('in_use', `${path} was taken over by another process`)
  }
  const journal = journalFile(join(path, journalName), { ...options, mayWrite })
  return lowdb(journal, {
    durable: true,
    async open() {
      const names = await listDirectory(path)
      const strangers = names.filter((name) => !ownFiles.test(name))
      if (strangers.length > 0 && !names.includes(journalName)) {
        throw new StoreError(
          'foreign',
          `${path} is not empty and holds no ${journalName}: nothing was touched`,
        )
      }
      ownership = await ownDirectory(path)
      try {
        await journal.check()
      } catch (error) {
        await ownership.release()
        throw error
      }
    },
    async close() {
      await journal.close()
      await ownership?.release()
    },
  })
}

async function ownDirectory(path: string): Promise<Ownership> {
  try {
    return await own(path, 'writer')
  } catch (cause) {
    if (!(cause instanceof OwnerError)) throw unusable(path, cause)
    const texts = {
      held: `The data directory ${path} is in use by ${cause.message}`,
      other_host: `The data directory ${path} was left by a server on another machine; when that one has ended for sure, delete ${cause.message}`,
      no_sockets: `${path} cannot be used as a data directory: ${cause.message}`,
    }
    throw new StoreError(cause.code === 'no_sockets' ? 'foreign' : 'in_use', texts[cause.code], {
      cause,
    })
  }
}

/** Makes parents one by one: Node's `recursive` never ends where no directory can be made. */
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

async function listDirectory(path: string): Promise<readonly string[]> {
  try {
    await makeDirectory(path)
    return await readdir(path)
  } catch (cause) {
    throw unusable(path, cause)
  }
}
