import { describe, expect, it } from 'vitest'
import {
  freshFor,
  isJwksUri,
  type JwksEntry,
  type KeyPlan,
  planKeys,
} from '../../../mock-server/src/domain/jwks-cache.js'
import type { PublicJwk } from '../../../mock-server/src/domain/keys.js'

describe('a key set by URI', () => {
  it.each([
    ['https://keys.example/jwks.json?x=a@b', true],
    ['HTTPS://keys.example', true],
    ['https://keys.example/a@b', true],
    ['http://keys.example/jwks.json', false],
    ['http://localhost:4010/jwks', true],
    ['http://127.0.0.1/jwks', true],
    ['http://127.255.10.20/jwks', true],
    ['https://keys.example/?of=ftp://user@x', true],
    ['http://[::1]:8080/jwks', true],
    ['http://localhost.example/jwks', false],
    ['http://127.0.0.1.example/jwks', false],
    ['http://x127.0.0.1/jwks', false],
    ['https://user@keys.example/', false],
    ['https://user:secret@keys.example/', false],
    ['https://@keys.example/', false],
    ['https://keys.example/#top', false],
    ['https://keys.example/#', false],
    ['https:\\\\keys.example\\jwks', false],
    ['https://keys.example/a b', false],
    ['https://keys.example/\u00e9', false],
    ['https:keys.example', false],
    ['https:/keys.example', false],
    ['ftp://localhost/jwks', false],
    ['xhttps://localhost/jwks', false],
    ['https://', false],
    ['keys.example', false],
    ['', false],
  ])('may live at %s: %j', (text, allowed) => {
    expect(isJwksUri(text)).toBe(allowed)
  })

  it.each([
    [null, 3_600_000],
    ['', 3_600_000],
    ['no-cache', 3_600_000],
    ['max-age=600', 600_000],
    ['public, max-age=600', 600_000],
    ['public,max-age = "600"', 600_000],
    ['public MAX-AGE=600', 600_000],
    ['s-max-age=600', 3_600_000],
    ['max-age=x', 3_600_000],
    ['max-age=0', 60_000],
    ['max-age=59', 60_000],
    ['max-age=61', 61_000],
    ['max-age=3601', 3_600_000],
    [`max-age=${'9'.repeat(400)}`, 3_600_000],
  ])('with Cache-Control %j is fresh for %i ms', (header, ms) => {
    expect(freshFor(header)).toBe(ms)
  })

  const key = { kty: 'EC', kid: 'k1' } as PublicJwk
  const entry = (fields: Partial<JwksEntry> = {}): JwksEntry => ({
    keys: [key],
    fetchedAt: 0,
    freshMs: 60_000,
    attemptedAt: 0,
    failed: false,
    ...fields,
  })
  const stale = { attemptedAt: 100_000, failed: true }

  it.each<[string, JwksEntry | undefined, string | undefined, number, KeyPlan]>([
    ['never seen', undefined, undefined, 0, 'fetch'],
    ['fresh', entry(), 'k1', 59_999, 'use'],
    ['fresh, no kid asked for', entry(), undefined, 0, 'use'],
    ['no longer fresh', entry(), 'k1', 60_000, 'fetch'],
    ['fresh, kid unknown, just asked', entry(), 'k2', 29_999, 'refuse'],
    ['fresh, kid unknown, a pause later', entry(), 'k2', 30_000, 'fetch'],
    ['stale, just failed, kid known', entry(stale), 'k1', 104_999, 'use'],
    ['stale, just failed, no kid', entry(stale), undefined, 104_999, 'use'],
    ['stale, just failed, kid unknown', entry(stale), 'k2', 104_999, 'refuse'],
    ['stale, failed five seconds ago', entry(stale), 'k1', 105_000, 'fetch'],
    ['an hour old, just failed', entry({ attemptedAt: 3_600_000, failed: true }), 'k1', 3_600_000, 'refuse'],
    ['a moment less than an hour old', entry({ attemptedAt: 3_599_999, failed: true }), 'k1', 3_599_999, 'use'],
    ['never fetched, just failed', entry({ keys: null, failed: true }), undefined, 4_999, 'refuse'],
    ['never fetched, just failed, by kid', entry({ keys: null, failed: true }), 'k1', 4_999, 'refuse'],
    ['fresh, kid of one among others', entry({ keys: [{ ...key, kid: 'k0' }, key] }), 'k1', 0, 'use'],
    ['never fetched, failed a pause ago', entry({ keys: null, failed: true }), undefined, 5_000, 'fetch'],
    ['from before the clock was set back', entry({ fetchedAt: 10, attemptedAt: 10, failed: true }), 'k1', 9, 'refuse'],
  ])('%s: the plan', (_name, known, kid, now, plan) => {
    expect(planKeys(known, kid, now)).toBe(plan)
  })
})
