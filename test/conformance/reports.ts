import { groups } from '../../mock-server/src/base/groups.js'
import { junit as junitXml } from '../../mock-server/src/base/junit.js'
import type { Outcome, Result } from './run.js'
import { topicOf } from './sections.js'

const count = (results: readonly Result[], outcome: Outcome): number =>
  results.filter((result) => result.outcome === outcome).length

const bySection = (results: readonly Result[]): readonly (readonly [string, readonly Result[]])[] =>
  [...groups(results, ({ row }) => row.section)].toSorted(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )

const label = ({ row, target }: Result, targets: number): string =>
  `${row.id} (${row.level}, ${row.section}) ${row.title}${targets > 1 ? ` [${target}]` : ''}`

const targetsOf = (results: readonly Result[]): readonly string[] => [
  ...new Set(results.map(({ target }) => target)),
]

/** TAP 14: one test point per row and target. Rows that do not apply are SKIP with their reason. */
export function tap(results: readonly Result[]): string {
  const targets = targetsOf(results).length
  const escaped = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll('#', '\\#').replaceAll('\n', ' ')
  const points = results.map((result, at) => {
    const { outcome, reason = '' } = result
    const name = escaped(label(result, targets))
    if (outcome === 'not applicable')
      return `ok ${at + 1} - ${name} # SKIP not applicable: ${reason.replaceAll('\n', ' ')}`
    if (outcome === 'passed') return `ok ${at + 1} - ${name}`
    return `not ok ${at + 1} - ${name}\n  ---\n  message: ${JSON.stringify(reason)}\n  ...`
  })
  return `${['TAP version 14', `1..${results.length}`, ...points].join('\n')}\n`
}

/** JUnit XML: one suite per target and section. */
export function junit(results: readonly Result[]): string {
  const cases = (some: readonly Result[]) =>
    some.map(({ row, outcome, reason = '', durationMs }) => {
      const [message = ''] = reason.split('\n')
      const name = `${row.id} ${row.title}`
      const failure = outcome === 'failed' && {
        failure: { type: row.level, message, text: reason },
      }
      const skipped = outcome === 'not applicable' && { skipped: `not applicable: ${message}` }
      return { classname: row.section, name, durationMs, ...failure, ...skipped }
    })
  const suites = [...groups(results, ({ target }) => target)].flatMap(([target, own]) =>
    bySection(own).map(([section, some]) => ({
      name: `${target}: ${section}`,
      cases: cases(some),
    })),
  )
  return junitXml('conformance', suites)
}

/** All results as JSON. */
export const json = (results: readonly Result[]): string =>
  `${JSON.stringify(
    {
      summary: {
        passed: count(results, 'passed'),
        failed: count(results, 'failed'),
        notApplicable: count(results, 'not applicable'),
      },
      results: results.map(({ target, row, outcome, reason, durationMs }) => {
        const { id, section, level, title } = row
        return {
          target,
          id,
          section,
          level,
          title,
          outcome,
          reason,
          durationMs: Math.round(durationMs),
        }
      }),
    },
    null,
    2,
  )}\n`

/** A table by section, and a line per target. */
export function summary(results: readonly Result[]): string {
  const heads = ['section', 'topic', 'passed', 'failed', 'not applicable']
  const line = (section: string, topic: string, some: readonly Result[]) => [
    section,
    topic,
    ...(['passed', 'failed', 'not applicable'] as const).map((outcome) =>
      String(count(some, outcome)),
    ),
  ]
  const lines = bySection(results).map(([section, some]) =>
    line(section, topicOf(section) ?? '', some),
  )
  const table = [heads, ...lines, line('all', '', results)]
  const widths = heads.map((_, at) => Math.max(...table.map((cells) => (cells[at] ?? '').length)))
  const print = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
  const perTarget = [...groups(results, ({ target }) => target)].map(([target, some]) => {
    const applied = some.length - count(some, 'not applicable')
    const beside = applied < some.length ? `, ${some.length - applied} not applicable` : ''
    return `${target}: ${count(some, 'passed')} of ${applied} rows hold${beside}`
  })
  return `${[...table.map(print), '', ...perTarget].join('\n')}\n`
}

/** The details of a target: its failures, then the rows that were not applicable, with reasons. */
export function details(results: readonly Result[]): string {
  const targets = targetsOf(results).length
  const lines = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(
      (result) =>
        `failed: ${label(result, targets)}\n    ${(result.reason ?? '').replaceAll('\n', '\n    ')}`,
    )
  const skipped = groups(
    results.filter(({ outcome }) => outcome === 'not applicable'),
    ({ reason }) => reason ?? '',
  )
  for (const [reason, some] of skipped)
    lines.push(`not applicable: ${some.map(({ row }) => row.id).join(' ')}\n    ${reason}`)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
}
