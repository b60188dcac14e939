import { dropEscapes } from '@buildwire/sdk/contract'
import { html } from 'hono/html'
import { accept, type Decision, map, refuse } from '../domain/decision.js'
import { JobList } from '../domain/job-list.js'
import { retryAsked } from '../domain/retry.js'
import { applyEvent } from '../domain/transition.js'
import { parseUuid } from '../http/query.js'
import { readRange } from '../http/range.js'
import { bodyReader, optional, pairs } from '../http/read-body.js'
import type { Presentation } from '../present/present.js'
import type { BuildRecord } from '../records/records.js'
import type { HandlerAnswer, Handlers, RequestContext } from '../request/exchange.js'
import { inTurn, type RecordsOf } from '../request/resource.js'
import { jobLog, type LogText } from '../sandbox/lifecycle/log-text.js'
import { route, withBody } from './route.js'

function logOf({ job }: RecordsOf<'jobs.log'>, { now }: RequestContext): Decision<LogText> {
  return job.type === 'script' ? accept(jobLog(job, now)) : refuse('not_found', 'No job found')
}

function asHtml({ content }: LogText): HandlerAnswer {
  return {
    text: String(html`<pre>${dropEscapes(content)}</pre>\n`),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  }
}

function inRange(text: string, range: string | null): Decision<HandlerAnswer> {
  const bytes = Buffer.from(text)
  const part = readRange(range, bytes.byteLength)
  const accepts = { 'Accept-Ranges': 'bytes' }
  if (part === null) return accept({ text: bytes, headers: accepts })
  if (part === 'unsatisfiable') {
    const headers = { ...accepts, 'Content-Range': `bytes */${bytes.byteLength}` }
    return refuse('range_not_satisfiable', 'Range is not satisfiable', { headers })
  }

  const { start, end } = part
  const headers = { ...accepts, 'Content-Range': `bytes ${start}-${end - 1}/${bytes.byteLength}` }
  return accept({ status: 206, text: bytes.subarray(start, end), headers })
}

/** The form of the log that the client accepts; JSON if it accepts several. */
function wantedForm({ url, headers }: Request): 'json' | 'html' | 'text' {
  if (new URL(url).pathname.endsWith('.html')) return 'html'
  const wanted = (headers.get('accept') ?? '').toLowerCase()
  if (wanted.includes('application/json')) return 'json'
  if (wanted.includes('text/html')) return 'html'
  return wanted.includes('text/plain') ? 'text' : 'json'
}

function answerJob(show: Presentation, build: BuildRecord, id: string): Decision<HandlerAnswer> {
  const job = JobList.of(build.jobs).job(id)
  return job === undefined
    ? refuse('not_found', 'No job found')
    : accept({ body: show.job(build, job) })
}

function isFieldAnswer(value: unknown): value is string | readonly string[] {
  return [value].flat().every((part) => typeof part === 'string')
}

const readUnblock = bodyReader('jobs.unblock', {
  unblocker: optional(null, (value) =>
    typeof value === 'string' ? (parseUuid(value) ?? undefined) : undefined,
  ),
  // Steps of this server have no fields, so the values are checked and then ignored.
  fields: pairs((value) => (isFieldAnswer(value) ? value : undefined)),
})

export const jobHandlers = {
  'jobs.get': route('jobs.get', ({ place: { build, job }, show }) =>
    answerJob(show, build, job.id),
  ),

  'jobs.retry': route('jobs.retry', async ({ place, show }, context) => {
    const retried = await inTurn(context, place, (turn, build) =>
      retryAsked(turn, build, place.job.id),
    )
    if (!retried.ok) return retried
    const old = JobList.of(retried.value.jobs).job(place.job.id)
    return answerJob(show, retried.value, old?.retried_in_job_id ?? '')
  }),

  'jobs.unblock': withBody('jobs.unblock', readUnblock, async ({ place, body, show }, context) => {
    const unblocked = await inTurn(context, place, (turn, build, _pipeline, { state }) => {
      const user = body.unblocker ?? context.caller.user.id
      if (state.find('member', build.organizationId, user) === undefined) {
        const errors = [{ field: 'unblocker', code: 'invalid' }] as const
        return refuse('unprocessable', 'Validation Failed', { errors })
      }
      return applyEvent(turn, build, place.job.id, { type: 'unblock', user })
    })
    return unblocked.ok ? answerJob(show, unblocked.value, place.job.id) : unblocked
  }),

  'jobs.log': route('jobs.log', ({ place, show }, context) =>
    map(logOf(place, context), (log) => {
      const { content, header_times } = log
      const form = wantedForm(context.request)
      if (form === 'html') return asHtml(log)
      if (form === 'text') return { text: content }
      const url = `${show.locationOf(place.build).url}/jobs/${place.job.id}/log`
      return { body: { url, content, size: Buffer.byteLength(content), header_times } }
    }),
  ),

  'jobs.logText': route('jobs.logText', ({ place }, context) => {
    const log = logOf(place, context)
    return log.ok ? inRange(log.value.content, context.request.headers.get('range')) : log
  }),
} satisfies Partial<Handlers>
