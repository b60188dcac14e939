import { styleText } from 'node:util'
import { Help } from 'commander'
import { escapeControls } from '../../base/escape-controls.js'
import { groups } from '../../base/groups.js'
import { junit as junitXml } from '../../base/junit.js'
import type { Fault } from './fault.js'
import { type Evidence, lineOf, type Result, type ShownFinding, storyOf } from './verdict.js'

/** All that a proof brought: what `--json` prints, and people and CI systems see parts of. */
export interface Report {
  readonly command: readonly string[]
  /** Why nothing could be proven; null where something was. */
  readonly complaint: string | null
  readonly base: {
    readonly exit: string
    readonly durationMs: number
    readonly requests: number
    readonly uses: readonly string[]
  }
  readonly summary: { readonly survived: number; readonly harmed: number; readonly notUsed: number }
  readonly rows: readonly ReportedRow[]
  /** Faults that nothing of the command could meet, and what would meet them. */
  readonly unused: readonly { readonly fault: string; readonly whom: string }[]
  /** Rows that were not run: budget or signal came before them. */
  readonly left: readonly string[]
  readonly durationMs: number
}

interface ReportedRow extends Result {
  readonly replay: string
}

export function quoted(words: readonly string[]): string {
  return words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ')
}

/** JUnit XML: a suite with a case per row, and one for a command that cannot be proven. */
export function junit({ command, complaint, rows, left }: Report): string {
  const cases = rows.map((row) => ({
    classname: row.fault,
    name: row.id,
    durationMs: row.durationMs ?? 0,
    ...(row.verdict === 'harmed' && {
      failure: { message: row.reason ?? '', text: `${storyOf(row)}\nReplay: ${row.replay}` },
    }),
    ...(row.verdict === 'not used' && { skipped: row.reason ?? '' }),
  }))
  const failed = complaint === null ? [] : [{ failure: { message: complaint, text: complaint } }]
  const refusals = failed.map((facts) =>
    Object.assign({ classname: 'plain', name: 'can be proven', durationMs: 0 }, facts),
  )
  const skipped = left.map((name) => ({
    classname: name.split('/')[0] ?? name,
    name,
    durationMs: 0,
    skipped: 'not run',
  }))
  return junitXml('prove', [
    { name: command.join(' '), cases: [...refusals, ...cases, ...skipped] },
  ])
}

interface Look {
  readonly color: boolean
  readonly width: number
}

type Paint = (style: 'red' | 'green' | 'yellow' | 'dim', text: string) => string

/** A term and what is said of it, in lines of this width. */
function item(width: number, termWidth: number, term: string, text: string): string {
  const help = Object.assign(new Help(), { helpWidth: width })
  return help.formatItem(term, termWidth, text, help)
}

const signs = { survived: ['green', '✓'], harmed: ['red', '✗'], 'not used': ['dim', '·'] } as const

/** One line for a fault; of the targets that the command survived by failing, it says so. */
function tableLine(rows: readonly Result[], paint: Paint, width: number): string {
  const [first] = rows
  const [style, sign] = signs[first?.verdict ?? 'survived']
  const nameOf = ({ id, target, verdict, reason }: Result) => {
    const name = target === null ? id : id.slice(id.indexOf('/') + 1)
    return verdict === 'not used' ? `${name} (${reason})` : name
  }
  const failed = rows.filter(({ verdict, passed }) => verdict === 'survived' && !passed)
  const others = rows.filter((row) => !failed.includes(row))
  const parts = [
    others.map(nameOf).join(', '),
    failed.length > 0 ? `failed and said so: ${failed.map(nameOf).join(', ')}` : '',
  ]
  const text = parts.filter((part) => part !== '').join('; ')
  return item(width, 18, paint(style, `${sign} ${first?.fault}`), text)
}

function evidenceLines(evidence: readonly Evidence[], paint: Paint): readonly string[] {
  return evidence.map((one) => paint('dim', `          ${lineOf(one)}`))
}

