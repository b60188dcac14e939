import { afterAll, describe, expect, it } from 'vitest'
import type { Animal, Expected } from './zoo/animal.js'
import { findingsOf, missedRows, proveAnimal, storiesOf, whyAbsent } from './zoo/keeper.js'
import { type ZooPart, zoo } from './zoo/zoo.js'

const timeout = 600_000

interface Score {
  tried: number
  right: number
}

const found: Score = { tried: 0, right: 0 }
const cleared: Score = { tried: 0, right: 0 }

/** Runs a test of an animal whose program and libraries are there, and counts it. */
async function counted(
  score: Score,
  animal: Animal,
  skip: (reason: string) => void,
  test: () => Promise<void>,
): Promise<void> {
  const reason = await whyAbsent(animal)
  if (reason !== undefined) skip(reason)
  score.tried += 1
  await test()
  score.right += 1
}

function describePart({ part, animals, expected }: ZooPart): void {
  describe(`the ${part} part of the zoo`, () => {
    const visible = animals.filter(({ seen }) => seen)

    it.for(visible.map((animal) => [animal.name, animal] as const))(
      '%s: the mistake is found',
      { timeout },
      ([name, animal], { skip }) =>
        counted(found, animal, skip, async () => {
          const where: Expected = expected[name] ?? { rows: [], as: 'harm' }
          const proof = await proveAnimal(part, animal, 'careless', where.rows)
          expect(missedRows(findingsOf(proof, where.as), where), storiesOf(proof)).toEqual([])
          expect(where.rows.length).toBeGreaterThan(0)
        }),
    )

    it.for(animals.map((animal) => [animal.name, animal] as const))(
      '%s: the careful twin is not accused',
      { timeout },
      ([name, animal], { skip }) =>
        counted(cleared, animal, skip, async () => {
          const rows = [...(expected[name]?.rows ?? []), 'unavailable']
          const proof = await proveAnimal(part, animal, 'careful', rows)
          expect(findingsOf(proof, 'harm'), storiesOf(proof)).toEqual([])
          expect(proof.complaint).toBeNull()
        }),
    )
  })
}

for (const part of zoo) describePart(part)

afterAll(() => {
  console.log(
    `${found.right} of ${found.tried} mistakes are found, ${cleared.right} of ${cleared.tried} careful twins are not accused`,
  )
})
