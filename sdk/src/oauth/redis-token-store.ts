import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import {
  checkedClock,
  checkedMethods,
  checkedNames,
  checkedRandom,
  isBytes,
  must,
  type Names,
} from '../base/checked.js'
import { type Clock, within } from '../base/clock.js'
import { tried } from '../base/tried.js'
import type { TokenStore } from '../http/token-provider.js'
import { timeLimit } from '../transport/limits.js'

/**
 * The part of a node-redis client that the store uses; clients of Redis and Valkey both have it.
 */
export interface RedisClient {
  get(key: string): Promise<unknown>
  set(key: string, value: string, options: { PX: number; NX?: true }): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

const names: Names<RedisTokenStoreOptions> = {
  client: true,
  encryptionKey: true,
  keyPrefix: true,
  operationTimeoutMs: true,
  lockTtlMs: true,
  clock: true,
  random: true,
}

/** Settings of {@link redisTokenStore}; times in milliseconds. */
export interface RedisTokenStoreOptions {
  client: RedisClient
  /** At least 32 bytes (text counts as UTF-8), the same in every process. */
  encryptionKey: string | Uint8Array
  keyPrefix?: string | undefined
  operationTimeoutMs?: number | undefined
  lockTtlMs?: number | undefined
  clock?: Clock | undefined
  random?: (() => number) | undefined
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

// Only the owner may end its lock: after the lock's life another process may hold it.
const releaseScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
const deleteScript = "return redis.call('del', KEYS[1])"

/**
 * Shares exchanged tokens between processes through Redis or Valkey. Redis sees neither identities
 * (keys are HMACs) nor tokens (values are AES-256-GCM, bound to their key); after a change of
 * `encryptionKey` every read is a miss.
 *
 * Its methods reject when Redis fails; TokenExchange takes that as a miss and goes on, with event
 * `store_error`.
 *
 * @throws ConfigError `config` for a short key or a client without `get`, `set` and `eval`.
 * @example
 * ```ts
 * import { redisTokenStore } from '@buildwire/sdk/redis'
 * import { createClient } from 'redis'
 * const client = await createClient({ url: 'redis://127.0.0.1:6379' }).connect()
 * const store = redisTokenStore({ client, encryptionKey: process.env.TOKEN_STORE_KEY ?? '' })
 * ```
 */
export function redisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const { client, keyPrefix = 'buildwire:token:' } = checkedNames('options', options, names)
  checkedMethods('client', client ?? null, 'get', 'set', 'eval')
  if (typeof keyPrefix !== 'string') throw must('keyPrefix', 'be a string')
  const clock = checkedClock(options.clock)
  const random = checkedRandom(options.random)
  const operationMs = timeLimit('operationTimeoutMs', options.operationTimeoutMs, 250)
  const lockMs = timeLimit('lockTtlMs', options.lockTtlMs, 10_000)
  const box = lockBox(options.encryptionKey, keyPrefix)
  const late = (): Error =>
    Object.assign(new Error(`Redis took longer than ${operationMs} ms`), { code: 'timeout' })
  const run = <T>(operation: () => Promise<T>): Promise<T> =>
    within(operationMs, Promise.resolve().then(operation), late)

  const get = async (key: string): Promise<string | null> => {
    const name = box.name(key)
    const sealed = await run(() => client.get(name))
    if (sealed === null || sealed === undefined) return null
    return box.open(name, sealed)
  }

  /**
   * True once the lock is ours; false when another process has published meanwhile, or the wait is
   * over.
   */
  const acquire = async (
    key: string,
    lock: string,
    owner: string,
    ttlMs: number,
  ): Promise<boolean> => {
    const started = clock.monotonic()
    const before = await run(() => client.get(box.name(key)))
    for (;;) {
      if ((await run(() => client.set(lock, owner, { PX: ttlMs, NX: true }))) !== null) return true
      if (clock.monotonic() - started >= ttlMs) return false
      await clock.sleep(100 + 100 * random())
      const now = await run(() => client.get(box.name(key)))
      if (typeof now === 'string' && now !== before) return false
    }
  }

  return {
    get,
    set: async (key, value, ttlMs) => {
      const name = box.name(key)
      await run(() => client.set(name, box.seal(name, value), { PX: wholeMs(ttlMs) }))
    },
    delete: async (key) => {
      await run(() => client.eval(deleteScript, { keys: [box.name(key)], arguments: [] }))
    },
    withLock: async (key, ttlMs, task) => {
      const lock = `${box.name(key)}:lock`
      const owner = randomUUID()
      const held = await acquire(key, lock, owner, wholeMs(Math.min(ttlMs, lockMs)))
      const release = async (): Promise<unknown> =>
        held && run(() => client.eval(releaseScript, { keys: [lock], arguments: [owner] }))
      try {
        const result = await task()
        await release()
        return result
      } catch (error) {
        // The caller gets the error of the task; the lock ends when its time is over.
        await release().catch(() => {})
        throw error
      }
    },
  }
}

/** Redis takes whole milliseconds, from one on. */
function wholeMs(ms: number): number {
  return Math.max(1, Math.floor(ms))
}

/** Derives two keys from one: the key for names cannot read the values. */
function lockBox(secret: string | Uint8Array, prefix: string) {
  const material = typeof secret === 'string' ? Buffer.from(secret) : secret
  if (!isBytes(material) || material.length < 32) {
    throw must('encryptionKey', 'have at least 32 bytes, such as crypto.randomBytes(32)')
  }
  const derive = (purpose: string): Uint8Array =>
    new Uint8Array(
      hkdfSync('sha256', material, new Uint8Array(0), `buildwire token store ${purpose}`, 32),
    )
  const indexKey = derive('index')
  const valueKey = derive('value')

  const name = (key: string): string =>
    prefix + createHmac('sha256', indexKey).update(key).digest('base64url')

  const seal = (name: string, text: string): string => {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', valueKey, nonce).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
    return `${version}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
  }

  /** @throws Error with code `unreadable_value`: another key, another name, or no value of ours. */
  const open = (name: string, value: unknown): string => {
    const [found, nonce = '', body = '', ...more] =
      typeof value === 'string' ? value.split('.') : []
    const iv = Buffer.from(nonce, 'base64url')
    const sealed = Buffer.from(body, 'base64url')
    const end = sealed.length - tagBytes
    const text = tried(() => {
      const decipher = createDecipheriv('aes-256-gcm', valueKey, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(end))
      return decipher.update(sealed.subarray(0, end), undefined, 'utf8') + decipher.final('utf8')
    })
    if (found === version && more.length === 0 && text !== undefined) return text
    throw Object.assign(new Error('The stored token cannot be read with this encryptionKey'), {
      code: 'unreadable_value',
    })
  }
  return { name, seal, open }
}
