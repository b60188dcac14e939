import { strict as assert } from 'node:assert'
import { ask, expectHeaders, expectRefusal, expectStatus, rowsOf } from '../target.js'

export const limitRows = rowsOf('seed', {
  'RL1 D wire/rates: rate limits are off by default, and then have no headers': async (target) => {
    assert.equal((await ask(target, '/v2/user')).headers.get('ratelimit-limit'), null)
  },
  'RL2 D wire/rates: fixed windows per user and organization; refused requests count': async (
    target,
  ) => {
    await target.control?.apply({
      settings: { rateLimits: { organization: 100, user: 2, windowSeconds: 60 } },
    })
    try {
      const first = await ask(target, '/v2/user')
      expectHeaders(first, {
        'ratelimit-scope': 'rest',
        'ratelimit-limit': '100',
        'ratelimit-user-scope': 'rest_user',
      })
      expectHeaders(first, { 'ratelimit-user-remaining': '1', 'ratelimit-user-reset': '60' })
      expectStatus(await ask(target, '/v2/builds', { as: 'bare' }), 403)
      const refused = await ask(target, '/v2/user')
      const message =
        'You have exceeded your API rate limit. Please wait 60 seconds before making more requests.'
      expectRefusal(refused, 429, message)
      assert.deepEqual(refused.json, {
        message,
        scope: 'rest_user',
        limit: 2,
        current: 3,
        reset: 60,
      })
      assert.equal(
        refused.headers.get('ratelimit-user-warning'),
        'You have exceeded your API rate limit.',
      )
      assert.equal(refused.headers.get('retry-after'), null)
      await target.control?.clock.advance({ ms: 60_000 })
      expectStatus(await ask(target, '/v2/user'), 200)
    } finally {
      await target.control?.apply({ settings: { rateLimits: null } })
    }
  },
})
