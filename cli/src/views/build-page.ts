import { parseTimestamp } from '@buildwire/sdk'
import { type Build, type Job, stateMark } from '@buildwire/sdk/contract'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { blank, firstLine, type Printable, reference, say } from '../io/printable.js'
import { age, moment } from '../io/time.js'
import { cells, shorten, trimmed, wrap } from '../io/width.js'
import { buildAddress, buildBy, buildState, runningTime, shortCommit } from './build.js'
import { factColumns, type LabelledValue, layoutFacts, type NextStep, stepLines } from './facts.js'
import { failureReason } from './failure-reason.js'
import { isFailedJob, isUnblockable, jobState, stateWords } from './job.js'
import { jobRows, layoutJobs } from './job-rows.js'
import { markOf, markText } from './marks.js'
import type { ViewOptions } from './view.js'

/** Keeps a count and its state on one line while the summary is wrapped. */
const NO_BREAK = '\u00a0'
const DAY_MS = 86_400_000

/** One build as a page: its state, its facts, its jobs, and commands to run next. */
export function buildPage(build: Build, view: ViewOptions): readonly Printable[] {
  const { looks } = view
  const state = buildState(build)
  const name = buildName(build)
  const message = say`${emojify(firstLine(build.message ?? ''), looks.ascii)}`
  const lines = [
    looks.paint(
      markOf(state).style,
      say`${markText(markOf(state), looks)}${name} ${stateMark(state).words}`,
    ),
    ...reason(build, view),
    ...(cells(trimmed(message), 0) === 0
      ? []
      : [say`  ${shorten(message, view.width - 2, view.looks)}`]),
    blank,
    ...layoutFacts(facts(build, view), view),
  ]
  return [...lines, ...jobSection(build, view), ...footer(build, view)]
}

/** What failed first, above the facts. */
function reason(build: Build, { looks, width }: ViewOptions): Printable[] {
  const text = isFailedBuild(build) ? failureReason(build.jobs) : null
  if (text === null) return []
  return wrap(emojify(text, looks.ascii), width - 2, looks).map(
    (line) => say`  ${looks.paint('red', line)}`,
  )
}

/** `acme/web #4210`, with the known parts of the address. */
function buildName(build: Build): string {
  const { org_slug, pipeline_slug } = buildAddress(build)
  const address = [org_slug, pipeline_slug].filter((slug) => slug !== null).join('/')
  return `${address} #${build.number}`.trim()
}

function facts(build: Build, view: ViewOptions): LabelledValue[] {
  const branch = { label: 'branch', value: build.branch }
  const commit = { label: 'commit', value: shortCommit(build.commit) }
  const by = { label: 'by', value: buildBy(build) }
  const source = { label: 'source', value: build.source }
  const times = [
    { label: 'created', value: momentText(build.created_at, view) },
    {
      label: parseTimestamp(build.finished_at) === null ? 'running' : 'took',
      value: runningTime(build, view.now),
    },
  ]
  const first =
    factColumns(view.width) === 3 ? [branch, commit, source, by] : [branch, commit, by, source]
  return [
    ...first,
    ...times,
    { label: 'pull req.', value: pullRequestText(build) },
    { label: 'rebuilt', value: build.rebuilt_from ? `from #${build.rebuilt_from.number}` : null },
    { label: 'triggered', value: triggerText(build) },
    { label: 'reason', value: build.cancel_reason },
    { label: 'tests', value: testEngineText(build) },
  ]
}

/** A time of the last day as age and clock time, an older one as date and clock time. */
export function momentText(time: string | null | undefined, view: ViewOptions): string | null {
  const instant = parseTimestamp(time)
  if (instant === null) return time ?? null
  const { utc } = view.looks
  const [day = '', clock = ''] = moment(instant, utc).split(' ')
  return view.now - instant >= DAY_MS
    ? `${day} ${clock}`
    : `${age(instant, view.now, utc)} (${clock})`
}

function pullRequestText(build: Build): string | null {
  const { id, base } = build.pull_request ?? {}
  if (id === undefined || id === null || id === '') return null
  return base ? `#${id} into ${base}` : `#${id}`
}

function triggerText(build: Build): string | null {
  const from = build.triggered_from
  if (!from) return null
  return from.build_pipeline_slug
    ? `by ${from.build_pipeline_slug}#${from.build_number}`
    : `by #${from.build_number}`
}

function testEngineText(build: Build): string | null {
  const suites = build.test_engine?.runs?.map((run) => run.suite?.slug).filter(Boolean) ?? []
  return suites.length === 0 ? null : `runs of ${suites.join(', ')}`
}

function jobSection(build: Build, view: ViewOptions): Printable[] {
  const jobs = build.jobs?.filter((job) => job.type !== 'waiter') ?? []
  if (jobs.length === 0) return []
  const rows = jobRows(jobs, view)
  const counts = new Map<string, number>()
  for (const { state } of rows)
    counts.set(state, jobs.filter((job) => stateWords(job) === state).length)
  const summary = [...counts]
    .map(([state, count]) => `${count}${NO_BREAK}${state.replaceAll(' ', NO_BREAK)}`)
    .join(', ')
  const title = wrap(
    say`${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}: ${summary}`,
    view.width - 2,
    view.looks,
  )
  return [
    blank,
    ...title.map((line) => say`  ${String(line).replaceAll(NO_BREAK, ' ')}`),
    ...layoutJobs(rows, view),
  ]
}

function isFailedBuild({ state }: Build): boolean {
  return state === 'failed' || state === 'failing'
}

function footer(build: Build, view: ViewOptions): Printable[] {
  const url = safeUrl(build.web_url)
  const failed = (build.jobs ?? []).filter((job: Job) => isFailedJob(job) && job.retried !== true)
  const hard = failed.filter((job) => jobState(job) !== 'soft failed')
  const subject =
    (hard.length || failed.length) === 1 ? 'Logs of the failed job' : 'Logs of the failed jobs'
  const ref = reference(buildAddress(build), build.number)
  const steps: NextStep[] = []
  if (isFailedBuild(build)) {
    steps.push({ about: say`Why it failed`, command: view.command(['why', ref]) })
  }
  if (failed.length > 0) {
    steps.push({
      about: say`${subject}`,
      command: view.command(['builds', 'logs', ref, '--failed']),
    })
  }
  if ((build.jobs ?? []).some(isUnblockable)) {
    const command = view.command(['jobs', 'unblock', ref])
    steps.push({ about: say`To unblock it`, command })
  }
  const lines = [
    ...(url === null ? [] : [say`  ${view.link(say`${url}`, url)}`]),
    ...stepLines(steps, view),
  ]
  return lines.length === 0 ? [] : [blank, ...lines]
}
