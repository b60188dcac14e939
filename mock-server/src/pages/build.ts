import { stateMark } from '@buildwire/sdk/contract'
import { html } from 'hono/html'
import { isFinished } from '../domain/job.js'
import { JobList } from '../domain/job-list.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { jobLog } from '../sandbox/lifecycle/log-text.js'
import { notFound, recordPage } from './answer.js'
import { annotationView, artifacts, loadSanitizer } from './attachments.js'
import { logView } from './log.js'
import { momentAgo, took } from './moments.js'
import { jobName, withEmoji } from './names.js'
import { named, type PageRequest } from './page-context.js'
import {
  badge,
  type Child,
  code,
  empty,
  link,
  listing,
  type PageFact,
  row,
  section,
} from './record.js'
import { timelineOf, timelineView } from './timeline.js'

/** The state for people: `blocked` while the build waits for a person, else its own state. */
export function shownState(build: BuildRecord): string {
  return build.blocked ? 'blocked' : build.state
}

export function firstLine(message: string | null): string {
  return withEmoji(message?.split('\n', 1)[0] ?? '') || '(no message)'
}

/** Seconds between two loads of a page whose record may still change. */
const refreshSeconds = 5

/** How long something took, or has taken so far. */
function tookFact(record: BuildRecord | JobRecord, isOver: boolean, now: number): PageFact {
  const duration = took(record.started_at, record.finished_at, now)
  return ['Took', duration === null || isOver ? duration : `${duration} so far`]
}

/** `/{org}/{pipeline}/builds/{number}`: one build and its jobs; `#{job_id}` jumps to a job. */
export async function build(c: PageRequest): Promise<Response> {
  const sanitizeHtml = await loadSanitizer()
  const { organization, pipeline, build: record, crumbs, state, web, now } = named(c)
  if (!organization || !pipeline || !record) return notFound(c, 'build')
  const here = web.buildWeb(organization.slug, pipeline.slug, record.number)
  const creator = record.creatorId === null ? undefined : state.get('users', record.creatorId)
  const isOver = record.finished_at !== null
  const facts: PageFact[] = [
    ['Branch', code(record.branch)],
    ['Commit', code(record.commit)],
    ['Started by', creator?.name ?? record.source.replaceAll('_', ' ')],
    ['Created', momentAgo(record.created_at, now)],
    tookFact(record, isOver, now),
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
      first: [
        reason(record, `${here}/jobs`),
        Array.from(state.list('annotations', record.id), (annotation) =>
          annotationView(annotation, sanitizeHtml),
        ),
      ],
      facts,
    },
    [
      timeline && timeline.rows.length > 1 && timelineView(timeline),
      listing('Jobs', 'This build has no jobs.', jobs, true),
      artifacts(c, state.list('artifacts', record.id)),
    ],
  )
}

/** True if the failure of the job fails the build. */
function isHardFailure(job: JobRecord): boolean {
  return stateMark(job.state).kind === 'failed' && !job.retried && !job.soft_failed
}

/** The failed jobs, then the others; each in the order of the steps. */
function failedFirst({ jobs }: BuildRecord): readonly JobRecord[] {
  const all = [...jobs]
  return [...all.filter(isHardFailure), ...all.filter((job) => !isHardFailure(job))]
}

/** At most so many failed jobs are named above the facts. */
const mostReasons = 3

/** Which jobs failed, and how; nothing if none did. */
function reason({ jobs }: BuildRecord, pages: string): Child {
  const failed = [...jobs].filter(isHardFailure)
  if (failed.length === 0) return null
  const shown = failed.slice(0, mostReasons).map((job) => {
    const how = [stateMark(job.state).words, ...jobNotes(job)].join(' · ')
    return html`<li>${link({ href: `${pages}/${job.id}`, text: jobName(job) })} ${how}</li>`
  })
  const more = failed.length - shown.length
  const rest = more > 0 && html`<li>${more} more failed</li>`
  return html`<section class="notice bad" aria-label="What failed"><ul>${shown}${rest}</ul></section>`
}

function jobNotes(job: JobRecord): readonly string[] {
  return [
    job.soft_failed ? 'does not fail the build' : null,
    job.exit_status === null || job.exit_status === 0 ? null : `exit ${job.exit_status}`,
    job.signal,
    job.retried ? 'retried' : null,
  ].filter((note) => note !== null)
}

function jobRow(job: JobRecord, now: number, page: string) {
  const notes = [...jobNotes(job), took(job.started_at, job.finished_at, now)]
  return row({
    id: job.id,
    state: job.state,
    href: job.type === 'waiter' ? null : page,
    text: jobName(job),
    sub: job.command && code(job.command.split('\n', 1)[0]),
    aside: notes.filter(Boolean).join(' · '),
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
        tookFact(record, isOver, now),
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
      failedNeighbours(build, record, siblings),
    ],
  )
}

/** Links to the failed jobs before and after a job in the order of the steps. */
function failedNeighbours(build: BuildRecord, job: JobRecord, pages: string): Child {
  const all = [...build.jobs]
  const at = all.findIndex(({ id }) => id === job.id)
  const before = all.slice(0, at).findLast(isHardFailure)
  const after = all.slice(at + 1).find(isHardFailure)
  if (before === undefined && after === undefined) return null
  const step = (to: JobRecord | undefined, rel: string, text: string): Child =>
    to === undefined
      ? html`<span></span>`
      : html`<a class="button" rel="${rel}" href="${pages}/${to.id}">${text}: ${jobName(to)}</a>`
  return html`<nav class="pager" aria-label="Failed jobs">
    ${step(before, 'prev', 'Previous failed job')}${step(after, 'next', 'Next failed job')}
  </nav>`
}

function logSection(job: JobRecord, text: string) {
  const isEmpty = text === ''
  const hasRun = job.started_at !== null
  const reason = hasRun
    ? 'This job has printed nothing.'
    : 'This job has not run, so there is no log.'
  const count = isEmpty ? 0 : text.replace(/\n$/u, '').split('\n').length
  const beside = `${count} ${count === 1 ? 'line' : 'lines'}`
  return section({ title: 'Log', beside }, isEmpty ? empty(reason) : logView(text))
}
