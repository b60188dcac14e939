import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { openDirectory } from '../config/directory.js'
import { isJsonObject, type JsonFileObject, openMode, readJsonFile } from '../config/json-file.js'
import { paths } from '../config/paths.js'
import type { Context } from '../context/context.js'
import { CommandError, errorCode, messageOf, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import { type CredentialStore, readCredential, type StoredCredential } from './stored-credential.js'

type StoreTools = Pick<Context, 'io' | 'clock' | 'notes'>

/**
 * The store of that kind. The process of the keyring starts at the first use of the keyring.
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
 * The store for a new login, after a check that it can be written: the store that
 * `BUILDWIRE_CREDENTIAL_STORE` names, else the keyring, else the file with a warning.
 */
export async function chooseStore(
  tools: StoreTools,
  insecureStorage: boolean,
): Promise<CredentialStore> {
  const choice = insecureStorage ? 'file' : (variable(tools.io, 'CREDENTIAL_STORE') ?? 'auto')
  if (choice !== 'auto' && choice !== 'keyring' && choice !== 'file') {
    throw usageError(
      say`BUILDWIRE_CREDENTIAL_STORE is one of auto, keyring, file, not ${JSON.stringify(choice)}`,
    )
  }
  const store = await storeOf(choice === 'file' ? 'file' : 'keyring', tools)
  return withFileFallback(tools, store, (each) => each.probe(), 'no system keyring answers')
}

/**
 * Saves a login, in the file if the keyring fails: a token that was just issued must not be lost.
 * Returns the store that was used.
 */
export function saveLogin(
  tools: StoreTools,
  store: CredentialStore,
  name: string,
  login: StoredCredential,
): Promise<CredentialStore> {
  return withFileFallback(tools, store, (each) => each.save(name, login))
}

/**
 * Uses a store, or the file with a warning if the keyring fails and is not required. Returns the
 * store that was used.
 */
async function withFileFallback(
  tools: StoreTools,
  store: CredentialStore,
  use: (store: CredentialStore) => Promise<void>,
  reason?: string,
): Promise<CredentialStore> {
  try {
    await use(store)
    return store
  } catch (error) {
    const needsKeyring = variable(tools.io, 'CREDENTIAL_STORE') === 'keyring'
    if (store.kind === 'file' || needsKeyring) throw error
    tools.notes.debug(say`${messageOf(error)}`)
    const file = fileStore(tools)
    await use(file)
    tools.notes.warn(say`${reason ?? messageOf(error)}; the token goes into ${file.place}`)
    return file
  }
}

/** Credentials in `credentials.json`, which only its owner can read. */
function fileStore(tools: StoreTools): CredentialStore {
  const { io, notes } = tools
  const path = join(paths(io).config, 'credentials.json')

  /** Removes the access of group and others, and warns: they may have read the file. */
  const restrictMode = async () => {
    try {
      await chmod(path, 0o600)
      notes.warn(say`${path} was open to other users; now only you can read it`)
    } catch (cause) {
      notes.warn(say`${path} is open to other users and cannot be narrowed (${errorCode(cause)})`)
    }
  }
  const credentialsOf = ({ credentials = {} }: JsonFileObject): JsonFileObject => {
    if (isJsonObject(credentials)) return credentials
    throw new CommandError('configuration', say`${path}: credentials must be an object`)
  }
  const read = async (name: string): Promise<unknown> => {
    await openDirectory(tools)
    if ((await openMode(path, io.platform)) !== null) await restrictMode()
    const credentials = credentialsOf((await readJsonFile(path)) ?? {})
    return Object.hasOwn(credentials, name) ? credentials[name] : undefined
  }
  const write = async (
    change: { readonly [name: string]: StoredCredential | undefined },
    probed?: 'probed',
  ) => {
    // Loaded only by commands that write.
    const { changeFile } = await import('../config/own-files.js')
    await changeFile(
      tools,
      'credentials.json',
      (file) => ({ credentials: { ...credentialsOf(file), ...change } }),
      probed,
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
