import type { StoredTools } from '../config/credential.js'
import { CommandError, messageOf, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import type { CredentialStore, StoredCredential } from './stored-credential.js'

type StoresOptions = Pick<StoredTools, 'io' | 'clock' | 'notes'>

/** The store of that kind; the keyring's process is started at its first use, and for the keyring only. */
export async function storeOf(kind: CredentialStore['kind'], options: StoresOptions): Promise<CredentialStore> {
  const { io, clock, notes } = options
  if (kind === 'keyring') {
    const { keychainOf } = await import('./keyring-process.js')
    const { keyringStore } = await import('./keyring.js')
    return keyringStore(keychainOf({ io, clock, tell: notes.line }), io.platform)
  }
  const { fileStore } = await import('./file-store.js')
  return fileStore(options)
}

/**
 * The store for a new login, proven to be writable: what `BUILDWIRE_CREDENTIAL_STORE` says, else the keyring, else the
 * file with one line that says why.
 */
export async function chooseStore(options: StoresOptions, insecureStorage: boolean): Promise<CredentialStore> {
  const wanted = insecureStorage ? 'file' : (variable(options.io, 'CREDENTIAL_STORE') ?? 'auto')
  if (wanted !== 'auto' && wanted !== 'keyring' && wanted !== 'file') {
    throw usageError(say`BUILDWIRE_CREDENTIAL_STORE is one of auto, keyring, file, not ${JSON.stringify(wanted)}`)
  }
  const store = await storeOf(wanted === 'file' ? 'file' : 'keyring', options)
  try {
    await store.probe()
    return store
  } catch (error) {
    if (wanted !== 'auto') throw error
    options.notes.debug(say`${messageOf(error)}`)
    const file = await storeOf('file', options)
    await file.probe()
    options.notes.warn(say`no system keyring answers; the token goes into ${file.place}`)
    return file
  }
}

/** Keeps a login, in the file where the keyring takes it no more: a token that was just issued is had only once. */
export async function saveLogin(
  store: CredentialStore,
  name: string,
  credential: StoredCredential,
  options: StoresOptions,
): Promise<CredentialStore> {
  try {
    await store.save(name, credential)
    return store
  } catch (error) {
    if (store.kind === 'file' || !(error instanceof CommandError)) throw error
    if (variable(options.io, 'CREDENTIAL_STORE') === 'keyring') throw error
    const file = await storeOf('file', options)
    await file.save(name, credential)
    options.notes.warn(say`${error.headline}; the token goes into ${file.place}`)
    return file
  }
}
