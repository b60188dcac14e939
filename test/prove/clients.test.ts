import { describe, expect, it } from 'vitest'
import { naive } from './naive.js'
import { harmed, list, type Proof, proofOf } from './proof.js'

// All rows of all clients take many minutes: `npm run stress -- --only prove`.
const only = (...rows: readonly string[]) => rows.flatMap((row) => ['--only', row])

/** For a failing test: why. */
const reasons = (proof: Proof) => harmed(proof).map(({ id, reason, output }) => `${id}: ${reason} ${output ?? ''}`)

describe('a naive client', () => {
  it.each(Object.entries(naive))(
    '%s is harmed by what it does not handle',
    async (name, expected) => {
      const { code, proof } = await proofOf(name, ...only(...expected))
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
    const { code, proof } = await proofOf('correct', ...only('after-commit', 'unavailable', `link/${list}`, 'unknown'))
    expect(reasons(proof)).toEqual([])
    expect(code).toBe(0)
    expect(proof.base.uses).toEqual(expect.arrayContaining([list, 'builds.create', 'device', 'refresh', 'exchange']))
  }, 600_000)

  it('that uses all of the SDK is harmed by nothing', async () => {
    const { code, proof } = await proofOf(
      'everything',
      ...only('after-commit/builds.create', 'truncated/builds.create'),
    )
    expect(reasons(proof)).toEqual([])
    expect(code).toBe(0)
  }, 600_000)
})
