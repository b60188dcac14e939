/**
 * `npm run corpus`: prints how often the summary of a failed build shows the line that a person
 * wants to see, for each half of the corpus, at each size, beside the last 60 lines of the raw log.
 * The names of the cases that it misses follow. `-- --only NAME` prints the excerpt of one case.
 */
import { parseArgs } from 'node:util'
import { summarizeFailure } from '@buildwire/sdk'
import { halves } from './logs/index.js'
import { corpusServer, measure, measures, shareOf } from './score.js'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
if (values.only === undefined) await printScores()
else await printCase(values.only)

async function printScores(): Promise<void> {
  for (const [half, cases] of Object.entries(halves)) {
    const tools = new Set(cases.map(({ tool }) => tool)).size
    console.log(`${half}: ${cases.length} logs of ${tools} tools and situations`)
    const misses = await measure(cases)
    for (const name of measures) {
      const percent = (100 * shareOf(misses[name], cases)).toFixed(1)
      const missed = name === 'raw last 60 lines' ? '' : misses[name].join(', ')
      console.log(`  ${name.padEnd(18)} ${percent.padStart(5)} %  ${missed}`.trimEnd())
    }
  }
}

async function printCase(name: string): Promise<void> {
  const found = Object.values(halves)
    .flat()
    .find((each) => each.name === name)
  if (found === undefined) throw new TypeError(`no case called ${name}`)
  const { ci, close } = await corpusServer([found])
  const path = { org_slug: 'acme', pipeline_slug: 'web', number: 1 }
  for (const maxBytes of [32_768, 2_000]) {
    const summary = await summarizeFailure(ci, path, { maxBytes })
    console.log(`== ${maxBytes} bytes, wanted: ${found.wanted}`)
    console.log(summary.problems[0]?.log?.lines.join('\n'))
  }
  await close()
}
