/** @jsxImportSource hono/jsx */
import { isFinished } from '../domain/job.js'
import { JobList } from '../domain/job-list.js'
import { recordUrls } from '../present/urls.js'
import type { JobRecord } from '../records/records.js'
import { jobLog } from '../sandbox/lifecycle/log-text.js'
import { notFound, recordPage } from './answer.js'
import { Artifacts } from './attachments.js'
import { jobNotes } from './build.js'
import { LogView } from './log.js'
import { momentAgo, took } from './moments.js'
import { named, type PageRequest } from './page-context.js'
import { type Fact, Section } from './record.js'
import { State } from './state.js'
import { jobName } from './timeline.js'

/** `/{org}/{pipeline}/builds/{number}/jobs/{id}`: one run of a job, with its log; `#L12` jumps to a line. */
export function job(c: PageRequest): Response {
  const { store, urls, clock } = c.env.sandbox
  const { organization, pipeline, build, id, crumbs } = named(c)
  const record = build && JobList.of(build.jobs).job(id)
  if (!organization || !pipeline || !build || !record) return notFound(c, 'job')
  const now = clock.now()
  const { buildWeb, pipelineWeb, agentWeb } = recordUrls(urls)
  const buildPage = buildWeb(organization.slug, pipeline.slug, build.number)
  const facts: Fact[] = []
  if (record.command) facts.push({ name: 'Command', value: <code>{record.command}</code> })
  if (jobNotes(record).length > 0) facts.push({ name: 'Result', value: jobNotes(record).join(' · ') })
  if (record.started_at) facts.push({ name: 'Started', value: momentAgo(record.started_at, now) })
  const duration = took(record.started_at, record.finished_at, now)
  if (duration !== null) facts.push({ name: 'Took', value: isFinished(record) ? duration : `${duration} so far` })
  const agent = record.agent === null ? undefined : store.state.get('agents', record.agent)
  if (agent) facts.push({ name: 'Agent', value: <a href={agentWeb(organization.slug, agent.id)}>{agent.name}</a> })
  const other = record.retried_in_job_id ?? record.retry_source?.job_id
  if (other) {
    const text = record.retried_in_job_id ? 'The run that replaced this one' : 'The run before this one'
    facts.push({ name: 'Retried', value: <a href={`${buildPage}/jobs/${other}`}>{text}</a> })
  }
  return recordPage(
    c,
    {
      title: jobName(record),
      refresh: isFinished(record) ? undefined : 5,
      crumbs: [
        ...crumbs,
        { href: pipelineWeb(organization.slug, pipeline.slug), text: pipeline.name },
        { href: buildPage, text: `#${build.number}` },
      ],
      badge: <State state={record.state} />,
      facts,
    },
    <>
      <LogSection job={record} text={jobLog(record, now).content} />
      <Artifacts c={c} artifacts={store.state.list('artifacts', record.id)} />
    </>,
  )
}

function LogSection({ job, text }: { readonly job: JobRecord; readonly text: string }) {
  const why = job.started_at === null ? 'This job has not run, so there is no log.' : 'This job has printed nothing.'
  const lines = text === '' ? 0 : text.replace(/\n$/u, '').split('\n').length
  return (
    <Section title="Log" beside={`${lines} ${lines === 1 ? 'line' : 'lines'}`}>
      {text === '' ? <p class="empty">{why}</p> : <LogView text={text} />}
    </Section>
  )
}
