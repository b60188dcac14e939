import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, type JsonFileObject, openMode, readJsonFile } from '../config/json-file.js'
import { paths } from '../config/paths.js'
import type { Context } from '../context/context.js'
import { CommandError, errorCode, messageOf, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import { type CredentialStore, readCredential, type StoredCredential } from './stored-credential.js'

type StoreTools = Pick<Context, 'io' | 'clock' | 'notes'>

/**
 * The store of that kind; the keyring's process is started at its first use, and for the keyring
 * only.
 */
export async function storeOf(
  kind: CredentialStore['kind'],
  tools: StoreTools,
): Promise<CredentialStore> {
  if (kind === 'file') return fileStore(tools)
  const { keychainOf, keyringStore } = await import('./keyring.js')
  return keyringStore(keychainOf(tools), tools.io.platform)
}

/**
 * The store for a new login, proven to be writable: what `BUILDWIRE_CREDENTIAL_STORE` says, else
 * the keyring, else the file with one line that says why.
 */
export async function chooseStore(
  tools: StoreTools,
  insecureStorage: boolean,
): Promise<CredentialStore> {
  const wanted = insecureStorage ? 'file' : (variable(tools.io, 'CREDENTIAL_STORE') ?? 'auto')
  if (wanted !== 'auto' && wanted !== 'keyring' && wanted !== 'file') {
    throw usageError(
      say`BUILDWIRE_CREDENTIAL_STORE is one of auto, keyring, file, not ${JSON.stringify(wanted)}`,
    )
  }
  const store = await storeOf(wanted === 'file' ? 'file' : 'keyring', tools)
  return orFile(tools, store, (each) => each.probe(), 'no system keyring answers')
}

/**
 * Keeps a login, in the file where the keyring takes it no more: a token that was just issued is
 * had only once.
 */
export function saveLogin(
  tools: StoreTools,
  store: CredentialStore,
  name: string,
  login: StoredCredential,
): Promise<CredentialStore> {
  return orFile(tools, store, (each) => each.save(name, login))
}

/**
 * Uses a store, or the file with a warning that says why, unless the keyring is demanded. Answers
 * the one that was used.
 */
async function orFile(
  tools: StoreTools,
  store: CredentialStore,
  use: (store: CredentialStore) => Promise<void>,
  why?: string,
): Promise<CredentialStore> {
  try {
    await use(store)
    return store
  } catch (error) {
    if (store.kind === 'file' || variable(tools.io, 'CREDENTIAL_STORE') === 'keyring') throw error
    tools.notes.debug(say`${messageOf(error)}`)
    const file = fileStore(tools)
    await use(file)
    tools.notes.warn(say`${why ?? messageOf(error)}; the token goes into ${file.place}`)
    return file
  }
}

/** Credentials in `credentials.json`, readable by its owner alone. */
function fileStore(tools: StoreTools): CredentialStore {
  const { io, notes } = tools
  const path = join(paths(io).config, 'credentials.json')

  /** Takes the file away from group and others, and says so: whoever could read it may have. */
  const narrow = async () => {
    try {
      await chmod(path, 0o600)
      notes.warn(say`${path} was open to other users; now only you can read it`)
    } catch (cause) {
      notes.warn(say`${path} is open to other users and cannot be narrowed (${errorCode(cause)})`)
    }
  }
  const listed = ({ credentials = {} }: JsonFileObject): JsonFileObject => {
    if (isJsonObject(credentials)) return credentials
    throw new CommandError('configuration', say`${path}: credentials must be an object`)
  }
  const read = async (name: string): Promise<unknown> => {
    if ((await openMode(path, io.platform)) !== null) await narrow()
    const credentials = listed((await readJsonFile(path)) ?? {})
    return Object.hasOwn(credentials, name) ? credentials[name] : undefined
  }
  const write = async (
    change: { readonly [name: string]: StoredCredential | undefined },
    own?: 'probed',
  ) => {
    // Loaded by those who write only.
    const { changeFile } = await import('../config/own-files.js')
    await changeFile(
      tools,
      'credentials.json',
      (file) => ({ credentials: { ...listed(file), ...change } }),
      own,
    )
  }
  return {
    kind: 'file',
    place: path,
    probe: () => write({}, 'probed'),
    load: async (name) => readCredential(await read(name)),
    save: (name, login) => write({ [name]: login }),
    async remove(name) {
      if ((await read(name)) === undefined) return false
      await write({ [name]: undefined })
      return true
    },
  }
}
