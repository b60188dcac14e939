import { styleText } from 'node:util'
import { groups } from '../../control/prove/exam.js'
import type { Fault } from '../../control/prove/fault.js'
import type { Use } from '../../control/prove/uses.js'
import { evidenceOf, lineOf, type Recording, type Result, telling, type Verdict } from '../../control/prove/verdict.js'
import { escapeControls } from '../logger.js'

/** All that a proof brought. */
export interface Report {
  readonly command: readonly string[]
  /** What stands before a replay's `--only`: program and arguments of the server. */
  readonly program: readonly string[]
  readonly base: Recording
  readonly uses: readonly Use[]
  readonly results: readonly Result[]
  /** Faults that nothing of the command could meet. */
  readonly unused: readonly Fault[]
  /** Rows that were not run: budget or signal came before them. */
  readonly left: readonly string[]
  readonly durationMs: number
}

const count = ({ results }: Report, wanted: Verdict): number =>
  results.filter(({ verdict }) => verdict === wanted).length

export const isHarmed = (report: Report): boolean => count(report, 'harmed') > 0

/** A word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const replayOf = ({ program, command }: Report, { row }: Result): string =>
  [...program, '--only', row.id, '--', ...command].map(quoted).join(' ')

/** Everything, for programs. */
export const json = (report: Report): string => {
  const { command, base, uses, results, unused, left, durationMs } = report
  const rows = results.map((result) => {
    const { row, verdict, reason, evidence, run } = result
    return {
      id: row.id,
      fault: row.fault.id,
      target: row.use.target,
      title: row.fault.title,
      verdict,
      reason,
      cure: row.fault.cure,
      evidence: evidenceOf(evidence),
      exit: run?.how ?? null,
      output: verdict === 'harmed' && run?.exit !== 'green' ? (run?.output.slice(-2_000) ?? null) : null,
      durationMs: run?.durationMs ?? null,
      replay: replayOf(report, result),
    }
  })
  const summary = {
    survived: count(report, 'survived'),
    harmed: count(report, 'harmed'),
    notUsed: count(report, 'not used'),
  }
  const used = {
    exit: base.how,
    durationMs: base.durationMs,
    requests: base.seen.length,
    uses: uses.map(({ target }) => target),
  }
  const rest = unused.map(({ id, whom }) => ({ fault: id, whom }))
  return `${JSON.stringify({ command, base: used, summary, rows, unused: rest, left, durationMs }, null, 2)}\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** XML 1.0 has no way to write most control characters. */
const xml = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd').replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** JUnit XML: a suite with a case per row. */
export const junit = (report: Report): string => {
  const cases = report.results.map((result) => {
    const { row, verdict, reason, run } = result
    const head = `<testcase classname="${xml(row.fault.id)}" name="${xml(row.id)}" time="${(run?.durationMs ?? 0) / 1000}"`
    if (verdict === 'survived') return `    ${head}/>`
    const text = `${telling(result)}\nReplay: ${replayOf(report, result)}`
    const inner =
      verdict === 'harmed'
        ? `<failure message="${xml(reason ?? '')}">${xml(text)}</failure>`
        : `<skipped message="${xml(reason ?? '')}"/>`
    return `    ${head}>${inner}</testcase>`
  })
  const totals = `tests="${cases.length}" failures="${count(report, 'harmed')}" skipped="${count(report, 'not used')}"`
  const name = xml(report.command.join(' '))
  const suite = `  <testsuite name="${name}" ${totals} time="${report.durationMs / 1000}">\n${cases.join('\n')}\n  </testsuite>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="prove" ${totals}>\n${suite}\n</testsuites>\n`
}

type Paint = (style: 'red' | 'green' | 'dim' | 'bold', text: string) => string

/** Words in lines of this width, each after the first behind this margin. */
const wrapped = (words: readonly string[], margin: number, width: number): string => {
  const lines = ['']
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && margin + last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(margin)}`)
}

const signs = { survived: ['green', '✓'], harmed: ['red', '✗'], 'not used': ['dim', '·'] } as const

/** The rows by fault and verdict. */
const table = ({ results }: Report, paint: Paint, width: number): readonly string[] =>
  [...groups(results, ({ row, verdict }) => `${row.fault.id} ${verdict}`).values()].map((some) => {
    const [{ row, verdict } = { row: undefined, verdict: 'survived' as const }] = some
    const [style, sign] = signs[verdict]
    const targets = some.map((result, at) => `${result.row.use.target}${at < some.length - 1 ? ',' : ''}`)
    return `  ${paint(style, `${sign} ${(row?.fault.id ?? '').padEnd(13)}`)}  ${wrapped(targets, 19, width)}`
  })

/** Lines of a stack, and empty ones. */
const noise = /^\s*(?:$|at |\^+$|Node\.js v)/

const story = (report: Report, result: Result, paint: Paint, width: number): readonly string[] => {
  const { row, reason, evidence, run } = result
  const prose = (label: string, text: string) => `  ${label.padEnd(7)} ${wrapped(text.split(' '), 10, width)}`
  const printed = run === null || run.exit === 'green' ? [] : run.output.split('\n').filter((line) => !noise.test(line))
  return [
    `${paint('red', `✗ ${row.id}`)}  ${row.fault.title}`,
    prose('Harm', reason ?? ''),
    ...evidenceOf(evidence).map((line) => paint('dim', `          ${lineOf(line)}`)),
    ...printed.slice(-2).map((line) => paint('dim', `          │ ${escapeControls(line).slice(0, width - 12)}`)),
    prose('Cure', row.fault.cure),
    `  Replay  ${replayOf(report, result)}`,
    '',
  ]
}

/** For people. */
export const text = (report: Report, { color, width }: { readonly color: boolean; readonly width: number }): string => {
  const paint: Paint = (style, words) => (color ? styleText(style, words) : words)
  const { results, unused, left, durationMs } = report
  const harmed = results.filter(({ verdict }) => verdict === 'harmed')
  const without = [...groups(unused, ({ whom }) => whom)].map(
    ([whom, some]) => `${whom} (${some.map(({ id }) => id).join(', ')})`,
  )
  const parts = [
    harmed.length > 0 ? paint('red', `${harmed.length} harmed`) : paint('green', 'none harmed'),
    `${count(report, 'survived')} survived`,
    ...(count(report, 'not used') > 0 ? [`${count(report, 'not used')} not used`] : []),
    ...(left.length > 0 ? [`${left.length} not run`] : []),
  ]
  return [
    ...table(report, paint, width),
    ...(without.length > 0
      ? [paint('dim', `  · not used       ${wrapped(without.join('; ').split(' '), 19, width)}`)]
      : []),
    '',
    ...harmed.flatMap((result) => story(report, result, paint, width)),
    `${parts.join(', ')}; ${(durationMs / 1000).toFixed(1)} s`,
    '',
  ].join('\n')
}

/** The faults that there are. */
export const list = (faults: readonly Fault[], width: number): string =>
  faults
    .map(({ id, title, whom }) => `${id.padEnd(13)}  ${wrapped(`${title} [${whom}]`.split(' '), 15, width)}\n`)
    .join('')
