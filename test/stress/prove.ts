import { naive } from '../prove/naive.js'
import { harmed, type Proof, proofOf } from '../prove/proof.js'
import type { StressTask } from './task.js'

const harms = (proof: Proof): string =>
  harmed(proof)
    .map(({ id }) => id)
    .join(' ')

/**
 * Proves every client whole: the careful ones are harmed by nothing, each naive one by its rows alone. The client whose
 * rows differ most is proven three times, which must bring the same verdicts.
 */
export const run: StressTask = async ({ log }) => {
  const expected: readonly (readonly [name: string, rows: readonly string[]])[] = [
    ...Object.entries({ correct: [], everything: [], ...naive }),
    ['retries-writes', naive['retries-writes'] ?? []],
    ['retries-writes', naive['retries-writes'] ?? []],
  ]
  let rows = 0
  const wrong: string[] = []
  for (const [name, ids] of expected) {
    const { proof } = await proofOf(name)
    rows += proof.rows.length
    const found = harms(proof)
    log(`${name}: ${proof.rows.length} rows, harmed by ${found || 'nothing'}`)
    if (found === ids.join(' ')) continue
    const reasons = harmed(proof).map(({ id, reason, output }) => `${id}: ${reason} ${output ?? ''}`)
    wrong.push(
      `${name} is harmed by ${found || 'nothing'}, not by ${ids.join(' ') || 'nothing'}\n${reasons.join('\n')}`,
    )
  }
  return { ok: wrong.length === 0, figures: { clients: expected.length, rows }, failure: wrong.join('\n') }
}
