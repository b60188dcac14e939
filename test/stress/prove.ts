import { client, harmed, type Proof, proofOf, reasons } from '../prove/proof.js'
import type { Animal } from '../prove/zoo/animal.js'
import { animals } from '../prove/zoo/first/zoo.js'
import { findingsOf, proveAnimal, storiesOf, whyAbsent } from '../prove/zoo/keeper.js'
import type { StressTask } from './task.js'

/** One animal of each stack, whose careful twin meets all rows. */
function oneOfEach(all: readonly Animal[]): readonly Animal[] {
  const firstOf = (stack: string) => all.findIndex((animal) => animal.stack === stack)
  return all.filter(({ stack }, index) => firstOf(stack) === index)
}

/** Proves the careful clients on every row: no fault may harm them. */
export const run: StressTask = async ({ log }) => {
  let rows = 0
  const wrong: string[] = []
  const add = (name: string, proof: Proof, accused: readonly string[], why: string) => {
    rows += proof.rows.length
    log(`${name}: ${proof.rows.length} rows, harmed by ${accused.join(' ') || 'nothing'}`)
    if (accused.length > 0 || proof.rows.length === 0) wrong.push(`${name}\n${why}`)
  }
  for (const name of ['correct', 'everything'] as const) {
    const { proof } = await proofOf(client(name))
    const accused = harmed(proof).map(({ id }) => id)
    add(name, proof, accused, reasons(proof).join('\n'))
    const unused = proof.rows.filter(({ verdict }) => verdict === 'not used').map(({ id }) => id)
    if (unused.length > 0) wrong.push(`${name} does not meet ${unused.join(' ')}`)
  }
  for (const animal of oneOfEach(animals)) {
    const reason = await whyAbsent(animal)
    if (reason === undefined) {
      const proof = await proveAnimal('first', animal, 'careful', [])
      add(animal.name, proof, findingsOf(proof, 'harm'), storiesOf(proof))
    } else log(`${animal.name} is left out: ${reason}`)
  }
  return { figures: { rows }, failure: wrong.join('\n') || undefined }
}
