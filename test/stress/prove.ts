import { naive } from '../prove/naive.js'
import { harmed, type Proof, proofOf, reasons } from '../prove/proof.js'
import type { StressTask } from './task.js'

const harms = (proof: Proof): string =>
  harmed(proof)
    .map(({ id }) => id)
    .join(' ')

/**
 * Proves every client with all rows. No row may harm a careful client, and only its own rows may
 * harm a naive client. The client with the most different rows is proven three times, with the same
 * harms each time.
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
    const unused = proof.rows.filter(({ verdict }) => verdict === 'not used')
    if (ids.length === 0 && (unused.length > 0 || proof.rows.length === 0))
      wrong.push(`${name} does not meet ${unused.map(({ id }) => id).join(' ') || 'any row'}`)
    if (found === ids.join(' ')) continue
    wrong.push(
      `${name} is harmed by ${found || 'nothing'}, not by ${ids.join(' ') || 'nothing'}\n${reasons(proof).join('\n')}`,
    )
  }
  return { figures: { clients: expected.length, rows }, failure: wrong.join('\n') || undefined }
}
