import type { Answer, Context, Handlers } from '../context.js'
import { accept, type Decision, map, refuse } from '../domain/decision.js'
import { present } from '../http/present.js'
import type { Place } from '../http/resource.js'
import { type JobLog, jobLog } from '../lifecycle/log-text.js'
import { route } from '../request/route.js'

/** The log of a script job; other kinds have none, and then there is no such job. */
const logOf = ({ job }: Place<'jobs.log'>, { now }: Context): Decision<JobLog> =>
  job.type === 'script' ? accept(jobLog(job, now)) : refuse('not_found', 'No job found')

const asText = ({ content }: JobLog): Answer => ({
  text: content,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
})

/** Whether the caller names plain text and not JSON. */
const wantsText = (request: Request): boolean => {
  const wanted = (request.headers.get('accept') ?? '').toLowerCase()
  return wanted.includes('text/plain') && !wanted.includes('application/json')
}

export const jobHandlers = {
  'jobs.log': route('jobs.log', ({ place }, context) =>
    map(logOf(place, context), (log) => {
      if (wantsText(context.request)) return asText(log)
      const { content, header_times } = log
      const url = `${present(context.sandbox).buildUrls(place.build).url}/jobs/${place.job.id}/log`
      return { body: { url, content, size: Buffer.byteLength(content), header_times } }
    }),
  ),

  'jobs.logText': route('jobs.logText', ({ place }, context) => map(logOf(place, context), asText)),
} satisfies Partial<Handlers>
