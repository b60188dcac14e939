import type { Looks, Style } from './color.js'
import { blank, joined, type Printable, say } from './printable.js'
import { cells, shorten, trimmed } from './width.js'

/** One cell: its text as data, and a style that never carries the meaning alone. */
export interface Cell {
  readonly text: string
  readonly style?: Style | undefined
  /** Where the text leads, on terminals that show links. */
  readonly link?: string | null | undefined
}

/** A cell whose text may be shown. */
interface CleanCell extends Omit<Cell, 'text'> {
  readonly text: Printable
}

/** Makes a text a link, or leaves it alone. */
export type Link = (text: Printable, url: string | null | undefined) => Printable

/** One column of a table. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right' | undefined
  /** At most so many cells, unless the flexible column has plenty. */
  readonly max?: number | undefined
  /** Takes what the others leave; exactly one column of a table does. */
  readonly flexible?: boolean | undefined
  /** Columns with a number go, lowest first, while the flexible column is too narrow; and where no row has a value. */
  readonly drop?: number | undefined
}

const GAP = 2
const GAP_TEXT = say`  `
/** The flexible column keeps at least so many cells while another column can go. */
const FLEXIBLE_MIN = 24
/** With so many cells it has plenty. */
const FLEXIBLE_PLENTY = 64

/**
 * Lays a table out for `width` cells: columns as wide as their content, the flexible one takes the rest, columns are
 * dropped before it gets too narrow, text is shortened at its end and never wrapped.
 */
export function layoutTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  looks: Looks,
  link: Link = (text) => text,
): Printable[] {
  const clean = rows.map((row) => row.map((cell) => ({ ...cell, text: say`${cell.text}` })))
  const widest = columns.map((column, at) =>
    Math.max(cells(column.title), ...clean.map((row) => cells(row[at]?.text ?? ''))),
  )
  const natural = columns.map(({ max = Number.POSITIVE_INFINITY }, at) => Math.min(widest[at] ?? 0, max))
  const filled = columns.map(
    ({ drop }, at) => drop === undefined || clean.some((row) => cells(row[at]?.text ?? '') > 0),
  )
  const shown = chooseColumns(columns, natural, filled, width)
  const widths = spread(columns, roomier(columns, natural, widest, shown, width), shown, width)

  const line = (texts: readonly CleanCell[], style: Style | undefined) => {
    const parts = shown.map((at, position) => {
      const column = columns[at]
      const cell = texts[at] ?? { text: blank }
      const room = widths[position] ?? 0
      const short = shorten(cell.text, room, looks)
      const last = position === shown.length - 1
      const gap = say`${' '.repeat(Math.max(0, room - cells(short)))}`
      const linked = cell.link && cells(short) > 0 ? link(short, cell.link) : short
      const right = column?.align === 'right'
      const filled = right ? say`${gap}${linked}` : last ? linked : say`${linked}${gap}`
      return looks.paint(style ?? cell.style ?? 'plain', filled)
    })
    return trimmed(joined(parts, GAP_TEXT))
  }
  const titles = columns.map((column) => ({ text: say`${column.title}` }))
  return [line(titles, 'dim'), ...clean.map((row) => line(row, undefined))]
}

function chooseColumns(
  columns: readonly Column[],
  natural: readonly number[],
  filled: readonly boolean[],
  width: number,
): number[] {
  let shown = columns.map((_, at) => at).filter((at) => filled[at])
  const flexible = columns.findIndex((column) => column.flexible)
  const droppable = () =>
    shown
      .filter((at) => columns[at]?.drop !== undefined)
      .sort((a, b) => (columns[a]?.drop ?? 0) - (columns[b]?.drop ?? 0))[0]
  for (let victim = droppable(); victim !== undefined; victim = droppable()) {
    const others = shown.filter((at) => at !== flexible)
    const taken = others.reduce((sum, at) => sum + (natural[at] ?? 0) + GAP, 0)
    const wanted = flexible === -1 ? 0 : Math.min(natural[flexible] ?? 0, FLEXIBLE_MIN)
    if (width - taken >= wanted) break
    shown = shown.filter((at) => at !== victim)
  }
  return shown
}

/** Gives what the flexible column does not need to the columns that have more to show. */
function roomier(
  columns: readonly Column[],
  natural: readonly number[],
  widest: readonly number[],
  shown: readonly number[],
  width: number,
): number[] {
  const needs = (at: number) => Math.min(natural[at] ?? 0, columns[at]?.flexible ? FLEXIBLE_PLENTY : width)
  let room = width - shown.reduce((sum, at) => sum + needs(at) + GAP, -GAP)
  return natural.map((size, at) => {
    if (!shown.includes(at) || columns[at]?.flexible) return size
    const more = Math.max(Math.min((widest[at] ?? 0) - size, room), 0)
    room -= more
    return size + more
  })
}

function spread(
  columns: readonly Column[],
  natural: readonly number[],
  shown: readonly number[],
  width: number,
): number[] {
  const widths = shown.map((at) => natural[at] ?? 0)
  const excess = () => widths.reduce((sum, size) => sum + size, 0) + GAP * (shown.length - 1) - width
  const flexible = shown.findIndex((at) => columns[at]?.flexible)
  if (flexible !== -1 && excess() > 0) {
    widths[flexible] = Math.max((widths[flexible] ?? 0) - excess(), Math.min(widths[flexible] ?? 0, 4))
  }
  // Still too wide: take from the widest column until the line fits.
  while (excess() > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= 1) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}
