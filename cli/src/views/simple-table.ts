import { blank, type Printable, say } from '../io/printable.js'
import { type Cell, layoutTable } from '../io/table.js'
import { layoutFacts } from './facts.js'
import type { TsvColumn, View } from './view.js'

/** Names of columns that are too long for a label. */
const LABELS: Readonly<Record<string, string>> = { repository: 'repo', default_branch: 'branch' }

/** The page of a record, where it has one. */
function pageOf(record: object): string | null {
  return 'web_url' in record && typeof record.web_url === 'string' ? record.web_url : null
}

/** A table of a kind's columns; the URL is a link on the first column and is shown when there is room for it. */
export function simpleTable<T extends object>(
  records: readonly T[],
  columns: readonly TsvColumn<T>[],
  flexible: string,
  view: View,
): readonly Printable[] {
  if (view.looks.plain) {
    return records.flatMap((record, at) => [...(at === 0 ? [] : [blank]), ...labelled(record, columns)])
  }
  const rows = records.map((record) =>
    columns.map((column, at): Cell => ({ text: text(column.value(record)), link: at === 0 ? pageOf(record) : null })),
  )
  // Right-most columns go first: they say the least.
  const layout = columns.map((column, at) => ({
    title: column.name.replace('_', ' ').toUpperCase(),
    flexible: column.name === flexible,
    drop: at === 0 || column.name === flexible ? undefined : columns.length - at,
  }))
  return layoutTable(layout, rows, view.width, view.looks, view.link)
}

/** One record as a page of labelled values. */
export function simplePage<T extends object>(
  record: T,
  columns: readonly TsvColumn<T>[],
  title: string,
  view: View,
): readonly Printable[] {
  if (view.looks.plain) return labelled(record, columns)
  const facts = columns.map(({ name, value }) => ({
    label: LABELS[name] ?? name.replace('_', ' '),
    value: text(value(record)),
    url: name === 'web_url' ? pageOf(record) : null,
  }))
  return [view.looks.paint('bold', say`${title}`), blank, ...facts.flatMap((fact) => layoutFacts([fact], view))]
}

function labelled<T>(record: T, columns: readonly TsvColumn<T>[]): Printable[] {
  return columns.flatMap(({ name, value }) => {
    const shown = text(value(record))
    return shown === '' ? [] : [say`${name.replace('_', ' ')}: ${shown}`]
  })
}

function text(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