/** Lines of a stack, and empty ones. */
const noise = /^\s*(?:$|at |\^+$|Node\.js v|File ".*line \d)/
const telling = /error|fail|refus|exception|panic|denied|invalid|timed? ?out|\b[45]\d\d\b/i
const shownLines = 3

/** The lines of an output that say what went wrong; the last ones where no line does. */
function tellingLines(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => !noise.test(line))
  const some = lines.filter((line) => telling.test(line))
  return (some.length > 0 ? some : lines).slice(-shownLines)
}

function alike(sentence: string | null): string {
  return (sentence ?? '').replace(/\d[\d.]*/g, '#')
}

function also(rows: readonly Result[], width: number): readonly string[] {
  const ids = rows.slice(1).map(({ id }) => id)
  return ids.length === 0 ? [] : [item(width, 6, 'Also', ids.join(', '))]
}

/** The same mistake in several rows is one story: with the evidence of the first. */
function story(rows: readonly ReportedRow[], paint: Paint, width: number): readonly string[] {
  const [row] = rows
  if (row === undefined) return []
  const isFailure = !row.passed && row.output !== null
  const output = isFailure ? tellingLines(row.output ?? '') : []
  return [
    `${paint('red', `✗ ${row.id}`)}  ${row.title}`,
    item(width, 6, 'Harm', row.reason ?? ''),
    ...evidenceLines(row.evidence, paint),
    ...output.map((line) =>
      paint('dim', `          │ ${escapeControls(line).slice(0, width - 12)}`),
    ),
    ...(row.cure === null ? [] : [item(width, 6, 'Cure', row.cure)]),
    ...also(rows, width),
    ...(row.replay === '' ? [] : [`  Replay  ${row.replay}`]),
    '',
  ]
}

interface RowNote extends ShownFinding {
  readonly row: Result
}

function noteLines(rows: readonly Result[], paint: Paint, width: number): readonly string[] {
  const all = rows.flatMap((row) => row.notes.map((one): RowNote => Object.assign({ row }, one)))
  return [...groups(all, ({ sentence }) => alike(sentence)).values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    return [
      `${paint('yellow', `! ${first.row.id}`)}  ${first.row.title}`,
      item(width, 6, 'Note', first.sentence),
      ...evidenceLines(first.evidence, paint),
      ...also(
        some.map(({ row }) => row),
        width,
      ),
      '',
    ]
  })
}

export function text(report: Report, { color, width }: Look): string {
  const paint: Paint = (style, words) => (color ? styleText(style, words) : words)
  const { rows, unused, left, durationMs, summary } = report
  const table = [...groups(rows, ({ fault, verdict }) => `${fault} ${verdict}`).values()].map(
    (some) => tableLine(some, paint, width),
  )
  const without = [...groups(unused, ({ whom }) => whom)].map(
    ([whom, some]) => `${whom} (${some.map(({ fault }) => fault).join(', ')})`,
  )
  if (without.length > 0)
    table.push(paint('dim', item(width, 18, '· not used', without.join('; '))))
  const notes = new Set(rows.flatMap((row) => row.notes.map(({ sentence }) => alike(sentence))))
  const parts = [
    summary.harmed > 0 ? paint('red', `${summary.harmed} harmed`) : paint('green', 'none harmed'),
    `${summary.survived} survived`,
    ...(summary.notUsed > 0 ? [`${summary.notUsed} not used`] : []),
    ...(left.length > 0 ? [`${left.length} not run`] : []),
    ...(notes.size > 0 ? [`${notes.size} noted`] : []),
  ]
  const harmed = rows.filter(({ verdict }) => verdict === 'harmed')
  const stories = [...groups(harmed, ({ fault, reason }) => `${fault} ${alike(reason)}`).values()]
  return [
    ...table,
    '',
    ...stories.flatMap((some) => story(some, paint, width)),
    ...noteLines(rows, paint, width),
    `${parts.join(', ')}; ${(durationMs / 1000).toFixed(1)} s\n`,
  ].join('\n')
}

export function list(faults: readonly Fault[], width: number): string {
  return faults
    .map(({ id, title, whom }) => `${item(width, 16, id, `${title} [${whom}]`)}\n`)
    .join('')
}
