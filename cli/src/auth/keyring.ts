import type { AsyncEntry, EntryOptions } from '@napi-rs/keyring'
import type { Clock } from '../clock.js'
import { CommandError } from '../io/command-error.js'
import { type CredentialStore, readCredential, type StoredCredential } from './stored-credential.js'

const SERVICE = 'buildwire'
const LIMIT_MS = 3000

/** The default on Linux may be the kernel's keyring, which is lost at the next boot. */
const OPTIONS: EntryOptions = { linux: { store: 'secret-service' } }

/** The part of an entry that this store uses; tests hand in their own. */
export type KeyringEntry = Pick<AsyncEntry, 'getPassword' | 'setPassword' | 'deletePassword'>

/** What a keyring store stands on. */
export interface KeyringOptions {
  readonly clock: Clock
  /** Makes an entry by name; loads the system's library at its first call unless given. */
  readonly entry?: ((name: string) => Promise<KeyringEntry>) | undefined
}

async function systemEntry(name: string): Promise<KeyringEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return new AsyncEntry(SERVICE, name, OPTIONS)
}

/** The system's keyring does not answer, is locked, or is not there. */
export class KeyringError extends CommandError {
  constructor(reason: string, cause: unknown) {
    super('configuration', `the system keyring cannot be used: ${reason}`, {
      cause,
      hint: 'ci auth login --insecure-storage',
    })
  }
}

/**
 * Credentials in the system's keyring, each token an entry of its own, because Windows caps the size of one. Every call
 * ends within three seconds.
 */
export function keyringStore({ clock, entry = systemEntry }: KeyringOptions): CredentialStore {
  const call = async <T>(name: string, run: (entry: KeyringEntry, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const over = new AbortController()
    const limit = clock.sleep(LIMIT_MS, over.signal).then(() => {
      throw new Error(`no answer within ${LIMIT_MS / 1000} s`)
    })
    limit.catch(() => undefined)
    try {
      return await Promise.race([entry(name).then((found) => run(found, over.signal)), limit])
    } catch (cause) {
      throw new KeyringError(cause instanceof Error ? cause.message : String(cause), cause)
    } finally {
      over.abort(new Error('done'))
    }
  }
  const get = (name: string) => call(name, (found, signal) => found.getPassword(signal))
  const set = (name: string, text: string) => call(name, (found, signal) => found.setPassword(text, signal))
  const drop = (name: string) => call(name, (found, signal) => found.deletePassword(signal))
  const names = (context: string) => ({
    facts: `${context}/login`,
    access: `${context}/access_token`,
    refresh: `${context}/refresh_token`,
  })

  return {
    kind: 'keyring',
    place: 'the system keyring',
    async probe() {
      await set('probe', 'probe')
      await drop('probe')
    },
    async load(context) {
      const { facts, access, refresh } = names(context)
      const text = await get(facts)
      if (text === null) return null
      const [access_token, refresh_token] = [await get(access), await get(refresh)]
      return readCredential({ ...parsed(text), access_token, refresh_token })
    },
    async save(context, credential) {
      const { facts, access, refresh } = names(context)
      const { access_token, refresh_token, ...rest } = credential
      // A refresh token that was rotated is the one thing that cannot be had again: it goes first.
      if (refresh_token === undefined) await drop(refresh)
      else await set(refresh, refresh_token)
      await set(access, access_token)
      await set(facts, JSON.stringify(rest satisfies Omit<StoredCredential, 'access_token' | 'refresh_token'>))
    },
    async remove(context) {
      const { facts, access, refresh } = names(context)
      const had = await drop(access)
      await drop(refresh)
      await drop(facts)
      return had
    },
  }
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
