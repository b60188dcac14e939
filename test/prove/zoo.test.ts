import { describe, expect, it } from 'vitest'
import type { Animal, Expected } from './zoo/animal.js'
import { animals as first, expected as firstExpected } from './zoo/first/zoo.js'
import { findingsOf, type Half, proveAnimal, storiesOf, whyAbsent } from './zoo/keeper.js'

const timeout = 600_000

function describeHalf(
  half: Half,
  animals: readonly Animal[],
  expected: Readonly<Record<string, Expected>>,
): void {
  describe(`the ${half} half of the zoo`, () => {
    const visible = animals.filter(({ seen }) => seen)

    it.for(visible.map((animal) => [animal.name, animal] as const))(
      '%s: the mistake is found',
      { timeout },
      async ([name, animal], { skip }) => {
        const reason = await whyAbsent(animal)
        if (reason !== undefined) skip(reason)
        const { rows, as } = expected[name] ?? { rows: [], as: 'harm' }
        const proof = await proveAnimal(half, animal, 'careless', rows)
        expect([...findingsOf(proof, as)].sort(), storiesOf(proof)).toEqual([...rows].sort())
      },
    )

    it.for(animals.map((animal) => [animal.name, animal] as const))(
      '%s: the careful twin is not accused',
      { timeout },
      async ([name, animal], { skip }) => {
        const reason = await whyAbsent(animal)
        if (reason !== undefined) skip(reason)
        const rows = [...(expected[name]?.rows ?? []), 'unavailable']
        const proof = await proveAnimal(half, animal, 'careful', rows)
        expect(findingsOf(proof, 'harm'), storiesOf(proof)).toEqual([])
        expect(proof.complaint).toBeNull()
      },
    )
  })
}

describeHalf('first', first, firstExpected)
