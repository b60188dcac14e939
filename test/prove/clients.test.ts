import { describe, expect, it } from 'vitest'
import { harmed, list, type Proof, proofOf } from './proof.js'

/** For a failing test: why. */
const reasons = (proof: Proof) => harmed(proof).map(({ id, reason, output }) => `${id}: ${reason} ${output ?? ''}`)

/** Each makes one mistake, and does the rest by the careful client. */
const naive: Readonly<Record<string, readonly string[]>> = {
  'retries-writes': ['after-commit/builds.create', 'bad-gateway/builds.create', 'truncated/builds.create'],
  'ignores-retry-after': [
    `unavailable/${list}`,
    'unavailable/builds.get',
    `rate-limited/${list}`,
    'rate-limited/builds.get',
  ],
  'forgets-slow-down': ['slow-down/device'],
  'polls-after-denial': ['denied/device', 'expired/device', 'after-commit/device'],
  'walks-by-number': [`insertion/${list}`],
  'follows-any-link': [`link/${list}`],
  'exchanges-per-call': ['every-call/exchange'],
  'refreshes-twice': ['after-commit/refresh'],
  'knows-all-states': ['unknown/builds.get'],
  'takes-half': [`truncated/${list}`, `html/${list}`],
  'never-again': [`unavailable/${list}`, `rate-limited/${list}`, `before-commit/${list}`, `bad-gateway/${list}`],
  'follows-redirects': [`redirect/${list}`],
  insists: [`token-ends/${list}`],
}

describe('a naive client', () => {
  it.each(Object.entries(naive))(
    '%s is harmed by what it does not handle, and by nothing else',
    async (name, expected) => {
      const { code, proof } = await proofOf(name)
      expect(
        harmed(proof).map(({ id }) => id),
        reasons(proof).join('\n'),
      ).toEqual(expected)
      expect(code).toBe(1)
      for (const { evidence, replay, id } of harmed(proof)) {
        expect(evidence.length).toBeGreaterThan(0)
        expect(replay).toContain(`prove --only ${id} -- `)
      }
    },
    300_000,
  )
})

describe('a careful client', () => {
  it('made with plain fetch is harmed by nothing', async () => {
    const { code, proof } = await proofOf('correct')
    expect(reasons(proof)).toEqual([])
    expect(code).toBe(0)
    expect(proof.base.uses).toEqual(expect.arrayContaining([list, 'builds.create', 'device', 'refresh', 'exchange']))
    expect(new Set(proof.rows.map(({ verdict }) => verdict))).toEqual(new Set(['survived']))
  }, 600_000)

  // The whole of it takes minutes: `npm run stress -- --only prove`.
  it('that uses all of the SDK is harmed by no lost and no spoilt answer of a write', async () => {
    const { code, proof } = await proofOf('everything', '--only', 'after-commit', '--only', 'truncated')
    expect(reasons(proof)).toEqual([])
    expect(code).toBe(0)
  }, 600_000)
})
