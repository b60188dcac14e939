import type { Looks, Style } from './color.js'
import { blank, joined, type Printable, say } from './printable.js'
import { cells, shorten, trimmed } from './width.js'

/** One cell: its text as data, and a style that never carries the meaning alone. */
export interface TableCell {
  readonly text: string
  readonly style?: Style | undefined
  /** Where the text leads, on terminals that show links. */
  readonly link?: string | null | undefined
}

type CleanCell = Omit<TableCell, 'text'> & { readonly text: Printable }

export type LinkMaker = (text: Printable, url: string | null | undefined) => Printable

export interface TableColumn {
  /** Where no column has one, there is no line of them. */
  readonly title?: string
  readonly align?: 'left' | 'right' | undefined
  /** At most so many cells, unless the flexible column has plenty. */
  readonly max?: number | undefined
  /** Takes what the others leave; at most one column of a table does. */
  readonly flexible?: boolean | undefined
  /** The flexible column keeps at least so many cells (24) while a column can go. */
  readonly min?: number | undefined
  /**
   * Columns with a number go, lowest first, while the flexible column is too narrow; and where no
   * row has a value.
   */
  readonly drop?: number | undefined
}

const GAP = 2
const GAP_TEXT = say`  `
const FLEXIBLE_MIN = 24
/** With so many cells it has plenty. */
const FLEXIBLE_PLENTY = 64

/**
 * Lays a table out for `width` cells: columns as wide as their content, the flexible one takes the
 * rest, columns are dropped before it gets too narrow, text is shortened at its end and never
 * wrapped.
 */
export function layoutTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  width: number,
  looks: Pick<Looks, 'ascii' | 'paint'>,
  link: LinkMaker = (text) => text,
): Printable[] {
  const all = columns.map((column, at): MeasuredColumn => {
    const texts = rows.map((row) => ({ ...row[at], text: say`${row[at]?.text ?? ''}` }))
    const most = Math.max(0, ...texts.map(({ text }) => cells(text)))
    const widest = Math.max(most, cells(column.title ?? ''))
    const natural = Math.min(widest, column.max ?? widest)
    return { ...column, texts, isEmpty: most === 0, widest, natural, size: natural }
  })
  const shown = shownColumns(all, width)
  widen(shown, width)
  narrow(shown, width)

  const line = (cellOf: (column: MeasuredColumn) => CleanCell | undefined) => {
    const row = shown.map((column) => ({ column, cell: cellOf(column) ?? { text: blank } }))
    const last = row.findLastIndex(({ cell }) => cells(cell.text) > 0)
    const parts = row.slice(0, last + 1).map(({ column, cell }, position) => {
      const short = shorten(cell.text, column.size, looks)
      const gap = say`${' '.repeat(Math.max(0, column.size - cells(short)))}`
      const linked = cell.link && cells(short) > 0 ? link(short, cell.link) : short
      // What ends a line needs no blanks behind it.
      const padded = position === last ? linked : say`${linked}${gap}`
      return looks.paint(
        cell.style ?? 'plain',
        column.align === 'right' ? say`${gap}${linked}` : padded,
      )
    })
    return trimmed(joined(parts, GAP_TEXT))
  }
  const isTitled = columns.some(({ title }) => title !== undefined)
  const titles = isTitled ? [line(({ title = '' }) => ({ text: say`${title}`, style: 'dim' }))] : []
  return [...titles, ...rows.map((_, row) => line(({ texts }) => texts[row]))]
}

/** A column with its cells, and how wide it gets. */
interface MeasuredColumn extends TableColumn {
  readonly texts: readonly CleanCell[]
  readonly isEmpty: boolean
  readonly widest: number
  readonly natural: number
  size: number
}

/** The cells of columns beside each other. */
function total(shown: readonly MeasuredColumn[], size: (column: MeasuredColumn) => number) {
  return shown.reduce((sum, column) => sum + size(column) + GAP, -GAP)
}

function shownColumns(all: readonly MeasuredColumn[], width: number): readonly MeasuredColumn[] {
  let shown = all.filter(({ drop, isEmpty }) => drop === undefined || !isEmpty)
  const least = ({ flexible, natural, min = FLEXIBLE_MIN }: MeasuredColumn) =>
    flexible ? Math.min(natural, min) : natural
  while (total(shown, least) > width) {
    const [victim] = shown
      .filter(({ drop }) => drop !== undefined)
      .sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0))
    if (victim === undefined) break
    shown = shown.filter((column) => column !== victim)
  }
  return shown
}

/** Gives what the flexible column does not need to the columns that have more to show. */
function widen(shown: readonly MeasuredColumn[], width: number): void {
  let room =
    width -
    total(shown, ({ flexible, natural }) => Math.min(natural, flexible ? FLEXIBLE_PLENTY : width))
  for (const column of shown) {
    if (column.flexible) continue
    const more = Math.max(Math.min(column.widest - column.natural, room), 0)
    room -= more
    column.size += more
  }
}

/**
 * Takes what is too much from the flexible column, then from the widest one until the line fits.
 */
function narrow(shown: readonly MeasuredColumn[], width: number): void {
  const excess = () => total(shown, ({ size }) => size) - width
  const flexible = shown.find((column) => column.flexible)
  if (flexible !== undefined && excess() > 0) {
    flexible.size = Math.max(flexible.size - excess(), Math.min(flexible.size, 4))
  }
  while (excess() > 0) {
    const [widest] = [...shown].sort((a, b) => b.size - a.size)
    if (widest === undefined || widest.size <= 1) break
    widest.size -= 1
  }
}
