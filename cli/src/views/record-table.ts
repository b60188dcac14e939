import { blank, type Printable, say } from '../io/printable.js'
import { layoutTable } from '../io/table.js'
import { layoutFacts } from './facts.js'
import type { RecordColumn, TsvColumn, View } from './view.js'

/** Records as a table, or for screen readers as `label: value` lines. */
export function recordTable<T>(
  records: readonly T[],
  columns: readonly RecordColumn<T>[],
  view: View,
): readonly Printable[] {
  const rows = records.map((record) => columns.map(({ cell }) => cell(record, view)))
  if (!view.looks.plain) return layoutTable(columns, rows, view.width, view.looks, view.link)
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [blank]),
    ...columns.flatMap(({ title }, column) => {
      const text = row[column]?.text ?? ''
      return text === '' ? [] : [say`${title.toLowerCase()}: ${text}`]
    }),
  ])
}

/** The columns of tab-separated lines for people: the right-most go first, for they say the least; the URL is a link. */
export function plainColumns<T extends object>(
  columns: readonly TsvColumn<T>[],
  flexible: string,
): readonly RecordColumn<T>[] {
  return columns.map(({ name, value }, at) => ({
    title: name.replace('_', ' ').toUpperCase(),
    flexible: name === flexible,
    drop: at === 0 || name === flexible ? undefined : columns.length - at,
    cell: (record) => ({ text: text(value(record)), link: at === 0 ? pageOf(record) : null }),
  }))
}

/** Names of columns that are too long for a label. */
const LABELS: Readonly<Record<string, string>> = { repository: 'repo', default_branch: 'branch' }

export function recordPage<T extends object>(
  record: T,
  columns: readonly TsvColumn<T>[],
  title: string,
  view: View,
): readonly Printable[] {
  const facts = columns.map(({ name, value }) => ({
    label: LABELS[name] ?? name.replace('_', ' '),
    value: text(value(record)),
    url: name === 'web_url' ? pageOf(record) : null,
  }))
  const head = view.looks.plain ? [] : [view.looks.paint('bold', title), blank]
  return [...head, ...layoutFacts(facts, view, 1)]
}

function pageOf(record: object): string | null {
  return 'web_url' in record && typeof record.web_url === 'string' ? record.web_url : null
}

function text(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
