import { join } from 'node:path'
import { killCycles } from '../support/kill-cycles.js'
import { scratch } from '../support/scratch.js'
import type { StressTask } from './task.js'

/**
 * `kill -9` at random times under write load: every acknowledged write must be there, no number may
 * be used twice, and no write may be there in part.
 */
export const run: StressTask = async ({ within, roll, requests = 20, log }) => {
  await using directory = await scratch('kill')
  const { cycles, acknowledged, faults } = await killCycles(
    join(directory.path, 'data'),
    requests,
    (cycle) => {
      if (cycle > 0 && cycle % 10 === 0) log(`${cycle} kills`)
      return within() ? Math.floor(roll() * 250) : null
    },
  )
  const few =
    acknowledged < cycles ? `${acknowledged} writes acknowledged in ${cycles} cycles` : undefined
  return {
    figures: { kills: cycles, 'acknowledged writes': acknowledged },
    failure: faults[0] ?? few,
  }
}
