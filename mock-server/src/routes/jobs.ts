import type { Context, Handlers, PathParameters } from '../context.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { present } from '../http/present.js'
import { findJob } from '../http/resource.js'
import { type JobLog, jobLog } from '../lifecycle/log-text.js'

interface Found {
  readonly url: string
  readonly log: JobLog
}

/** The log of a script job; other kinds have none, and then there is no such job. */
function findLog(path: PathParameters, context: Context): Decision<Found> {
  const place = findJob(context, path)
  if (!place.ok) return place
  const { build, job } = place.value
  if (job.type !== 'script') return refuse('not_found', 'No job found')
  const { url } = present(context.sandbox).buildUrls(build)
  return accept({ url: `${url}/jobs/${job.id}/log`, log: jobLog(job, context.now) })
}

const asText = ({ log }: Found) =>
  accept({ text: log.content, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })

/** Whether the caller names plain text and not JSON. */
const wantsText = (request: Request): boolean => {
  const wanted = (request.headers.get('accept') ?? '').toLowerCase()
  return wanted.includes('text/plain') && !wanted.includes('application/json')
}

export const jobHandlers = {
  'jobs.log': (path, context) => {
    const found = findLog(path, context)
    if (!found.ok) return found
    if (wantsText(context.request)) return asText(found.value)
    const { url, log } = found.value
    const size = Buffer.byteLength(log.content)
    return accept({ body: { url, content: log.content, size, header_times: log.header_times } })
  },

  'jobs.logText': (path, context) => {
    const found = findLog(path, context)
    return found.ok ? asText(found.value) : found
  },
} satisfies Partial<Handlers>
