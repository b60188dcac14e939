import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lowdbDirectory, type Persistence } from '@buildwire/mock-server'
import { replay } from '../../mock-server/src/store/journal-reader.js'
import { damageJournal, realJournal, startFrom } from '../support/journal-damage.js'
import { scratch } from '../support/scratch.js'
import { wideServer } from '../support/wide-server.js'
import type { StressTask } from './task.js'

const mostPerBuild = 60_000
const longestWaitMs = 50

/** `--requests N`: N damaged journals (default 10 000), and three builds for every ten of them. */
export const run: StressTask = async ({ within, roll, requests = 10_000, log }) => {
  await using directory = await scratch('journal')
  const small = join(directory.path, 'small')
  const grown = join(directory.path, 'grown')
  await realJournal(small)
  const damage = await damageJournal(small, roll, requests, () => within(0.5))
  log(`${damage.tried} spoilt journals, ${damage.refused} refused, ${damage.same} the same data`)
  const growth = await grow(grown, Math.ceil((requests * 3) / 10), within, log)
  return {
    figures: {
      spoilt: damage.tried,
      refused: damage.refused,
      'same data': damage.same,
      ...growth.figures,
    },
    failure: damage.failure ?? growth.failure,
  }
}

async function liveBytes(path: string): Promise<number> {
  let bytes = 0
  for (const records of (await replay(path)).live.values()) {
    for (const { record } of records.values()) bytes += JSON.stringify(record).length
  }
  return bytes
}

/**
 * Finished builds of 12 jobs: measures the growth of the file, and the duration of writes while the
 * file is rewritten.
 */
async function grow(
  directory: string,
  builds: number,
  left: () => boolean,
  log: (line: string) => void,
) {
  const path = join(directory, 'state.jsonl')
  const sizes = { perBuild: 0, ratio: 0 }
  const longest = { copying: 0, alone: 0 }
  const engine = lowdbDirectory(directory)
  const timed: Persistence = {
    ...engine,
    async commit(changes) {
      const isCopying = await stat(`${path}.new`).then(
        () => 'copying' as const,
        () => 'alone' as const,
      )
      const start = process.hrtime.bigint()
      await engine.commit(changes)
      longest[isCopying] = Math.max(
        longest[isCopying],
        Number(process.hrtime.bigint() - start) / 1e6,
      )
    },
  }
  const server = await wideServer({
    jobs: 12,
    persistence: timed,
    lifecycle: 'immediate',
    passes: true,
  })
  let before = (await stat(path)).size
  let made = 0
  for (; made < builds && left(); made++) {
    const answer = await server.create('wide')
    if (answer.status !== 201)
      return { failure: `build ${made} answered ${answer.status}`, figures: {} }
    await server.finished('wide', made + 1)
    const { size } = await stat(path)
    sizes.perBuild = Math.max(sizes.perBuild, size - before)
    // A rewritten file contains only the live records.
    if (size < before) sizes.ratio = Math.max(sizes.ratio, before / size)
    before = size
    if ((made + 1) % 500 !== 0) continue
    sizes.ratio = Math.max(sizes.ratio, size / (await liveBytes(path)))
    log(`${made + 1} builds, ${(size / 1e6).toFixed(1)} MB`)
  }
  await server.close()
  const found = await startFrom(directory)
  const kept =
    found instanceof Error ? 0 : [...found.keys()].filter((key) => key.startsWith('builds ')).length
  const figures = {
    builds: made,
    'most bytes a build': sizes.perBuild,
    'file : live at most': sizes.ratio.toFixed(2),
    'longest write ms': Math.round(longest.alone),
    'while copying': Math.round(longest.copying),
  }
  // On a busy machine writes also wait while no rewrite runs. Only the additional time is caused by
  // the rewrite.
  const most = Math.max(longestWaitMs, 2 * longest.alone)
  const faults = [
    kept !== made &&
      `${made} builds were made and ${kept} are there: ${String(found instanceof Error ? found.message : '')}`,
    sizes.perBuild > mostPerBuild &&
      `a build of 12 jobs took ${sizes.perBuild} bytes, the limit is ${mostPerBuild}`,
    sizes.ratio > 3 && `the file was ${sizes.ratio.toFixed(2)} times what lives`,
    longest.copying > most &&
      `a write took ${Math.round(longest.copying)} ms beside a copy, the limit is ${Math.round(most)}`,
  ]
  return { figures, failure: faults.find((fault) => fault !== false) }
}
