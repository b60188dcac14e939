import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { BenchmarkRow } from './measure.js'

export const met = ({ ratio, target }: BenchmarkRow): boolean =>
  'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost

const figure = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value >= 10
      ? value.toFixed(1)
      : value.toFixed(2)

const targetText = ({ target }: BenchmarkRow): string =>
  'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`

/**
 * The tick is the target. Each step to the right doubles it and each step to the left halves it,
 * with four cells a step.
 */
function bar({ ratio, target }: Pick<BenchmarkRow, 'ratio' | 'target'>): string {
  const times = 'atLeast' in target ? ratio / target.atLeast : target.atMost / ratio
  const length = Math.round(8 + 4 * Math.log2(times))
  const filled = times < 1 ? Math.max(1, Math.min(7, length)) : Math.min(16, length)
  const cells = '█'.repeat(filled).padEnd(16, '░')
  return `\`${cells.slice(0, 8)}│${cells.slice(8)}\``
}

/** The cells of a row; `measured` is the date of its run. */
const cells = (row: BenchmarkRow, measured: string): readonly string[] => [
  row.area,
  row.what,
  `${figure(row.ours)} ${row.unit}`,
  row.theirs === null ? '' : `${figure(row.theirs)} ${row.unit}`,
  row.against,
  figure(row.ratio),
  targetText(row),
  bar(row),
  met(row) ? 'met' : 'missed',
  measured,
]

const head = [
  'area',
  'what',
  'ours',
  'theirs',
  'against',
  'ratio',
  'target',
  'ratio to target',
  '',
  'measured',
]

type Cells = readonly string[]

/** A Markdown table that is also readable on a terminal. */
function tableOf(rows: readonly Cells[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  const line = (parts: readonly string[]) =>
    `| ${parts.map((part, column) => part.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...lines.slice(1)].map(line).join('\n')
}

export function table(rows: readonly BenchmarkRow[], on: Machine): string {
  return tableOf(rows.map((row) => cells(row, on.date)))
}

/** The rows of a page that a run of some areas or benchmarks did not measure again. */
function notMeasured(old: string, rows: readonly BenchmarkRow[], wholeAreas: readonly string[]) {
  const isMeasured = ([area = '', what, , , against]: Cells): boolean =>
    wholeAreas.includes(area) ||
    rows.some((row) => row.area === area && row.what === what && row.against === against)
  return old
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').slice(1, -1))
    .map((line) => line.map((cell) => cell.trim()))
    .filter((line) => !isMeasured(line))
}

/** Read from the file of the package, since not every package exports its package.json. */
const version = (name: string): string => {
  for (const folder of ['./rivals/', '../../']) {
    const file = new URL(`${folder}node_modules/${name}/package.json`, import.meta.url)
    if (existsSync(file))
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  }
  return 'absent'
}

const compared =
  'undici hono jose @oclif/core @octokit/request @octokit/auth-app openapi-fetch ky google-auth-library @azure/msal-node json-server @stoplight/prism-cli'.split(
    ' ',
  )

export interface Machine {
  readonly date: string
  readonly node: string
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly versions: Readonly<Record<string, string>>
}

export const machine = (now: Date): Machine => ({
  date: now.toISOString().slice(0, 10),
  node: process.version,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  versions: Object.fromEntries(compared.flatMap((name) => [[name, version(name)]])),
})

export interface Measured {
  readonly rows: readonly BenchmarkRow[]
  /** The areas of which every benchmark was measured. */
  readonly wholeAreas: readonly string[]
  readonly on: Machine
}

/** The 20 of v20.19.0. */
export function majorOf(version: string): number {
  return Number(version.slice(1).split('.')[0])
}

/**
 * The page of the figures, with the machine and versions of the last run. Rows of the old page that
 * were not measured again are kept.
 */
export const page = (
  old: string,
  { rows, wholeAreas, on }: Measured,
): string => `# Benchmarks on Node ${majorOf(on.node)}

Made by \`npm run bench -- --write\`. Both sides of a row ran in the same process on the same machine, in interleaved
rounds; the median counts. A ratio above 1 means that ours does more in the same time, but for rows whose target is an
upper limit: there it is our figure over theirs. Trust the ratios, not the absolute figures: the machine was shared.
A bar that reaches the line in its middle meets the target; four cells more are twice as good, four less half as good.
A row of an earlier date was measured with the code of that date.

- ${on.date}, Node ${on.node}, ${on.cores} × ${on.processor}, ${on.memoryGiB} GiB
- ${Object.entries(on.versions)
  .map(([name, text]) => `${name} ${text}`)
  .join(', ')}

${tableOf([...rows.map((row) => cells(row, on.date)), ...notMeasured(old, rows, wholeAreas)])}
`
