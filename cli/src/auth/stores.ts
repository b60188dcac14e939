import type { Clock } from '../clock.js'
import { paths } from '../config/paths.js'
import { usageError } from '../io/command-error.js'
import { type Io, variable } from '../io/io.js'
import type { CredentialStore } from './stored-credential.js'

/** What stores stand on. */
export interface StoresOptions {
  readonly io: Io
  readonly clock: Clock
  readonly warn: (text: string) => void
  readonly debug?: ((text: string) => void) | undefined
}

/** The store of that kind; the keyring's library is loaded for the keyring only. */
export async function storeOf(kind: CredentialStore['kind'], options: StoresOptions): Promise<CredentialStore> {
  const { io, clock, warn } = options
  if (kind === 'keyring') return (await import('./keyring.js')).keyringStore({ clock })
  const { fileStore } = await import('./file-store.js')
  return fileStore({ directory: paths(io).config, platform: io.platform, warn })
}

/**
 * The store for a new login, proven to be writable: what `BUILDWIRE_CREDENTIAL_STORE` says, else the keyring, else the
 * file with one line that says why.
 *
 * @throws CommandError `configuration` when none can be written, `usage` for an unknown store.
 */
export async function chooseStore(options: StoresOptions, insecureStorage: boolean): Promise<CredentialStore> {
  const wanted = insecureStorage ? 'file' : (variable(options.io, 'CREDENTIAL_STORE') ?? 'auto')
  if (wanted !== 'auto' && wanted !== 'keyring' && wanted !== 'file') {
    throw usageError(`BUILDWIRE_CREDENTIAL_STORE is one of auto, keyring, file, not ${JSON.stringify(wanted)}`)
  }
  if (wanted !== 'file') {
    const keyring = await storeOf('keyring', options)
    try {
      await keyring.probe()
      return keyring
    } catch (error) {
      if (wanted === 'keyring') throw error
      options.debug?.(error instanceof Error ? error.message : String(error))
      const file = await storeOf('file', options)
      await file.probe()
      options.warn(`no system keyring answers; the token goes into ${file.place}`)
      return file
    }
  }
  const file = await storeOf('file', options)
  await file.probe()
  return file
}
