import type { Looks } from '../io/color.js'
import type { OutputStream } from '../io/io.js'
import { joined, type Printable, say } from '../io/printable.js'
import { cells, hanging, pad, shorten, trimmed } from '../io/width.js'
import type { ViewOptions } from './view.js'

/** A value with a label; left out if there is no value. */
export interface LabelledValue {
  readonly label: string
  readonly value: string | null | undefined
  readonly url?: string | null | undefined
}

const INDENT = 2
const LABEL = 10
const GAP = 3
/** Wider columns are hard to read across. */
const COLUMN_MAX = 40

/** How many columns of facts fit into a width. */
export function factColumns(width: number): 1 | 2 | 3 {
  if (width >= 90) return 3
  return width >= 56 ? 2 : 1
}

/** Lays out facts in columns, row by row; for screen readers one `label: value` a line. */
export function layoutFacts(
  facts: readonly LabelledValue[],
  view: ViewOptions,
  columns: number = factColumns(view.width),
): Printable[] {
  const shown = facts.flatMap(({ label, value, url }) =>
    value ? [{ label, value: say`${value}`, url }] : [],
  )
  if (view.looks.plain) return shown.map(({ label, value }) => say`${label}: ${value}`)
  const rows: (typeof shown)[] = []
  for (let at = 0; at < shown.length; at += columns) rows.push(shown.slice(at, at + columns))
  const equal = Math.min(Math.floor((view.width - INDENT) / columns), COLUMN_MAX)
  const widths = Array.from({ length: columns }, (_, column) => {
    const natural = Math.max(0, ...rows.map((row) => cells(row[column]?.value ?? '', view.width)))
    return Math.max(equal, Math.min(LABEL + natural + GAP, Math.floor(view.width / 2) + GAP))
  })
  return rows.map((row) => {
    let used = INDENT
    const parts = row.map(({ label, value, url }, column) => {
      const width = widths[column] ?? equal
      const last = column === row.length - 1
      const room = last ? view.width - used - LABEL : width - LABEL - GAP
      const short = shorten(value, Math.max(room, 1), view.looks)
      used += width
      const filler = last ? '' : ' '.repeat(Math.max(0, width - LABEL - cells(short)))
      return say`${view.looks.paint('dim', pad(label, LABEL))}${view.link(short, url)}${filler}`
    })
    return trimmed(say`${' '.repeat(INDENT)}${joined(parts)}`)
  })
}

export interface NextStep {
  readonly about: Printable
  readonly command: Printable
}

/** Steps as lines of a page. A command that does not fit after its text gets its own line. */
export function stepLines(
  steps: readonly NextStep[],
  { width, looks }: Pick<ViewOptions, 'width' | 'looks'>,
): Printable[] {
  return steps.flatMap(({ about, command }) => {
    const painted = looks.paint('cyan', command)
    const fits = cells(say`  ${about}: ${command}`) <= width
    return fits ? [say`  ${about}: ${painted}`] : [say`  ${about}:`, say`  ${painted}`]
  })
}

/** A value of any length: broken on a terminal, `label: value` for screen readers. */
export function labelled(
  looks: Looks,
  stdout: OutputStream,
  label: string,
  value: string,
  width = 9,
): Printable[] {
  const text = say`${value}`
  if (looks.plain) return [say`${label}: ${text}`]
  const name = say`${' '.repeat(INDENT)}${looks.paint('dim', pad(label, width))} `
  return stdout.isTTY
    ? hanging(name, INDENT + width + 1, text, stdout.columns)
    : [say`${name}${text}`]
}
