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

  test('are all stored, and all work after they were renewed at the same time', {
    timeout: 120_000,
  }, async () => {
    expect(await parallelLogins(shop, 6)).toBeNull()
    expect(await parallelRenewals(shop, 4)).toBeNull()
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'after %s in a renewal the login works, or the error says why not',
    { timeout: 120_000 },
    async (ending) => {
      shop.holdMs = 300
      expect(await signalRound(shop, ending, 100, 10_000)).toBeNull()
    },
  )

  test('an unwritable configuration is an error before any request', async () => {
    shop.holdMs = 0
    let renewals = 0
    shop.onRenewal = () => renewals++
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
    expect(renewals).toBe(0)
  })
})
