import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { type RedisClient, redisTokenStore } from '@buildwire/sdk/redis'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { failure } from './support/failure.js'

const encryptionKey = 'a text of at least thirty-two bytes'
const key = '["https://auth.ci.example/oauth/token","app"]'

/** What node-redis would be asked, on a map. */
class RecordedClient implements RedisClient {
  readonly values = new Map<string, unknown>()
  readonly sets: [key: string, options: { PX: number; NX?: true }][] = []
  readonly evals: [script: string, keys: string[], given: string[]][] = []
  gets = 0

  async get(name: string): Promise<unknown> {
    this.gets++
    return this.values.get(name) ?? null
  }

  async set(name: string, value: string, options: { PX: number; NX?: true }): Promise<unknown> {
    this.sets.push([name, options])
    if (options.NX && this.values.has(name)) return null
    this.values.set(name, value)
    return 'OK'
  }

  async eval(
    script: string,
    { keys, arguments: given }: { keys: string[]; arguments: string[] },
  ): Promise<unknown> {
    this.evals.push([script, keys, given])
    const [name = ''] = keys
    if (given.length === 0 || this.values.get(name) === given[0]) this.values.delete(name)
    return 1
  }
}

function made(options: Partial<Parameters<typeof redisTokenStore>[0]> = {}) {
  const client = new RecordedClient()
  const clock = new HandClock()
  const store = redisTokenStore({ client, encryptionKey, clock, random: () => 0.5, ...options })
  const withLock = <T>(ttlMs: number, task: () => Promise<T>): Promise<T> => {
    if (store.withLock === undefined) throw new Error('the store has no lock')
    return store.withLock(key, ttlMs, task)
  }
  return { client, clock, store, withLock }
}

const derived = (purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', `buildwire token store ${purpose}`, 32))
const name = `buildwire:token:${createHmac('sha256', derived('index')).update(key).digest('base64url')}`

describe('what lies in Redis', () => {
  test('can be read with the key: the name is an HMAC, the value is AES-256-GCM bound to the name', async () => {
    const { client, store } = made()
    await store.set(key, 'bwtx_é', 60_000)
    expect([...client.values.keys()]).toEqual([name])
    const [version, nonce = '', body = ''] = String(client.values.get(name)).split('.')
    const sealed = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv(
      'aes-256-gcm',
      derived('value'),
      Buffer.from(nonce, 'base64url'),
    )
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-16))
    expect(version).toBe('v1')
    expect(Buffer.from(nonce, 'base64url')).toHaveLength(12)
    expect(
      decipher.update(sealed.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8'),
    ).toBe('bwtx_é')
  })

  test('differs at each write of the same token, and is read back', async () => {
    const { client, store } = made()
    const seen = new Set<unknown>()
    for (let write = 0; write < 3; write++) {
      await store.set(key, 'bwtx_a', 60_000)
      seen.add(client.values.get(name))
    }
    expect(seen.size).toBe(3)
    expect(await store.get(key)).toBe('bwtx_a')
    expect(await store.get('another')).toBeNull()
  })

  test('bytes as the key, and another prefix, are as good', async () => {
    const bytes = made({ encryptionKey: new TextEncoder().encode(encryptionKey), keyPrefix: 'p:' })
    await bytes.store.set(key, 'bwtx_a', 1)
    expect([...bytes.client.values.keys()]).toEqual([name.replace('buildwire:token:', 'p:')])
    expect(await bytes.store.get(key)).toBe('bwtx_a')
  })

  test('stays for whole milliseconds, and for one at least', async () => {
    const { client, store } = made()
    for (const ttlMs of [1234.9, 1, 0.4]) await store.set(key, 'bwtx_a', ttlMs)
    expect(client.sets.map(([, options]) => options)).toEqual([{ PX: 1234 }, { PX: 1 }, { PX: 1 }])
  })

  test('is removed by its name', async () => {
    const { client, store } = made()
    await store.set(key, 'bwtx_a', 60_000)
    await store.delete(key)
    expect(client.evals).toEqual([["return redis.call('del', KEYS[1])", [name], []]])
    expect(await store.get(key)).toBeNull()
  })
})

