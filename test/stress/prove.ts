import type { Animal } from '../prove/zoo/animal.js'
import { findingsOf, proveAnimal, storiesOf, whyAbsent } from '../prove/zoo/keeper.js'
import { type ZooPart, zoo } from '../prove/zoo/zoo.js'
import type { StressTask } from './task.js'

interface Twin {
  readonly part: ZooPart['part']
  readonly animal: Animal
}

/** One animal of each stack. */
function oneOfEach(): readonly Twin[] {
  const all = zoo.flatMap(({ part, animals }) => animals.map((animal): Twin => ({ part, animal })))
  const firstOf = ({ stack }: Animal) => all.findIndex(({ animal }) => animal.stack === stack)
  return all.filter(({ animal }, index) => firstOf(animal) === index)
}

/** Proves one careful twin of each stack on every row: no fault may harm it. */
export const run: StressTask = async ({ log }) => {
  let rows = 0
  const wrong: string[] = []
  for (const { part, animal } of oneOfEach()) {
    const reason = await whyAbsent(animal)
    if (reason !== undefined) {
      log(`${animal.name} is left out: ${reason}`)
      continue
    }
    const proof = await proveAnimal(part, animal, 'careful', [])
    const accused = findingsOf(proof, 'harm')
    rows += proof.rows.length
    log(`${animal.name}: ${proof.rows.length} rows, harmed by ${accused.join(' ') || 'nothing'}`)
    if (proof.rows.length === 0) wrong.push(`${animal.name} meets no row`)
    if (accused.length > 0) wrong.push(`${animal.name}\n${storiesOf(proof)}`)
  }
  return { figures: { rows }, failure: wrong.join('\n') || undefined }
}
