/**
 * `npm run bench [-- --only server,sdk,cli,mcp,start,cli/why] [--rounds N] [--json] [--write]`: measures
 * every ratio that the project claims, both sides in one run. Exits 0 if it could measure, even if
 * a target was missed: the table marks those. `--write` writes `docs/benchmarks.md`, or a page of
 * its own for a newer line of Node.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Benchmark, BenchmarkRow } from './measure.js'
import { machine, majorOf, met, page, table } from './report.js'

const areas: Readonly<Record<string, () => Promise<Readonly<Record<string, Benchmark>>>>> = {
  server: async () => (await import('./server.js')).benchmarks,
  sdk: async () => (await import('./sdk.js')).benchmarks,
  cli: async () => (await import('./cli.js')).benchmarks,
  mcp: async () => (await import('./mcp.js')).benchmarks,
  start: async () => (await import('./start.js')).benchmarks,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(areas).join(',') },
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const log = (line: string) => process.stderr.write(`${line}\n`)
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new TypeError(`--rounds takes a whole number from 1, not ${values.rounds}`)

const rows: BenchmarkRow[] = []
for (const word of values.only.split(',')) {
  const [area = '', only] = word.split('/')
  const load = areas[area]
  if (load === undefined)
    throw new TypeError(`no benchmarks called ${area}: ${Object.keys(areas).join(', ')}`)
  const benchmarks = await load()
  if (only !== undefined && !Object.hasOwn(benchmarks, only))
    throw new TypeError(`no ${area}/${only}: ${Object.keys(benchmarks).join(', ')}`)
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (only !== undefined && only !== name) continue
    log(`measuring ${area}: ${name}`)
    rows.push(...(await benchmark({ rounds, log })))
  }
}

const on = machine(new Date())
if (values.write) {
  const line = majorOf(on.node)
  const name = line === 20 ? 'benchmarks' : `benchmarks-node-${line}`
  const file = new URL(`../../docs/${name}.md`, import.meta.url)
  const old = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const wholeAreas = values.only.split(',').filter((word) => !word.includes('/'))
  writeFileSync(file, page(old, { rows, wholeAreas, on }))
}
if (values.json)
  console.log(
    JSON.stringify({ machine: on, rows: rows.map((row) => ({ ...row, met: met(row) })) }, null, 2),
  )
else console.log(`${table(rows, on)}\n${rows.filter(met).length} of ${rows.length} targets met`)
process.exit(0)