describe('a value that was tampered with', () => {
  const change = (part: number, edit: (text: string) => string) => (value: string) => {
    const parts = value.split('.')
    parts[part] = edit(parts[part] ?? '')
    return parts.join('.')
  }
  const flip = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)

  test.each<[string, (value: string) => unknown]>([
    ['another version', change(0, () => 'v2')],
    ['another nonce', change(1, flip)],
    ['a nonce that is too short', change(1, (text) => text.slice(0, 14))],
    ['a nonce that is too long', change(1, (text) => `${text}AA`)],
    ['another text', change(2, flip)],
    ['a tag that is cut', change(2, (text) => text.slice(0, -4))],
    [
      'nothing but a tag',
      change(2, (text) => Buffer.from(text, 'base64url').subarray(-16).toString('base64url')),
    ],
    ['a part more', (value) => `${value}.`],
    ['a number', () => 7],
    ['bytes', (value) => Buffer.from(value)],
  ])('by %s is not a token, and the error says only that', async (_, edit) => {
    const { client, store } = made()
    await store.set(key, 'bwtx_a', 60_000)
    client.values.set(name, edit(String(client.values.get(name))))
    expect(await failure(store.get(key))).toMatchObject({
      code: 'unreadable_value',
      message: 'The stored token cannot be read with this encryptionKey',
    })
  })

  test('by cutting the tag, which makes a forgery easier to guess, is none', async () => {
    const { client, store } = made()
    const nonce = Buffer.alloc(12, 7)
    const cipher = createCipheriv('aes-256-gcm', derived('value'), nonce).setAAD(Buffer.from(name))
    const text = Buffer.concat([cipher.update('8 octets'), cipher.final()])
    const value = (tagBytes: number): string => {
      const sealed = Buffer.concat([text, cipher.getAuthTag().subarray(0, tagBytes)])
      return `v1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
    }
    client.values.set(name, value(16))
    expect(await store.get(key)).toBe('8 octets')
    client.values.set(name, value(4)) // 12 bytes in all: the last 4 would be the tag
    expect(await failure(store.get(key))).toMatchObject({ code: 'unreadable_value' })
  })

  test('by lying under another name is none either', async () => {
    const { client, store } = made()
    await store.set('another', 'bwtx_a', 60_000)
    client.values.set(name, [...client.values.values()][0])
    expect(await failure(store.get(key))).toMatchObject({ code: 'unreadable_value' })
  })
})

describe('the lock', () => {
  test('is a key of its own with an owner and an end, and only its owner ends it', async () => {
    const { client, withLock } = made()
    const lock = `${name}:lock`
    const owners = new Set<string>()
    for (let round = 0; round < 2; round++) {
      const result = await withLock(10_000, async () => {
        owners.add(String(client.values.get(lock)))
        return 'ran'
      })
      expect(result).toBe('ran')
      expect(client.values.has(lock)).toBe(false)
    }
    expect(owners.size).toBe(2)
    expect(client.sets).toEqual(Array(2).fill([lock, { PX: 10_000, NX: true }]))
    const [script, keys, given] = client.evals[0] ?? []
    expect(script).toMatch(
      /^if redis\.call\('get', KEYS\[1\]\) == ARGV\[1\] then return redis\.call\('del', KEYS\[1\]\) end/,
    )
    expect([keys, given]).toEqual([[lock], [[...owners][0]]])
  })

  test.each([
    [10_000, undefined, 10_000],
    [60_000, undefined, 10_000],
    [10_000, 4000, 4000],
    [1000.9, 4000, 1000],
    [0.5, undefined, 1],
  ])('for %d ms under a limit of %j lives %d ms', async (ttlMs, lockTtlMs, PX) => {
    const { client, withLock } = made({ lockTtlMs })
    await withLock(ttlMs, async () => {})
    expect(client.sets[0]?.[1]).toEqual({ PX, NX: true })
  })

  test('that is taken is asked for again after 100 to 200 ms, and is granted when it is free', async () => {
    const { client, clock, withLock } = made()
    client.values.set(`${name}:lock`, 'another')
    const waits: number[] = []
    clock.onSleep = (ms) => {
      if (waits.push(ms) === 3) client.values.delete(`${name}:lock`)
      return 0
    }
    await withLock(10_000, async () => {})
    expect(waits).toEqual([150, 150, 150])
    expect(client.evals).toHaveLength(1)
  })

  test('that stays taken for its whole life is done without, and left alone', async () => {
    const { client, clock, withLock } = made()
    clock.trueMs = 5000
    client.values.set(`${name}:lock`, 'another')
    expect(await withLock(450, async () => 'ran')).toBe('ran')
    expect(clock.trueMs).toBe(5450)
    expect([client.values.get(`${name}:lock`), client.evals]).toEqual(['another', []])
  })

  test.each<[string, unknown, unknown, number]>([
    ['a first value ends the wait', undefined, 'v1.a.b', 150],
    ['a new value ends the wait', 'v1.a.b', 'v1.c.d', 150],
    ['the old value does not', 'v1.a.b', 'v1.a.b', 600],
    ['a value that vanishes does not', 'v1.a.b', null, 600],
  ])('%s', async (_, before, after, ms) => {
    const { client, clock, withLock } = made()
    client.values.set(`${name}:lock`, 'another').set(name, before)
    clock.onSleep = () => {
      client.values.set(name, after)
      return 0
    }
    await withLock(600, async () => {})
    expect(clock.trueMs).toBe(ms)
    expect(client.evals).toEqual([])
  })

  test('is given back after a failure, whose error is the task’s own', async () => {
    const { client, withLock } = made()
    const task = () => Promise.reject(new Error('refused'))
    await expect(withLock(10_000, task)).rejects.toThrow('refused')
    expect(client.values.size).toBe(0)
    client.eval = () => Promise.reject(new Error('away'))
    await expect(withLock(10_000, task)).rejects.toThrow('refused')
  })

  test('whose return fails says so', async () => {
    const { client, withLock } = made()
    client.eval = () => Promise.reject(new Error('away'))
    await expect(withLock(10_000, async () => 'ran')).rejects.toThrow('away')
  })
})

describe('an operation', () => {
  test('that throws at once, or never ends, is a rejection', async () => {
    const { client, store } = made({ operationTimeoutMs: 5 })
    client.get = () => {
      throw new Error('closed')
    }
    await expect(store.get(key)).rejects.toThrow('closed')
    client.get = () => new Promise(() => {})
    expect(await failure(store.get(key))).toMatchObject({
      code: 'timeout',
      message: 'Redis took longer than 5 ms',
    })
  })
})

test.each([
  ['a text below 32 bytes', 'x'.repeat(31)],
  ['bytes below 32', new Uint8Array(31)],
  ['a number', 32],
  ['nothing', undefined],
])('%s is not an encryption key', (_, given) => {
  expect(() => made({ encryptionKey: given as never })).toThrow(
    expect.objectContaining({
      option: 'encryptionKey',
      message: expect.stringContaining('at least 32 bytes'),
    }),
  )
})

test('32 bytes are one, as text too', () => {
  for (const given of [new Uint8Array(32), 'é'.repeat(16)])
    expect(() => made({ encryptionKey: given })).not.toThrow()
})

test('without further options it waits 250 ms for Redis, on the machine’s own clock', async () => {
  const client = new RecordedClient()
  client.get = () => new Promise(() => {})
  const error = await failure(redisTokenStore({ client, encryptionKey }).get(key))
  expect(error).toMatchObject({ message: 'Redis took longer than 250 ms' })
})
