import type { Path } from '../fields/field.js'
import type { JobRecord, Step } from '../records/records.js'
import type { PipelineLocation } from './load-organization.js'
import { entries, type Loading } from './loading.js'
import type { SeedPipeline, SeedWay } from './pipeline-tables.js'
import { type BuildPlan, withBehaviour } from './play.js'

const hour = 3_600_000
const day = 24 * hour
/** The last generated build starts this long before the first listed build, and ends by then. */
const gapMs = hour

/** The share of builds that each hour of a working day has, from midnight UTC. */
const weightOfHour = [
  0, 0, 0, 0, 0, 0, 0.1, 0.4, 1, 2, 3, 2.6, 1.2, 2, 3, 3, 2.5, 1.5, 0.7, 0.4, 0.2, 0.1, 0, 0,
]
/** Builds on a day of the weekend, relative to a working day. */
const weekendWeight = 0.1

interface TimeSpan {
  /** Epoch ms. */
  readonly from: number
  readonly to: number
}

type Draw = (what: string, n: number) => number

function anyMoments(count: number, { from, to }: TimeSpan, draw: Draw): readonly number[] {
  return Array.from({ length: count }, (_, n) =>
    Math.floor(from + ((to - from) * (n + draw('at', n))) / count),
  )
}

function workMoments(count: number, { from, to }: TimeSpan, draw: Draw): readonly number[] {
  const hours: { readonly at: number; readonly until: number }[] = []
  let total = 0
  for (let at = Math.ceil(from / hour) * hour; at + hour <= to; at += hour) {
    const date = new Date(at)
    const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
    total += (weightOfHour[date.getUTCHours()] ?? 0) * (isWeekend ? weekendWeight : 1)
    hours.push({ at, until: total })
  }
  return Array.from({ length: count }, (_, n) => {
    const drawn = draw('hour', n) * total
    const chosen = hours.find((candidate) => drawn < candidate.until)
    return Math.floor((chosen?.at ?? from) + draw('at', n) * hour)
  }).sort((one, other) => one - other)
}

/** One moment a day, at 02:00 UTC, up to the end of the span. */
function nightMoments(count: number, { to }: TimeSpan): readonly number[] {
  const last = Math.floor((to - 2 * hour) / day) * day + 2 * hour
  return Array.from({ length: count }, (_, n) => last - (count - 1 - n) * day)
}

/** The start times of generated builds, in order. The same draws give the same times. */
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

/** Lets one job in eight fail. A step with an `outcome` of its own stays as it is. */
function withOutcome(job: JobRecord, dice: number): JobRecord {
  const hasOutcome = job.step !== undefined && 'outcome' in job.step
  return dice > 0.125 || hasOutcome ? job : withBehaviour(job, { outcome: { exit_status: 1 } })
}

/** The plans of the generated builds of a pipeline; the same for the same seed. */
export function plansOfFiller(
  loading: Loading,
  { organization, pipeline }: PipelineLocation,
  given: SeedPipeline,
  at: Path,
): readonly BuildPlan[] {
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
  const listedNumbers = listed.map(
    (build) => ('number' in build && build.number) || Number.POSITIVE_INFINITY,
  )
  const firstNumber = Math.min(...listedNumbers)
  if (firstNumber < (given.nextNumber ?? 1) + count) {
    issues.issue([...path, 'builds'], `${count} builds do not fit before number ${firstNumber}`)
  }
  const ways = entries(generate.ways, [...path, 'ways']).flatMap(([way, here]) =>
    Array.from({ length: way.builds }, () => ({ way, path: here })),
  )
  if (ways.length > count)
    issues.issue([...path, 'ways'], `are of ${ways.length} builds, more than ${count}`)

  const listedTimes = listed.map(({ created_at }) => Date.parse(loading.time(created_at ?? '-0s')))
  const end = generate.until
    ? Date.parse(loading.time(generate.until))
    : Math.min(context.now, ...listedTimes) - gapMs
  const stream = `filler:${pipeline.id}`
  const draw = (what: string, n: number) => context.dice(`${stream}:${what}`, n)
  const momentsOf = moments[generate.at ?? 'any']
  const times = momentsOf(count, { from: end - (generate.days ?? 21) * day, to: end }, draw)
  // Each way gets random positions among the builds.
  const slots = times
    .map((_, n) => ({ chosen: ways[n], order: draw('order', n) }))
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
  const location = { organization, pipeline: { ...pipeline, steps } }

  return times.map((time, n): BuildPlan => {
    const { way, path: wayPath = path } = slots[n]?.chosen ?? {}
    const change = pick(changes ?? plainChanges, draw('change', n))
    const changedBranch = change?.branch ?? pipeline.default_branch
    const { builds: _, play, ...fields }: Partial<SeedWay> = way ?? {}
    return {
      location,
      at: time,
      given: {
        branch: draw('main', n) < 0.5 ? pipeline.default_branch : changedBranch,
        message: change?.message,
        creator: pick(creators, draw('creator', n)),
        ...fields,
      },
      play: play ?? {},
      ...(way === undefined && {
        changeJob: (job: JobRecord) => withOutcome(job, context.dice(`${stream}:${job.stepId}`, n)),
      }),
      path: wayPath,
    }
  })
}
