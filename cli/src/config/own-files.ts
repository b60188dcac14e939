import { join } from 'node:path'
import { OwnerError, type Ownership, own } from '@buildwire/mock-server/owner'
import { after } from '../io/clock.js'
import { CommandError } from '../io/command-error.js'
import type { Io } from '../io/io.js'
import type { Notes } from '../io/notes.js'
import { say } from '../io/printable.js'
import {
  type ContextFile,
  contextFilePath,
  noContext,
  type ServerContext,
  toContextFile,
} from './contexts.js'
import { openDirectory } from './directory.js'
import {
  type JsonFileObject,
  makeDirectory,
  readJsonFile,
  unwritable,
  writeJsonFile,
} from './json-file.js'
import { paths } from './paths.js'

export interface FileTools {
  readonly io: Io
  readonly notes: Pick<Notes, 'warn'>
}

const VERSION = 1
/**
 * How long a command waits for a lock. One holder needs less than 45 s, since a renewal waits 30 s
 * for its answer; many holders in turn may need more.
 */
const PATIENCE: LockPatience = { holderMs: 45_000, totalMs: 180_000 }

interface LockPatience {
  /** For one holder. */
  readonly holderMs: number
  /** For all holders together. */
  readonly totalMs: number
}

/**
 * Changes keys of a JSON file of the configuration under its lock: reads it, writes a new file
 * beside it and renames that. `probed` leaves out the rename and only proves that a change is
 * possible.
 *
 * @throws CommandError `configuration` when a newer version wrote it, it cannot be written, or
 * another process holds it for too long.
 */
export async function changeFile(
  tools: FileTools,
  name: string,
  change: (file: JsonFileObject) => JsonFileObject,
  own: 'changed' | 'probed' = 'changed',
): Promise<void> {
  const path = join(paths(tools.io).config, name)
  await withLock(tools, name, async () => {
    const file = (await readJsonFile(path)) ?? {}
    if (typeof file.version === 'number' && file.version > VERSION) {
      const text = say`${path} was written by a newer version (${file.version}); it is read but not changed`
      throw new CommandError('configuration', text)
    }
    await writeJsonFile(path, { ...file, version: VERSION, ...change(file) }, { own })
  })
}

/**
 * Runs `run` while this process holds the lock of this name. The lock of a process that ended is
 * free at once; a running process is waited for.
 *
 * @throws CommandError `configuration` when there can be no lock, or it is held for too long.
 */
export async function withLock<T>(
  tools: FileTools,
  name: string,
  run: () => Promise<T>,
  patience = PATIENCE,
): Promise<T> {
  const ownership = await take(await lockDirectory(tools), name, patience)
  return run().finally(() => ownership.release())
}

async function take(
  directory: string,
  name: string,
  { holderMs, totalMs }: LockPatience,
): Promise<Ownership> {
  const patience = new AbortController()
  const stopTotal = after(totalMs, () => patience.abort('total'))
  let stopHolder: () => void = () => undefined
  const onOwner = () => {
    stopHolder()
    stopHolder = after(holderMs, () => patience.abort('holder'))
  }
  try {
    return await own(directory, name, { patience: patience.signal, onOwner })
  } catch (cause) {
    if (!(cause instanceof OwnerError)) throw unwritable(directory, cause)
    const { code, message } = cause
    if (code === 'held' && patience.signal.reason === 'total') {
      const headline = say`${name} was not free within ${totalMs / 1000} s`
      throw new CommandError('configuration', headline, {
        lines: [say`Other commands used it all the time; try again when fewer of them run`],
        cause,
      })
    }
    const texts = {
      held: [
        `${name} is held by ${message}, and was not free within ${holderMs / 1000} s`,
        'End that process, if it hangs',
      ],
      other_host: [
        `${name} was left by a command on another machine`,
        `When that has ended for sure, delete ${message}`,
      ],
      no_sockets: [
        `${directory} cannot be used: ${message}`,
        'Name a directory of this machine in BUILDWIRE_CONFIG_DIR',
      ],
    }
    const [headline = '', line = ''] = texts[code]
    throw new CommandError('configuration', say`${headline}`, { lines: [say`${line}`], cause })
  } finally {
    stopTotal()
    stopHolder()
  }
}

/** The directory of the locks; only the user may be able to write there. */
async function lockDirectory(tools: FileTools): Promise<string> {
  const { config } = paths(tools.io)
  const locks = join(config, 'locks')
  try {
    await makeDirectory(config)
    await openDirectory(tools)
    await makeDirectory(locks)
  } catch (cause) {
    throw cause instanceof CommandError ? cause : unwritable(config, cause)
  }
  return locks
}

/** Makes the new context from the old one and its file; null removes it. */
type ContextChange = (old: ServerContext | undefined, file: ContextFile) => ServerContext | null

/**
 * Writes one context, or removes it. Unknown keys stay; keys that are undefined are removed. With
 * `first` it becomes the default if there is no default.
 */
export function saveContext(
  tools: FileTools,
  name: string,
  change: ContextChange,
  makeCurrent: boolean | 'first' = false,
): Promise<void> {
  return changeContexts(tools, (file) => {
    const context = change(file.contexts.get(name), file)
    const list: Readonly<Record<string, object>> = Object(file.raw.contexts)
    const isCurrent = makeCurrent === true || (makeCurrent === 'first' && file.current === null)
    const kept = file.current === name && context === null ? null : file.current
    return {
      current: isCurrent ? name : kept,
      contexts: { ...list, [name]: context === null ? undefined : { ...list[name], ...context } },
    }
  })
}

/** Makes a context the default. */
export function makeCurrentContext(tools: FileTools, name: string): Promise<void> {
  return changeContexts(tools, ({ contexts }) => {
    if (!contexts.has(name)) throw noContext(name, contexts)
    return { current: name }
  })
}

/** Proves that contexts can be written, before a request whose result would otherwise be lost. */
export function probeContexts(tools: FileTools): Promise<void> {
  return changeContexts(tools, () => ({}), 'probed')
}

function changeContexts(
  tools: FileTools,
  change: (file: ContextFile) => JsonFileObject,
  own?: 'probed',
): Promise<void> {
  return changeFile(
    tools,
    'config.json',
    (raw) => change(toContextFile(contextFilePath(tools.io), raw)),
    own,
  )
}
