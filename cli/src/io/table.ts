import type { Looks, Style } from './color.js'
import { blank, joined, type Printable, say } from './printable.js'
import { cells, shorten, trimmed } from './width.js'

/** One cell: its text, and a style that adds no meaning to it. */
export interface TableCell {
  readonly text: string
  readonly style?: Style | undefined
  /** The URL of the text, on terminals that show links. */
  readonly link?: string | null | undefined
}

type CleanCell = Omit<TableCell, 'text'> & { readonly text: Printable }

export type LinkMaker = (text: Printable, url: string | null | undefined) => Printable

export interface TableColumn {
  /** If no column has a title, the table has no title line. */
  readonly title?: string
  readonly align?: 'left' | 'right' | undefined
  /** At most this many cells, unless the flexible column leaves some over. */
  readonly max?: number | undefined
  /** Takes the width that the others leave; at most one column of a table is flexible. */
  readonly flexible?: boolean | undefined
  /** The flexible column keeps at least this width (24) while another column can be dropped. */
  readonly min?: number | undefined
  /**
   * Columns with a number are dropped, lowest first, while the flexible column is too narrow. They
   * are also dropped if no row has a value.
   */
  readonly drop?: number | undefined
}

const GAP = 2
const GAP_TEXT = say`  `
const FLEXIBLE_MIN = 24
/** The flexible column needs no more than this; the other columns share the rest. */
const FLEXIBLE_PLENTY = 64

/**
 * Lays out a table for `width` cells. Columns are as wide as their content and the flexible one
 * takes the rest. Columns are dropped before it gets too narrow. Text is shortened, never wrapped.
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
    const most = Math.max(0, ...texts.map(({ text }) => cells(text, width)))
    const widest = Math.max(most, cells(column.title ?? ''))
    const natural = Math.min(widest, column.max ?? widest)
    return { ...column, texts, isEmpty: most === 0, widest, natural, size: natural }
  })
  const shown = shownColumns(all, width)
  widen(shown, width)
  narrow(shown, width)

  const line = (cellOf: (column: MeasuredColumn) => CleanCell | undefined) => {
    const row = shown.map((column) => ({ column, cell: cellOf(column) ?? { text: blank } }))
    const last = row.findLastIndex(({ cell }) => cells(cell.text, 0) > 0)
    const parts = row.slice(0, last + 1).map(({ column, cell }, position) => {
      const short = shorten(cell.text, column.size, looks)
      const gap = say`${' '.repeat(Math.max(0, column.size - cells(short)))}`
      const linked = cell.link && cells(short) > 0 ? link(short, cell.link) : short
      // The last cell of a line needs no blanks after it.
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

/** A column with its cells and its width. */
interface MeasuredColumn extends TableColumn {
  readonly texts: readonly CleanCell[]
  readonly isEmpty: boolean
  readonly widest: number
  readonly natural: number
  size: number
}

/** The width of several columns and the gaps between them. */
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

/** Gives the width that the flexible column does not need to columns with longer texts. */
function widen(shown: readonly MeasuredColumn[], width: number): void {
  const needed = total(shown, ({ flexible, natural }) =>
    Math.min(natural, flexible ? FLEXIBLE_PLENTY : width),
  )
  let spare = width - needed
  for (const column of shown) {
    if (column.flexible) continue
    const more = Math.max(Math.min(column.widest - column.natural, spare), 0)
    spare -= more
    column.size += more
  }
}

/** Narrows the flexible column, then the widest ones, until the line fits. */
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
