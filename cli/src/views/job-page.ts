import { parseTimestamp } from '@buildwire/sdk'
import type { Job } from '@buildwire/sdk/contract'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { blank, type Printable, reference, say } from '../io/printable.js'
import { duration } from '../io/time.js'
import { runningTime } from './build.js'
import { momentText } from './build-page.js'
import { layoutFacts, type NextStep, stepLines } from './facts.js'
import { isFailedJob, isUnblockable, jobTitle, logUrl, stateWords } from './job.js'
import { jobMark, jobNote } from './job-rows.js'
import { markText } from './marks.js'
import type { ViewOptions } from './view.js'

/**
 * One job as a page: its state, its facts, and commands to run next, which name the job by `word`.
 */
export function jobPage(job: Job, word: string, view: ViewOptions): readonly Printable[] {
  const { looks } = view
  const look = jobMark(job)
  const note = emojify(jobNote(job, [job]), looks.ascii)
  const url = safeUrl(job.web_url)
  const steps = stepLines(nextSteps(job, word, view), view)
  return [
    looks.paint(
      look.style,
      say`${markText(look, looks)}${emojify(jobTitle(job), looks.ascii)} ${stateWords(job)}`,
    ),
    ...(note === '' ? [] : [say`  ${note}`]),
    blank,
    ...layoutFacts(facts(job, view), view),
    ...[
      { label: 'command', value: job.command },
      { label: 'id', value: job.id },
    ].flatMap((fact) => layoutFacts([fact], view)),
    ...(url === null && steps.length === 0 ? [] : [blank]),
    ...(url === null ? [] : [say`  ${view.link(say`${url}`, url)}`]),
    ...steps,
  ]
}

function facts(job: Job, view: ViewOptions) {
  const { runnable_at, started_at, finished_at, unblocked_by, retries_count, matrix } = job
  const ready = parseTimestamp(runnable_at)
  const started = parseTimestamp(started_at)
  const matrixValues = matrix
    ? Object.entries(matrix).map(([name, value]) => `${name}=${String(value)}`)
    : []
  return [
    { label: 'build', value: buildOf(job) },
    { label: 'step', value: job.step_key },
    { label: 'group', value: job.group_key },
    { label: 'type', value: job.type === 'script' ? null : job.type },
    { label: 'agent', value: job.agent?.name },
    { label: 'attempt', value: retries_count ? `${retries_count + 1}` : null },
    { label: 'matrix', value: matrixValues.join(', ') },
    { label: 'started', value: momentText(started_at, view) },
    {
      label: parseTimestamp(finished_at) === null ? 'running' : 'took',
      value: runningTime(job, view.now),
    },
    {
      label: 'waited',
      value: ready === null || started === null ? null : duration(started - ready),
    },
    { label: 'unblocked', value: unblocked_by?.name ? `by ${unblocked_by.name}` : null },
  ]
}

/** The build of a job as a command line names it; null if no URL of the job contains it. */
function buildOf({ build_url, web_url, log_url }: Job): string | null {
  for (const url of [build_url, log_url, web_url]) {
    const match = /\/([\w.-]+)\/(?:pipelines\/)?([\w.-]+)\/builds\/(\d+)/u.exec(url ?? '')
    const [, org_slug = null, pipeline_slug = null, number] = match ?? []
    if (number !== undefined) return reference({ org_slug, pipeline_slug }, Number(number))
  }
  return null
}

function nextSteps(job: Job, jobWord: string, { command }: ViewOptions): NextStep[] {
  const build = buildOf(job)
  if (build === null) return []
  const about = (text: Printable, ...words: string[]) => ({
    about: text,
    command: command([...words, build, '--job', jobWord]),
  })
  const isOver = isFailedJob(job) && job.retried !== true
  return [
    ...(isUnblockable(job) ? [about(say`To unblock it`, 'jobs', 'unblock')] : []),
    ...(logUrl(job) !== null && job.started_at ? [about(say`Log`, 'builds', 'logs')] : []),
    ...(isOver && job.state !== 'broken' ? [about(say`To retry it`, 'jobs', 'retry')] : []),
  ]
}
