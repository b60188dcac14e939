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

const cells = (row: BenchmarkRow): readonly string[] => [
  row.area,
  row.what,
  `${figure(row.ours)} ${row.unit}`,
  row.theirs === null ? '' : `${figure(row.theirs)} ${row.unit}`,
  row.against,
  figure(row.ratio),
  targetText(row),
  bar(row),
  met(row) ? 'met' : 'missed',
]

const head = ['area', 'what', 'ours', 'theirs', 'against', 'ratio', 'target', 'ratio to target', '']

/** A Markdown table that is also readable on a terminal. */
export function table(rows: readonly BenchmarkRow[]): string {
  const lines = [head, ...rows.map(cells)]
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  const line = (parts: readonly string[]) =>
    `| ${parts.map((part, column) => part.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...lines.slice(1)].map(line).join('\n')
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

/** `docs/benchmarks.md`: the figures, with the machine and versions that they were measured on. */
export const page = (rows: readonly BenchmarkRow[], on: Machine): string => `# Benchmarks

Made by \`npm run bench -- --write\`. Both sides of a row ran in the same process on the same machine, in interleaved
rounds; the median counts. A ratio above 1 means that ours does more in the same time, but for rows whose target is an
upper limit: there it is our figure over theirs. Trust the ratios, not the absolute figures: the machine was shared.
A bar that reaches the line in its middle meets the target; four cells more are twice as good, four less half as good.

- ${on.date}, Node ${on.node}, ${on.cores} × ${on.processor}, ${on.memoryGiB} GiB
- ${Object.entries(on.versions)
  .map(([name, text]) => `${name} ${text}`)
  .join(', ')}

${table(rows)}
`
