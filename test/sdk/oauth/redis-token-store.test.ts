import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generateSigningKey } from '@buildwire/sdk'
import { redisTokenStore } from '@buildwire/sdk/redis'
import { describe, expect, test } from 'vitest'
import { json, serve } from '../support/server.js'
import { ada, mint, scene } from './support/exchange.js'
import { failure } from './support/failure.js'
import { RedisServer, redisIsMissing } from './support/redis-server.js'

const encryptionKey = randomBytes(32)
const skipped = redisIsMissing()

if (skipped !== undefined) console.log(`Redis tests ${skipped}`)

describe.skipIf(skipped !== undefined)(
  `against a real Redis${skipped === undefined ? '' : ` (${skipped})`}`,
  () => {
    test('stores, reads and deletes; Redis sees neither identity nor token, and forgets in time', async () => {
      await using redis = await RedisServer.start()
      const client = await redis.connect()
      const store = redisTokenStore({ client, encryptionKey })
      await store.set('["ada@acme.example"]', 'bwtx_canary', 60_000)
      expect(await store.get('["ada@acme.example"]')).toBe('bwtx_canary')
      const [key = ''] = await client.keys('*')
      expect(key).toMatch(/^buildwire:token:[\w-]{43}$/)
      const raw = (await client.get(key)) ?? ''
      expect(raw).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/)
      expect(raw + key).not.toMatch(/ada|acme|canary/)
      expect(await client.pTTL(key)).toBeGreaterThan(55_000)
      await store.delete('["ada@acme.example"]')
      expect(await store.get('["ada@acme.example"]')).toBeNull()
    })

    test('a value copied to another key does not open, nor under another encryption key', async () => {
      await using redis = await RedisServer.start()
      const client = await redis.connect()
      const store = redisTokenStore({ client, encryptionKey })
      await store.set('ada', 'bwtx_ada', 60_000)
      const [adasKey = ''] = await client.keys('*')
      await store.set('bob', 'bwtx_bob', 60_000)
      const bobsKey = (await client.keys('*')).find((key) => key !== adasKey) ?? ''
      await client.set(bobsKey, (await client.get(adasKey)) ?? '')
      expect(await failure(store.get('bob'))).toMatchObject({ code: 'unreadable_value' })
      const rotated = redisTokenStore({ client, encryptionKey: randomBytes(32) })
      expect(await rotated.get('ada')).toBeNull()
    })

    test('twenty processes that start at once are one exchange: the lock holds', async () => {
      await using redis = await RedisServer.start()
      const scenes = await Promise.all(
        Array.from({ length: 20 }, async () =>
          scene([async () => mint()()], {
            store: redisTokenStore({ client: await redis.connect(), encryptionKey }),
          }),
        ),
      )
      const tokens = await Promise.all(
        scenes.map(({ exchange }) => exchange.tokenProvider(ada).getToken()),
      )
      expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
      expect(scenes.reduce((sum, { asked }) => sum + asked.length, 0)).toBe(1)
      const client = await redis.connect()
      expect((await client.keys('*')).filter((key) => key.endsWith(':lock'))).toEqual([])
    })

    test('real processes share one token', async () => {
      await using redis = await RedisServer.start()
      const server = await serve((response) => json(response, 200, mint()().json))
      const key = await generateSigningKey({ alg: 'ES256' })
      const env = {
        ...process.env,
        REDIS_PORT: String(redis.port),
        AUTH_URL: server.url,
        SIGNING_KEY: key.revealPem(),
        STORE_KEY: randomBytes(32).toString('base64url'),
      }
      const child = fileURLToPath(new URL('support/redis-child.ts', import.meta.url))
      const run = promisify(execFile)
      const processes = await Promise.all(
        [0, 1].map(() => run(process.execPath, ['--import', 'tsx', child], { env })),
      )
      expect(new Set(processes.map(({ stdout }) => stdout)).size).toBe(1)
      expect(processes[0]?.stdout).toMatch(/^bwtx_/)
      expect(server.requests).toHaveLength(1)
    })

    test('only the owner ends its lock: one that outlived its time leaves the next owner’s alone', async () => {
      await using redis = await RedisServer.start()
      const client = await redis.connect()
      const store = redisTokenStore({ client, encryptionKey })
      await store.withLock?.('k', 10_000, async () => {
        const [lock = ''] = await client.keys('*:lock')
        await client.set(lock, 'the next owner')
      })
      const [lock = ''] = await client.keys('*:lock')
      expect(await client.get(lock)).toBe('the next owner')
    })

    test('T12 Redis dies in the middle: calls go on, one exchange per identity, event store_error', async () => {
      await using redis = await RedisServer.start()
      const client = await redis.connect()
      const { exchange, asked, events } = scene([mint()], {
        store: redisTokenStore({ client, encryptionKey, operationTimeoutMs: 2000 }),
      })
      await exchange.tokenProvider(ada).getToken()
      expect(events.some(({ type }) => type === 'store_error')).toBe(false)
      await redis.kill()
      const globex = exchange.tokenProvider({ ...ada, audience: 'globex' })
      await Promise.all([globex.getToken(), globex.getToken()])
      await exchange.tokenProvider(ada).getToken()
      expect(asked).toHaveLength(2)
      expect(events.filter(({ type }) => type === 'store_error').length).toBeGreaterThan(0)
    })
  },
)
