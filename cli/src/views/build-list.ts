import { parseTimestamp } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { emojify } from '../io/emoji.js'
import { firstLine } from '../io/printable.js'
import { age } from '../io/time.js'
import { buildAddress, buildBy, buildState, runningTime } from './build.js'
import { markOf, stateText } from './marks.js'
import type { RecordColumn } from './view.js'

export const buildColumns: readonly RecordColumn<Build>[] = [
  {
    title: 'STATE',
    cell: (build, { looks }) => ({ text: stateText(buildState(build), looks), style: markOf(buildState(build)).style }),
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
      return text.trim() === '' ? { text: '(no message)', style: 'dim' } : { text }
    },
  },
  { title: 'BRANCH', max: 20, drop: 3, cell: ({ branch }) => ({ text: branch ?? '' }) },
  { title: 'BY', max: 10, drop: 1, cell: (build) => ({ text: buildBy(build) }) },
  { title: 'TIME', align: 'right', drop: 2, cell: (build, { now }) => ({ text: runningTime(build, now) ?? '' }) },
  {
    title: 'CREATED',
    cell({ created_at }, { now, looks }) {
      const created = parseTimestamp(created_at)
      return { text: created === null ? (created_at ?? '') : age(created, now, looks.utc), style: 'dim' }
    },
  },
]
