import { harmed, type Proof, proofOf } from '../prove/proof.js'
import type { StressTask } from './task.js'

const verdicts = ({ rows }: Proof): string => rows.map(({ id, verdict }) => `${id} ${verdict}`).join('\n')

/** Proves a program that uses all of the SDK once, and three times a client that makes two mistakes: always the same rows. */
export const run: StressTask = async ({ log }) => {
  const { proof: careful } = await proofOf('everything')
  log(`${careful.rows.length} rows of everything, ${harmed(careful).length} harmed`)
  const seen: string[] = []
  for (let time = 0; time < 3; time++) seen.push(verdicts((await proofOf('retries-writes')).proof))
  const [unfit] = harmed(careful)
  const failure =
    unfit !== undefined
      ? `${unfit.id}: ${unfit.reason} ${unfit.output ?? ''}`
      : new Set(seen).size > 1
        ? `three runs do not agree:\n${seen.join('\n\n')}`
        : undefined
  return { ok: failure === undefined, figures: { rows: careful.rows.length, runs: seen.length }, failure }
}
