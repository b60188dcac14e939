import type { Path } from '../fields/field.js'
import type { JobRecord, Step } from '../records/records.js'
import type { SeedPipeline, SeedWay } from './build-tables.js'
import type { PipelinePlace } from './load-organization.js'
import { entries, type Loading } from './loading.js'
import { behaving, type Plan } from './play.js'

const hour = 3_600_000
const day = 24 * hour
/**
 * The last filler build starts this long before the first listed one, so that it has ended by then.
 */
const quietMs = hour

/** How busy each hour of a working day is, from midnight UTC. */
const byHour = [
  0, 0, 0, 0, 0, 0, 0.1, 0.4, 1, 2, 3, 2.6, 1.2, 2, 3, 3, 2.5, 1.5, 0.7, 0.4, 0.2, 0.1, 0, 0,
]
const weekend = 0.1

interface Span {
  /** Epoch ms. */
  readonly from: number
  readonly to: number
}

type Draw = (what: string, n: number) => number

function anyMoments(count: number, { from, to }: Span, draw: Draw): readonly number[] {
  return Array.from({ length: count }, (_, n) =>
    Math.floor(from + ((to - from) * (n + draw('at', n))) / count),
  )
}

function workMoments(count: number, { from, to }: Span, draw: Draw): readonly number[] {
  const hours: { readonly at: number; readonly until: number }[] = []
  let total = 0
  for (let at = Math.ceil(from / hour) * hour; at + hour <= to; at += hour) {
    const weekday = new Date(at).getUTCDay()
    total +=
      (byHour[new Date(at).getUTCHours()] ?? 0) * (weekday === 0 || weekday === 6 ? weekend : 1)
    hours.push({ at, until: total })
  }
  return Array.from({ length: count }, (_, n) => {
    const drawn = draw('hour', n) * total
    const chosen = hours.find((candidate) => drawn < candidate.until)
    return Math.floor((chosen?.at ?? from) + draw('at', n) * hour)
  }).sort((one, other) => one - other)
}

/** Two o'clock in the night, every day up to the end of the span. */
function nightMoments(count: number, { to }: Span): readonly number[] {
  const last = Math.floor((to - 2 * hour) / day) * day + 2 * hour
  return Array.from({ length: count }, (_, n) => last - (count - 1 - n) * day)
}

/** When the builds of a made-up history begin, in order; the same draws give the same moments. */
const moments = { any: anyMoments, work: workMoments, night: nightMoments }

const plainChanges = [
  { branch: 'fix/timeout', message: 'Fix a race in the worker' },
  { branch: 'feature/search', message: 'Add search' },
  { branch: 'chore/update-deps', message: 'Update dependencies' },
  { branch: 'chore/tidy', message: 'Tidy the tests' },
  { branch: 'perf/start', message: 'Speed up the start' },
]

function pick<T>(list: readonly T[], dice: number): T | undefined {
  return list[Math.floor(dice * list.length)]
}

function withoutTriggers(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    if ('group' in step) return [{ ...step, steps: withoutTriggers(step.steps) }]
    return 'trigger' in step ? [] : [step]
  })
}

/** One job in eight fails; whatever the step says itself stays. */
function withEnding(job: JobRecord, dice: number): JobRecord {
  return dice > 0.125 || (job.step && 'outcome' in job.step)
    ? job
    : behaving(job, { outcome: { exit_status: 1 } })
}

/** Plans of a pipeline's made-up builds, always the same for the same seed. */
export function plansOfFiller(
  loading: Loading,
  { organization, pipeline }: PipelinePlace,
  given: SeedPipeline,
  at: Path,
): readonly Plan[] {
  const { generate } = given
  const path = [...at, 'generate']
  if (!generate) return []
  const { context, state, issues } = loading
  if (state.builds(pipeline.id).all.length > 0) {
    issues.issue(path, 'is for a pipeline without builds')
    return []
  }
  const { builds: count, changes = plainChanges } = generate
  const listed = given.builds ?? []
  const firstNumber = Math.min(
    ...listed.map((build) => ('number' in build && build.number) || Number.POSITIVE_INFINITY),
  )
  if (firstNumber < (given.nextNumber ?? 1) + count) {
    issues.issue([...path, 'builds'], `${count} builds do not fit before number ${firstNumber}`)
  }
  const ways = entries(generate.ways, [...path, 'ways']).flatMap(([way, here]) =>
    Array.from({ length: way.builds }, () => ({ way, path: here })),
  )
  if (ways.length > count)
    issues.issue([...path, 'ways'], `are of ${ways.length} builds, more than ${count}`)

  const begun = listed.map(({ created_at }) => Date.parse(loading.time(created_at ?? '-0s')))
  const end = generate.until
    ? Date.parse(loading.time(generate.until))
    : Math.min(context.now, ...begun) - quietMs
  const stream = `filler:${pipeline.id}`
  const draw = (what: string, n: number) => context.dice(`${stream}:${what}`, n)
  const times = moments[generate.at ?? 'any'](
    count,
    { from: end - (generate.days ?? 21) * day, to: end },
    draw,
  )
  const slots = times
    .map((_, n) => ({ going: ways[n], order: draw('order', n) }))
    .sort((one, other) => one.order - other.order)
  const members = () =>
    [...state.values('members')]
      .filter(({ organizationId }) => organizationId === organization.id)
      .flatMap(({ userId }) => state.get('users', userId)?.email ?? [])
  const creators =
    generate.creators?.filter((email, n) =>
      loading.refer('user', [...path, 'creators', n], email),
    ) ?? members()
  const steps = generate.triggers ? pipeline.steps : withoutTriggers(pipeline.steps)
  const place = { organization, pipeline: { ...pipeline, steps } }
  return times.map((time, n): Plan => {
    const { way, path: wayPath = path } = slots[n]?.going ?? {}
    const change = pick(changes ?? plainChanges, draw('change', n))
    const { builds: _, play, ...said }: Partial<SeedWay> = way ?? {}
    return {
      place,
      at: time,
      given: {
        branch:
          draw('main', n) < 0.5
            ? pipeline.default_branch
            : (change?.branch ?? pipeline.default_branch),
        message: change?.message,
        creator: pick(creators, draw('creator', n)),
        ...said,
      },
      play: play ?? {},
      ...(way === undefined && {
        shape: (job: JobRecord) => withEnding(job, context.dice(`${stream}:${job.stepId}`, n)),
      }),
      path: wayPath,
    }
  })
}
