import { parseTimestamp } from '@buildwire/sdk'
import { emojify } from '../io/emoji.js'
import { blank, type Printable, say } from '../io/printable.js'
import { layoutTable, type TableCell, type TableColumn } from '../io/table.js'
import { age } from '../io/time.js'
import { shorten } from '../io/width.js'
import { markOf, stateText } from '../views/marks.js'
import type { ViewOptions } from '../views/view.js'
import type { StatusGroup, StatusRecord } from './status-record.js'

const TITLES: Readonly<Record<StatusGroup, string>> = {
  yours: 'Your builds',
  default_branch: 'Default branches',
}
const COLUMNS: readonly TableColumn[] = [
  {},
  {},
  { flexible: true },
  { max: 20, drop: 2 },
  { drop: 1 },
]
const INDENT = 4

/** Builds in their groups. Below a build: what failed first, or the command that unblocks it. */
export function statusTable(
  records: readonly StatusRecord[],
  view: ViewOptions,
): readonly Printable[] {
  const { looks, width } = view
  if (looks.plain) return records.flatMap((record, at) => plainLines(record, at, view))
  const rows = records.map((record) => cellsOf(record, view))
  const table = layoutTable(COLUMNS, rows, width, looks, view.link)
  let group: StatusGroup | null = null
  return records.flatMap((record, at) => {
    const isFirst = record.group !== group
    const space = group === null ? [] : [blank]
    group = record.group
    const title = isFirst ? [...space, looks.paint('bold', TITLES[record.group])] : []
    return [...title, table[at] ?? blank, ...below(record, view)]
  })
}

/** For screen readers: a `label: value` line for each fact. */
function plainLines(record: StatusRecord, at: number, { command }: ViewOptions): Printable[] {
  const { group, state, build, branch, message, detail } = record
  const facts = { group: TITLES[group], state, build, branch, message, detail }
  const lines = Object.entries(facts).flatMap(([label, value]) =>
    value ? [say`${label}: ${value}`] : [],
  )
  const next = record.command === null ? [] : [say`to unblock it: ${command(record.command)}`]
  return [...(at === 0 ? [] : [blank]), ...lines, ...next]
}

function cellsOf(record: StatusRecord, { looks, now }: ViewOptions): TableCell[] {
  const { state, build, message, branch, created_at, web_url } = record
  const created = parseTimestamp(created_at)
  return [
    { text: stateText(state, looks), style: markOf(state).style },
    { text: build, link: web_url },
    { text: emojify(message, looks.ascii) },
    { text: branch ?? '' },
    { text: created === null ? '' : age(created, now, looks.utc), style: 'dim' },
  ]
}

function below({ detail, command }: StatusRecord, view: ViewOptions): Printable[] {
  const { looks, width } = view
  const indent = ' '.repeat(INDENT)
  const lines: Printable[] = []
  if (detail !== null) {
    const text = shorten(say`${emojify(detail, looks.ascii)}`, width - INDENT, looks)
    lines.push(say`${indent}${looks.paint('dim', text)}`)
  }
  // A command to copy is never cut.
  if (command !== null) lines.push(say`${indent}${view.command(command)}`)
  return lines
}
