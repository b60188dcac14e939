import type { Build } from '@buildwire/sdk/contract'
import type { Looks } from '../io/color.js'
import { emojify } from '../io/emoji.js'
import { blank, firstLine, type Printable, say } from '../io/printable.js'
import { type Cell, type Column, layoutTable } from '../io/table.js'
import { age, duration, wireTime } from '../io/time.js'
import { buildAddress, buildBy, buildState } from './build.js'
import { markOf } from './marks.js'
import type { View } from './view.js'

const COLUMNS: readonly Column[] = [
  { title: 'STATE' },
  { title: 'BUILD', align: 'right' },
  { title: 'MESSAGE', flexible: true },
  { title: 'BRANCH', max: 20, drop: 3 },
  { title: 'BY', max: 10, drop: 1 },
  { title: 'TIME', align: 'right', drop: 2 },
  { title: 'CREATED' },
]

/** Builds as a table, or for screen readers as `label: value` lines. */
export function buildList(builds: readonly Build[], view: View): readonly Printable[] {
  const rows = builds.map((build) => buildRow(build, view))
  if (!view.looks.plain) return layoutTable(COLUMNS, rows, view.width, view.looks, view.link)
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [blank]),
    ...row.flatMap((cell, column) =>
      cell.text === '' ? [] : [say`${(COLUMNS[column]?.title ?? '').toLowerCase()}: ${cell.text}`],
    ),
  ])
}

function buildRow(build: Build, view: View): Cell[] {
  const { looks } = view
  const state = buildState(build)
  const { style } = markOf(state)
  const { pipeline_slug } = buildAddress(build)
  const number = view.manyPipelines && pipeline_slug !== null ? `${pipeline_slug}#${build.number}` : `${build.number}`
  const message = emojify(firstLine(build.message ?? ''), looks.ascii)
  const created = wireTime(build.created_at)
  return [
    { text: stateText(state, looks), style },
    { text: number, link: build.web_url },
    message.trim() === '' ? { text: '(no message)', style: 'dim' } : { text: message },
    { text: build.branch ?? '' },
    { text: buildBy(build) },
    { text: runningTime(build, view.now) },
    { text: created === null ? (build.created_at ?? '') : age(created, view.now, looks.utc), style: 'dim' },
  ]
}

/** Mark and word of a state; the word alone for screen readers. */
export function stateText(state: string, looks: Looks): string {
  const { mark, ascii } = markOf(state)
  return looks.plain ? state : `${looks.ascii ? ascii : mark} ${state}`
}

/** How long a build ran, or has been running; empty when it never started. */
export function runningTime(build: Pick<Build, 'started_at' | 'finished_at'>, now: number): string {
  const started = wireTime(build.started_at)
  if (started === null) return ''
  return duration((wireTime(build.finished_at) ?? now) - started)
}
