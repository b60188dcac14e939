import { describe, expect, it } from 'vitest'
import type { Animal, Expected } from './zoo/animal.js'
import { animals as first, expected as firstExpected } from './zoo/first/zoo.js'
import {
  findingsOf,
  type Half,
  missedRows,
  proveAnimal,
  storiesOf,
  whyAbsent,
} from './zoo/keeper.js'
import { animals as second } from './zoo/second/zoo.js'
import { expected as secondExpected } from './zoo/second-rows.js'

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
        const where: Expected = expected[name] ?? { rows: [], as: 'harm' }
        const proof = await proveAnimal(half, animal, 'careless', where.rows)
        expect(missedRows(findingsOf(proof, where.as), where), storiesOf(proof)).toEqual([])
        expect(where.rows.length).toBeGreaterThan(0)
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
describeHalf('second', second, secondExpected)
