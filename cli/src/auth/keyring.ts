import { randomBytes } from 'node:crypto'
import type { Keychain } from './keyring-process.js'
import { type CredentialStore, readCredential } from './stored-credential.js'

/** Windows takes so many characters an item. */
const WINDOWS_LIMIT = 1280
/** In front of the first of several parts: how many there are, and the name they share. */
const HEAD = /^(\d+)\.([0-9a-f]{8}):/u

/**
 * Credentials in the system's keyring, one item a context, because systems ask a person once an item. On Windows a long
 * one is cut into parts; the first part is written last, so that a reader sees the old text or the new one.
 */
export function keyringStore(chain: Keychain, platform: string): CredentialStore {
  const partNames = (context: string, head: string | null) => {
    const [, count = '1', id = ''] = HEAD.exec(head ?? '') ?? []
    return Array.from({ length: Number(count) - 1 }, (_, at) => `${context}/${id}/${at + 2}`)
  }
  return {
    kind: 'keyring',
    place: 'the system keyring',
    async probe() {
      await chain.set('probe', 'probe')
      await chain.drop('probe')
    },
    async load(context) {
      const head = await chain.get(context)
      if (head === null) return null
      let text = head.replace(HEAD, '')
      for (const name of partNames(context, head)) text += (await chain.get(name)) ?? ''
      return readCredential(parsed(text))
    },
    async save(context, credential) {
      const text = JSON.stringify(credential)
      if (platform !== 'win32') return chain.set(context, text)
      const before = await chain.get(context)
      const id = randomBytes(4).toString('hex')
      const room = WINDOWS_LIMIT - '99.12345678:'.length
      const parts = text.length <= WINDOWS_LIMIT ? [text] : (text.match(new RegExp(`.{1,${room}}`, 'gsu')) ?? [])
      const head = parts.length > 1 ? `${parts.length}.${id}:${parts[0]}` : text
      for (const [at, name] of partNames(context, head).entries()) await chain.set(name, parts[at + 1] ?? '')
      await chain.set(context, head)
      for (const name of partNames(context, before)) await chain.drop(name)
    },
    async remove(context) {
      const head = platform === 'win32' ? await chain.get(context) : null
      const had = await chain.drop(context)
      for (const name of partNames(context, head)) await chain.drop(name)
      return had
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
