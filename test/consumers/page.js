import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../../docs/consumers.md', import.meta.url)

const head = [
  '# Where the packages run',
  'Made by `npm run consumers -- --write`. Each row is a promise of the documentation. A run tries it with the packed packages, in',
  'an empty project, as a user installs them. `npm run runtimes` also tries the SDK alone on workerd and in Chromium.',
]

function versionOf({ tool }) {
  if (tool === undefined) return process.versions.node
  return JSON.parse(readFileSync(`${tool}/package.json`, 'utf8')).version
}

const header = ['what', 'version', 'result']

/** The lines of the table by their titles. */
function readLines() {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return new Map(cells.slice(2).map((line) => [line[0], line]))
}

/**
 * Writes the results of a run, `[row, error]` each, into the table. A row that the run left out
 * keeps its line.
 */
export function writePage(rows, results) {
  const before = readLines()
  const now = new Map(
    results.map(([row, error]) => [
      row.title,
      [row.title, versionOf(row), error === undefined ? 'works' : 'fails'],
    ]),
  )
  const lines = rows.map(
    ({ title }) => now.get(title) ?? before.get(title) ?? [title, '', 'not run yet'],
  )
  const widths = header.map((name, at) =>
    Math.max(name.length, ...lines.map((line) => line[at].length)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  const table = [header, rule, ...lines].map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |\n`,
  )
  const [title, ...words] = head
  writeFileSync(path, `${title}\n\n${words.join('\n')}\n\n${table.join('')}`)
}

/** The rows that the page does not show to work, as sentences. */
export function findStale(rows) {
  const lines = readLines()
  const titles = rows.map(({ title }) => title)
  const missing = titles.filter((title) => lines.get(title)?.[2] !== 'works')
  const extra = [...lines.keys()].filter((title) => !titles.includes(title))
  return [
    ...missing.map(
      (title) =>
        `docs/consumers.md does not say that "${title}" works: run npm run consumers -- --write`,
    ),
    ...extra.map((title) => `docs/consumers.md has "${title}", which is not a row`),
  ]
}
