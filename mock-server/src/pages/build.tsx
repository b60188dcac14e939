/** @jsxImportSource hono/jsx */

import { recordUrls } from '../http/urls.js'
import type { BuildRecord, JobRecord, PipelineRecord } from '../store/records.js'
import { notFound, page } from './answer.js'
import { ago, moment, took } from './moments.js'
import { organizationCrumbs } from './organization.js'
import type { PageRequest } from './page-context.js'
import { Crumbs, type Fact, Facts } from './record.js'
import { State } from './state.js'

/** What a person calls the state: a build that waits for somebody is blocked, whatever its state says. */
export const shownState = (build: BuildRecord): string => (build.blocked ? 'blocked' : build.state)

const firstLine = (message: string | null): string => message?.split('\n', 1)[0] || '(no message)'

/** `/{org}/{pipeline}/builds/{number}`: one build and its jobs; `#{job_id}` jumps to a job. */
export function build(c: PageRequest, org: string, slug: string, number: string): Response {
  const { store, urls, clock } = c.env.sandbox
  const { state } = store
  const organization = state.find('organizationBySlug', org)
  const pipeline = organization && state.find('pipelineBySlug', organization.id, slug)
  const record =
    pipeline && /^[1-9][0-9]{0,15}$/.test(number) ? state.find('buildByNumber', pipeline.id, Number(number)) : undefined
  if (!organization || !pipeline || !record) return notFound(c, 'build')
  const now = clock.now()
  const buildUrl = (owner: PipelineRecord, n: number) => recordUrls(urls).buildWeb(org, owner.slug, n)
  const creator = record.creatorId === null ? undefined : state.get('users', record.creatorId)
  const facts: Fact[] = [
    { name: 'Branch', value: <code>{record.branch}</code> },
    { name: 'Commit', value: <code>{record.commit}</code> },
    { name: 'Started by', value: creator?.name ?? record.source.replaceAll('_', ' ') },
    { name: 'Created', value: `${moment(record.created_at)}, ${ago(record.created_at, now)}` },
  ]
  const duration = took(record.started_at, record.finished_at, now)
  if (duration !== null)
    facts.push({ name: 'Took', value: record.finished_at === null ? `${duration} so far` : duration })
  if (record.cancel_reason !== null) facts.push({ name: 'Canceled because', value: record.cancel_reason })
  if (record.pull_request?.id) facts.push({ name: 'Pull request', value: `#${record.pull_request.id}` })
  const origin = record.rebuiltFrom ?? record.triggeredFrom
  const originPipeline = origin && state.get('pipelines', origin.pipelineId)
  if (origin && originPipeline) {
    facts.push({
      name: record.rebuiltFrom ? 'Rebuilt from' : 'Triggered by',
      value: <a href={buildUrl(originPipeline, origin.number)}>{`${originPipeline.slug} #${origin.number}`}</a>,
    })
  }
  const crumbs = [
    ...organizationCrumbs(urls.webUrl, organization),
    { href: recordUrls(urls).pipelineWeb(org, slug), text: pipeline.name },
  ]
  return page(
    c,
    { title: `${pipeline.name} #${record.number}` },
    <>
      <div class="head">
        <Crumbs crumbs={crumbs} />
        <div class="headline">
          <h1>{`${pipeline.name} #${record.number}`}</h1>
          <State state={shownState(record)} />
        </div>
        <p class="lead" dir="auto">
          {firstLine(record.message)}
        </p>
      </div>
      <section class="card" aria-label="Facts">
        <div class="body">
          <Facts facts={facts} />
        </div>
      </section>
      <section class="card">
        <header>
          <h2>Jobs</h2>
          <p>{record.jobs.length}</p>
        </header>
        {record.jobs.length === 0 ? (
          <p class="empty">This build has no jobs.</p>
        ) : (
          <ol class="rows">
            {record.jobs.map((job) => (
              <Job job={job} now={now} agentUrl={(id) => recordUrls(urls).agentWeb(org, id)} />
            ))}
          </ol>
        )}
      </section>
    </>,
  )
}

function Job({
  job,
  now,
  agentUrl,
}: {
  readonly job: JobRecord
  readonly now: number
  readonly agentUrl: (id: string) => string
}) {
  const notes = [
    job.soft_failed ? 'does not fail the build' : null,
    job.exit_status === null ? null : `exit ${job.exit_status}`,
    job.signal,
    job.retried ? 'retried' : null,
    job.parallel_group_total === null ? null : `${(job.parallel_group_index ?? 0) + 1} of ${job.parallel_group_total}`,
  ].filter((note) => note !== null)
  return (
    <li id={job.id}>
      <State state={job.state} />
      <div class="grow">
        <p class="what">{job.type === 'waiter' ? 'Wait' : (job.name ?? job.step_key ?? job.type)}</p>
        {job.command ? (
          <p class="sub">
            <code>{job.command.split('\n', 1)[0]}</code>
          </p>
        ) : null}
      </div>
      <div class="aside">
        {notes.join(' · ')}
        {job.agent ? (
          <>
            {notes.length > 0 ? ' · ' : ''}
            <a href={agentUrl(job.agent)}>agent</a>
          </>
        ) : null}
        {job.started_at ? ` · ${took(job.started_at, job.finished_at, now)}` : ''}
      </div>
    </li>
  )
}
