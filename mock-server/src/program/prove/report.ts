import { styleText } from 'node:util'
import { Help } from 'commander'
import { groups } from '../../base/groups.js'
import type { ClientFault } from '../../control/prove/faults.js'
import { lineOf, type Result, telling } from '../../control/prove/verdict.js'
import { junit as junitXml } from '../junit.js'
import { escapeControls } from '../logger.js'

/** All that a proof brought: what `--json` prints, and people and CI systems see parts of. */
export interface Report {
  readonly command: readonly string[]
  readonly base: {
    readonly exit: string
    readonly durationMs: number
    readonly requests: number
    readonly uses: readonly string[]
  }
  readonly summary: { readonly survived: number; readonly harmed: number; readonly notUsed: number }
  readonly rows: readonly Row[]
  /** Faults that nothing of the command could meet, and who would. */
  readonly unused: readonly { readonly fault: string; readonly whom: string }[]
  /** Rows that were not run: budget or signal came before them. */
  readonly left: readonly string[]
  readonly durationMs: number
}

interface Row extends Result {
  readonly replay: string
}

export function quoted(words: readonly string[]): string {
  return words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ')
}

/** JUnit XML: a suite with a case per row. */
export function junit({ command, rows }: Report): string {
  const cases = rows.map((row) => ({
    classname: row.fault,
    name: row.id,
    durationMs: row.durationMs ?? 0,
    ...(row.verdict === 'harmed' && {
      failure: { message: row.reason ?? '', text: `${telling(row)}\nReplay: ${row.replay}` },
    }),
    ...(row.verdict === 'not used' && { skipped: row.reason ?? '' }),
  }))
  return junitXml('prove', [{ name: command.join(' '), cases }])
}

type Paint = (style: 'red' | 'green' | 'dim', text: string) => string

/** A term and what is said of it, in lines of this width. */
function item(width: number, termWidth: number, term: string, text: string): string {
  const help = Object.assign(new Help(), { helpWidth: width })
  return help.formatItem(term, termWidth, text, help)
}

const signs = { survived: ['green', '✓'], harmed: ['red', '✗'], 'not used': ['dim', '·'] } as const

/** Lines of a stack, and empty ones. */
const noise = /^\s*(?:$|at |\^+$|Node\.js v)/

function story(row: Row, paint: Paint, width: number): readonly string[] {
  return [
    `${paint('red', `✗ ${row.id}`)}  ${row.title}`,
    item(width, 6, 'Harm', row.reason ?? ''),
    ...row.evidence.map((one) => paint('dim', `          ${lineOf(one)}`)),
    ...(row.output ?? '')
      .split('\n')
      .filter((line) => !noise.test(line))
      .slice(-2)
      .map((line) => paint('dim', `          │ ${escapeControls(line).slice(0, width - 12)}`)),
    item(width, 6, 'Cure', row.cure),
    `  Replay  ${row.replay}`,
    '',
  ]
}

export function text(
  report: Report,
  { color, width }: { readonly color: boolean; readonly width: number },
): string {
  const paint: Paint = (style, words) => (color ? styleText(style, words) : words)
  const { rows, unused, left, durationMs, summary } = report
  const table = [...groups(rows, ({ fault, verdict }) => `${fault} ${verdict}`).values()].map(
    (some) => {
      const [style, sign] = signs[some[0]?.verdict ?? 'survived']
      return item(
        width,
        15,
        paint(style, `${sign} ${some[0]?.fault}`),
        some.map(({ target }) => target).join(', '),
      )
    },
  )
  const without = [...groups(unused, ({ whom }) => whom)].map(
    ([whom, some]) => `${whom} (${some.map(({ fault }) => fault).join(', ')})`,
  )
  if (without.length > 0)
    table.push(paint('dim', item(width, 15, '· not used', without.join('; '))))
  const parts = [
    summary.harmed > 0 ? paint('red', `${summary.harmed} harmed`) : paint('green', 'none harmed'),
    `${summary.survived} survived`,
    ...(summary.notUsed > 0 ? [`${summary.notUsed} not used`] : []),
    ...(left.length > 0 ? [`${left.length} not run`] : []),
  ]
  const stories = rows
    .filter(({ verdict }) => verdict === 'harmed')
    .flatMap((row) => story(row, paint, width))
  return [
    ...table,
    '',
    ...stories,
    `${parts.join(', ')}; ${(durationMs / 1000).toFixed(1)} s\n`,
  ].join('\n')
}

export function list(faults: readonly ClientFault[], width: number): string {
  return faults
    .map(({ id, title, whom }) => `${item(width, 13, id, `${title} [${whom}]`)}\n`)
    .join('')
}
