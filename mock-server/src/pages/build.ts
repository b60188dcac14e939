import { isFinished } from '../domain/job.js'
import { JobList } from '../domain/job-list.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { jobLog } from '../sandbox/lifecycle/log-text.js'
import { notFound, recordPage } from './answer.js'
import { annotationView, artifacts } from './attachments.js'
import { logView } from './log.js'
import { momentAgo, took } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { badge, code, empty, type Fact, link, listing, row, section, toneOf } from './record.js'
import { jobName, timelineOf, timelineView } from './timeline.js'

/**
 * What a person calls the state: a build that waits for somebody is blocked, whatever its state
 * says.
 */
export function shownState(build: BuildRecord): string {
  return build.blocked ? 'blocked' : build.state
}

export function firstLine(message: string | null): string {
  return message?.split('\n', 1)[0] || '(no message)'
}

/** Seconds between two looks at what still moves. */
const refreshSeconds = 5

/** How long something took, or has taken so far. */
function lasted(record: BuildRecord | JobRecord, isOver: boolean, now: number): Fact {
  const duration = took(record.started_at, record.finished_at, now)
  return ['Took', duration === null || isOver ? duration : `${duration} so far`]
}

/** `/{org}/{pipeline}/builds/{number}`: one build and its jobs; `#{job_id}` jumps to a job. */
export function build(c: PageRequest): Response {
  const { organization, pipeline, build: record, crumbs, state, web, now } = named(c)
  if (!organization || !pipeline || !record) return notFound(c, 'build')
  const here = web.buildWeb(organization.slug, pipeline.slug, record.number)
  const creator = record.creatorId === null ? undefined : state.get('users', record.creatorId)
  const isOver = record.finished_at !== null
  const facts: Fact[] = [
    ['Branch', code(record.branch)],
    ['Commit', code(record.commit)],
    ['Started by', creator?.name ?? record.source.replaceAll('_', ' ')],
    ['Created', momentAgo(record.created_at, now)],
    lasted(record, isOver, now),
    ['Canceled because', record.cancel_reason],
    ['Pull request', record.pull_request?.id ? `#${record.pull_request.id}` : null],
  ]
  const origin = record.rebuiltFrom ?? record.triggeredFrom
  const slug = origin && state.get('pipelines', origin.pipelineId)?.slug
  if (origin && slug) {
    const href = web.buildWeb(organization.slug, slug, origin.number)
    facts.push([
      record.rebuiltFrom ? 'Rebuilt from' : 'Triggered by',
      link({ href, text: `${slug} #${origin.number}` }),
    ])
  }
  const timeline = timelineOf(record, now)
  const jobs = failedFirst(record).map((job) => jobRow(job, now, `${here}/jobs/${job.id}`))
  return recordPage(
    c,
    {
      title: `${pipeline.name} #${record.number}`,
      refresh: isOver ? undefined : refreshSeconds,
      crumbs,
      badge: badge(shownState(record)),
      lead: firstLine(record.message),
      facts,
    },
    [
      [...state.list('annotations', record.id)].map(annotationView),
      timeline && timeline.rows.length > 1 && timelineView(timeline),
      listing('Jobs', 'This build has no jobs.', jobs, true),
      artifacts(c, state.list('artifacts', record.id)),
    ],
  )
}

/** What went wrong stands first, in the order of the steps. */
function failedFirst({ jobs }: BuildRecord): readonly JobRecord[] {
  const isBad = (job: JobRecord): boolean =>
    toneOf(job.state) === 'failed' && !job.retried && !job.soft_failed
  const all = [...jobs]
  return [...all.filter(isBad), ...all.filter((job) => !isBad(job))]
}

function jobNotes(job: JobRecord): readonly string[] {
  return [
    job.soft_failed ? 'does not fail the build' : null,
    job.exit_status === null ? null : `exit ${job.exit_status}`,
    job.signal,
    job.retried ? 'retried' : null,
    job.parallel_group_total === null
      ? null
      : `${(job.parallel_group_index ?? 0) + 1} of ${job.parallel_group_total}`,
  ].filter((note) => note !== null)
}

function jobRow(job: JobRecord, now: number, page: string) {
  return row({
    id: job.id,
    state: job.state,
    href: job.type === 'waiter' ? null : page,
    text: jobName(job),
    sub: job.command && code(job.command.split('\n', 1)[0]),
    aside: [...jobNotes(job), took(job.started_at, job.finished_at, now)]
      .filter(Boolean)
      .join(' · '),
  })
}

/**
 * `/{org}/{pipeline}/builds/{number}/jobs/{id}`: one run of a job, with its log; `#L12` jumps to a
 * line.
 */
export function job(c: PageRequest): Response {
  const { organization, pipeline, build, id, crumbs, state, web, now } = named(c)
  const record = build && JobList.of(build.jobs).job(id)
  if (!organization || !pipeline || !record) return notFound(c, 'job')
  const agent = record.agent === null ? undefined : state.get('agents', record.agent)
  const other = record.retried_in_job_id ?? record.retry_source?.job_id
  const run = record.retried_in_job_id
    ? 'The run that replaced this one'
    : 'The run before this one'
  const siblings = `${web.buildWeb(organization.slug, pipeline.slug, build.number)}/jobs`
  const isOver = isFinished(record)
  return recordPage(
    c,
    {
      title: jobName(record),
      refresh: isOver ? undefined : refreshSeconds,
      crumbs,
      badge: badge(record.state),
      facts: [
        ['Command', record.command ? code(record.command) : null],
        ['Result', jobNotes(record).join(' · ') || null],
        ['Started', record.started_at && momentAgo(record.started_at, now)],
        lasted(record, isOver, now),
        [
          'Agent',
          agent && link({ href: web.agentWeb(organization.slug, agent.id), text: agent.name }),
        ],
        ['Retried', other && link({ href: `${siblings}/${other}`, text: run })],
      ],
    },
    [
      logSection(record, jobLog(record, now).content),
      artifacts(c, state.list('artifacts', record.id)),
    ],
  )
}

function logSection(job: JobRecord, text: string) {
  const why =
    job.started_at === null
      ? 'This job has not run, so there is no log.'
      : 'This job has printed nothing.'
  const lines = text === '' ? 0 : text.replace(/\n$/u, '').split('\n').length
  const beside = `${lines} ${lines === 1 ? 'line' : 'lines'}`
  return section({ title: 'Log', beside }, text === '' ? empty(why) : logView(text))
}
