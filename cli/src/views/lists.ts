import { htmlText, parseTimestamp } from '@buildwire/sdk'
import type { Annotation, Artifact, Build } from '@buildwire/sdk/contract'
import { emojify } from '../io/emoji.js'
import { blank, firstLine, type Printable, say } from '../io/printable.js'
import { layoutTable } from '../io/table.js'
import { age } from '../io/time.js'
import { wrap } from '../io/width.js'
import { buildAddress, buildBy, buildState, runningTime } from './build.js'
import { layoutFacts } from './facts.js'
import { markOf, markText, type StyledMark, softFailureMark, stateText } from './marks.js'
import type { RecordColumn, TsvColumn, ViewOptions } from './view.js'

/** Records as a table, or for screen readers as `label: value` lines. */
export function recordTable<T>(
  records: readonly T[],
  columns: readonly RecordColumn<T>[],
  view: ViewOptions,
): readonly Printable[] {
  const rows = records.map((record) => columns.map(({ cell }) => cell(record, view)))
  if (!view.looks.plain) return layoutTable(columns, rows, view.width, view.looks, view.link)
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [blank]),
    ...columns.flatMap(({ title = '' }, column) => {
      const text = row[column]?.text ?? ''
      return text === '' ? [] : [say`${title.toLowerCase()}: ${text}`]
    }),
  ])
}

/**
 * The columns of tab-separated lines as columns of a table. On a narrow terminal the rightmost is
 * dropped first. The first column links to the record's page.
 */
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

/** Short labels for long names of columns. */
const LABELS: Readonly<Record<string, string>> = { repository: 'repo', default_branch: 'branch' }

export function recordPage<T extends object>(
  record: T,
  columns: readonly TsvColumn<T>[],
  title: string,
  view: ViewOptions,
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

export const buildColumns: readonly RecordColumn<Build>[] = [
  {
    title: 'STATE',
    cell: (build, { looks }) => ({
      text: stateText(buildState(build), looks),
      style: markOf(buildState(build)).style,
    }),
  },
  {
    title: 'BUILD',
    align: 'right',
    cell(build, { manyPipelines }) {
      const { pipeline_slug } = buildAddress(build)
      const place = manyPipelines && pipeline_slug !== null ? `${pipeline_slug}#` : ''
      return { text: `${place}${build.number}`, link: build.web_url }
    },
  },
  {
    title: 'MESSAGE',
    flexible: true,
    cell(build, { looks }) {
      const text = emojify(firstLine(build.message ?? ''), looks.ascii)
      return text.trim() === '' ? { text: '(no message)', style: 'dim' } : { text, style: 'bold' }
    },
  },
  { title: 'BRANCH', max: 20, drop: 3, cell: ({ branch }) => ({ text: branch ?? '' }) },
  { title: 'BY', max: 10, drop: 1, cell: (build) => ({ text: buildBy(build) }) },
  {
    title: 'TIME',
    align: 'right',
    drop: 2,
    cell: (build, { now }) => ({ text: runningTime(build, now) ?? '' }),
  },
  {
    title: 'CREATED',
    cell({ created_at }, { now, looks }) {
      const created = parseTimestamp(created_at)
      return {
        text: created === null ? (created_at ?? '') : age(created, now, looks.utc),
        style: 'dim',
      }
    },
  },
]

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size as people say it: `180 B`, `12.4 kB`. */
function sizeText(bytes: number): string {
  const at = Math.min(Math.max(Math.floor(Math.log10(bytes) / 3), 0), UNITS.length - 1)
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${UNITS[at]}`
}

/** The columns of a list of artifacts; the state is shown if there is no content. */
export const artifactColumns: readonly RecordColumn<Artifact>[] = [
  { title: 'PATH', flexible: true, cell: ({ path, id }) => ({ text: path ?? id }) },
  {
    title: 'SIZE',
    align: 'right',
    cell: ({ file_size }) => ({ text: typeof file_size === 'number' ? sizeText(file_size) : '' }),
  },
  {
    title: 'TYPE',
    max: 24,
    drop: 2,
    cell: ({ mime_type }) => ({ text: mime_type ?? '', style: 'dim' }),
  },
  {
    title: 'STATE',
    drop: 3,
    cell: ({ state = '' }) => ({ text: state === 'finished' ? '' : state, style: 'yellow' }),
  },
  { title: 'ID', drop: 1, cell: ({ id }) => ({ text: id, style: 'dim' }) },
]

const LOOKS = new Map([
  ['success', markOf('passed')],
  ['warning', softFailureMark],
  ['error', markOf('failed')],
])
const INFO: StyledMark = { kind: 'unknown', mark: '·', ascii: '-', style: 'dim' }

/** Annotations below each other: style and name, then the text without its HTML. */
export function annotationList(
  notes: readonly Annotation[],
  view: ViewOptions,
): readonly Printable[] {
  return notes.flatMap((note, at) => [...(at === 0 ? [] : [blank]), ...annotation(note, view)])
}

function annotation(
  { style, context, body_html }: Annotation,
  { looks, width }: ViewOptions,
): Printable[] {
  const name = style ?? 'info'
  const look = LOOKS.get(name) ?? INFO
  const text = htmlText(body_html ?? '')
    .split('\n')
    .map((line) => say`${line}`)
  return [
    say`${looks.paint(look.style, say`${markText(look, looks)}${name}`)}  ${looks.paint('bold', say`${context ?? ''}`)}`,
    ...text.flatMap((line) => wrap(line, width - 2, null)).map((line) => say`  ${line}`),
  ]
}
