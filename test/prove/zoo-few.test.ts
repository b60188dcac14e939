import { describe, expect, it } from 'vitest'
import { animals, expected } from './zoo/first/zoo.js'
import { findingsOf, proveAnimal, storiesOf, whyAbsent } from './zoo/keeper.js'

/** A dozen that need no library and no minute; `zoo.test.ts` has all of them, and their twins. */
const few = new Set([
  'retries-writes',
  'ignores-retry-after',
  'polls-after-denial',
  'follows-any-link',
  'exchanges-per-call',
  'refreshes-twice',
  'old-refresh-token',
  'knows-all-states',
  'takes-refusals',
  'follows-redirects',
  'one-try',
  'first-page',
])

describe('a mistake of a client', () => {
  it.for(
    animals.filter(({ name }) => few.has(name)).map((animal) => [animal.name, animal] as const),
  )('%s is found in its row', { timeout: 120_000 }, async ([name, animal], { skip }) => {
    const reason = animal.file.endsWith('.js') ? undefined : await whyAbsent(animal)
    if (reason !== undefined) skip(reason)
    const { rows = [], as = 'harm' } = expected[name] ?? {}
    const proof = await proveAnimal('first', animal, 'careless', rows)
    expect(findingsOf(proof, as), storiesOf(proof)).toEqual(rows)
  })
})
