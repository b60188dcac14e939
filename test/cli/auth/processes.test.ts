import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parallelLogins, parallelRenewals } from '../../stress/logins.js'
import { signalRound } from '../../stress/signals.js'
import { openRenewable, type Renewable } from '../../support/renewable.js'

describe('logins of many processes', () => {
  let shop: Renewable
  beforeAll(async () => {
    shop = await openRenewable()
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  test('are all stored, and all usable after they were renewed at once', {
    timeout: 120_000,
  }, async () => {
    expect(await parallelLogins(shop, 6)).toBeNull()
    expect(await parallelRenewals(shop, 4)).toBeNull()
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    '%s in a renewal: the login works afterwards, or one is told why not',
    { timeout: 120_000 },
    async (ending) => {
      shop.holdMs = 300
      expect(await signalRound(shop, ending, 100, 10_000)).toBeNull()
    },
  )

  test('an unwritable configuration is known before the server is asked', async () => {
    shop.holdMs = 0
    let asked = 0
    shop.onRenewal = () => asked++
    const env = {
      BUILDWIRE_CONFIG_DIR: '/proc/none',
      BUILDWIRE_BASE_URL: shop.baseUrl,
      BUILDWIRE_CLIENT_ID: 'laptop',
    }
    const { code, stderr } = await shop.ci(['auth', 'login', '--with-token'], {
      env,
      stdin: 'no-token-at-all',
    })
    expect([code, stderr]).toEqual([78, 'Error: cannot write /proc/none (ENOENT)\n'])
    expect(asked).toBe(0)
  })
})
