import { naive } from '../prove/naive.js'
import { harmed, type Proof, proofOf } from '../prove/proof.js'
import type { StressTask } from './task.js'

const harms = (proof: Proof): string =>
  harmed(proof)
    .map(({ id }) => id)
    .join(' ')

/** Proves every client whole: the careful ones are harmed by nothing, each naive one by its rows alone, three times alike. */
export const run: StressTask = async ({ log }) => {
  const expected: readonly (readonly [name: string, rows: readonly string[]])[] = [
    ['correct', []],
    ['everything', []],
    ...Object.entries(naive),
    ['retries-writes', naive['retries-writes'] ?? []],
    ['retries-writes', naive['retries-writes'] ?? []],
  ]
  let rows = 0
  for (const [name, ids] of expected) {
    const { proof } = await proofOf(name)
    rows += proof.rows.length
    log(`${name}: ${proof.rows.length} rows, harmed by ${harms(proof) || 'nothing'}`)
    if (harms(proof) !== ids.join(' '))
      return { ok: false, figures: { rows }, failure: `${name} is harmed by ${harms(proof)}, not by ${ids.join(' ')}` }
  }
  return { ok: true, figures: { clients: expected.length, rows } }
}
