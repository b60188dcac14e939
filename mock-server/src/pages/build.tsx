/** @jsxImportSource hono/jsx */
import { recordUrls } from '../present/urls.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { notFound, recordPage } from './answer.js'
import { AnnotationView, Artifacts } from './attachments.js'
import { momentAgo, took } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { type Fact, LinkRow, Listing } from './record.js'
import { State, toneOf } from './state.js'
import { jobName, timelineOf } from './timeline.js'
import { TimelineView } from './timeline-view.js'

/** What a person calls the state: a build that waits for somebody is blocked, whatever its state says. */
export const shownState = (build: BuildRecord): string => (build.blocked ? 'blocked' : build.state)

export const firstLine = (message: string | null): string => message?.split('\n', 1)[0] || '(no message)'

/** `/{org}/{pipeline}/builds/{number}`: one build and its jobs; `#{job_id}` jumps to a job. */
export function build(c: PageRequest): Response {
  const { store, urls, clock } = c.env.sandbox
  const { state } = store
  const { organization, pipeline, build: record, crumbs } = named(c)
  if (!organization || !pipeline || !record) return notFound(c, 'build')
  const now = clock.now()
  const { buildWeb, pipelineWeb } = recordUrls(urls)
  const here = buildWeb(organization.slug, pipeline.slug, record.number)
  const timeline = timelineOf(record, now)
  const creator = record.creatorId === null ? undefined : state.get('users', record.creatorId)
  const facts: Fact[] = [
    { name: 'Branch', value: <code>{record.branch}</code> },
    { name: 'Commit', value: <code>{record.commit}</code> },
    { name: 'Started by', value: creator?.name ?? record.source.replaceAll('_', ' ') },
    { name: 'Created', value: momentAgo(record.created_at, now) },
  ]
  const duration = took(record.started_at, record.finished_at, now)
  if (duration !== null)
    facts.push({ name: 'Took', value: record.finished_at === null ? `${duration} so far` : duration })
  if (record.cancel_reason !== null) facts.push({ name: 'Canceled because', value: record.cancel_reason })
  if (record.pull_request?.id) facts.push({ name: 'Pull request', value: `#${record.pull_request.id}` })
  const origin = record.rebuiltFrom ?? record.triggeredFrom
  const slug = origin && state.get('pipelines', origin.pipelineId)?.slug
  if (origin && slug) {
    facts.push({
      name: record.rebuiltFrom ? 'Rebuilt from' : 'Triggered by',
      value: <a href={buildWeb(organization.slug, slug, origin.number)}>{`${slug} #${origin.number}`}</a>,
    })
  }
  return recordPage(
    c,
    {
      title: `${pipeline.name} #${record.number}`,
      refresh: record.finished_at === null ? 5 : undefined,
      crumbs: [...crumbs, { href: pipelineWeb(organization.slug, pipeline.slug), text: pipeline.name }],
      badge: <State state={shownState(record)} />,
      lead: firstLine(record.message),
      facts,
    },
    <>
      {state.list('annotations', record.id).map(AnnotationView)}
      {timeline && timeline.rows.length > 1 ? <TimelineView {...timeline} /> : null}
      <Listing
        title="Jobs"
        none="This build has no jobs."
        as="ol"
        items={failedFirst(record).map((job) => showJob(job, now, `${here}/jobs/${job.id}`))}
      />
      <Artifacts c={c} artifacts={state.list('artifacts', record.id)} />
    </>,
  )
}

/** What went wrong stands first, in the order of the steps. */
function failedFirst({ jobs }: BuildRecord): readonly JobRecord[] {
  const isBad = (job: JobRecord): boolean => toneOf(job.state) === 'failed' && !job.retried && !job.soft_failed
  const all = [...jobs]
  return [...all.filter(isBad), ...all.filter((job) => !isBad(job))]
}

export const jobNotes = (job: JobRecord): readonly string[] =>
  [
    job.soft_failed ? 'does not fail the build' : null,
    job.exit_status === null ? null : `exit ${job.exit_status}`,
    job.signal,
    job.retried ? 'retried' : null,
    job.parallel_group_total === null ? null : `${(job.parallel_group_index ?? 0) + 1} of ${job.parallel_group_total}`,
  ].filter((note) => note !== null)

const showJob = (job: JobRecord, now: number, page: string) =>
  LinkRow({
    id: job.id,
    state: job.state,
    href: job.type === 'waiter' ? null : page,
    text: jobName(job),
    sub: job.command ? <code>{job.command.split('\n', 1)[0]}</code> : undefined,
    aside: [...jobNotes(job), took(job.started_at, job.finished_at, now)].filter(Boolean).join(' · '),
  })
