import { JOB_STATES, type Job, type JobStateFilter } from '@buildwire/sdk/contract'
import { command } from '../context/base-command.js'
import { parsedFlags, statesFlag, switchFlag, textFlag } from '../flags/flags.js'
import { buildArg, jobFlag, type Parameters, webFlag, yesFlag } from '../flags/groups.js'
import { byKey, parseAssignment } from '../flags/key-value.js'
import { say } from '../io/printable.js'
import { hinted } from '../jobs/each-target.js'
import { findJobTarget } from '../jobs/find-job.js'
import { isFailedJob, isUnblockable } from '../views/job.js'
import { jobNamed, jobs } from '../views/records.js'

export const list = command({
  summary: 'List the jobs of a build',
  operations: ['builds.get'],
  record: 'Job',
  examples: ['ci jobs list web#42 --failed', 'ci jobs list @latest --json=name,state,exit_status'],
  args: buildArg,
  flags: {
    state: statesFlag(JOB_STATES, {
      char: 's',
      helpValue: 'STATE',
      summary: 'Only jobs in these states',
    }),
    failed: switchFlag({ summary: 'Only jobs that failed, hard or softly' }),
    'include-retried-jobs': switchFlag({ summary: 'With earlier runs of retried jobs' }),
  },
  async execute(context, { args, flags }) {
    const path = await context.target.build(args.number)
    const query = {
      include_retried_jobs: flags['include-retried-jobs'] === true || undefined,
      job_states: flags.state?.flat() as JobStateFilter[] | undefined,
      exclude_jobs: undefined,
      include_test_engine: undefined,
    } satisfies Parameters<'builds.get'>
    const { data, response } = await context.ask((ci, call) =>
      ci.builds.get({ ...path, ...query }, call),
    )
    const shown = (data.jobs ?? []).filter((job) => {
      return job.type !== 'waiter' && (flags.failed !== true || isFailedJob(job))
    })
    if (shown.length === 0) context.notes.note(say`No jobs match`)
    await context.out.records(jobs, shown, { date: response.headers.get('date') })
  },
})

export const get = command({
  summary: 'Show one job of a build',
  operations: ['jobs.get', 'builds.get'],
  record: 'Job',
  examples: [
    'ci jobs get web#42 --job lint',
    'ci jobs get @latest --job "Unit tests" --json=state,agent',
  ],
  args: buildArg,
  flags: { ...jobFlag, ...webFlag },
  async execute(context, { args, flags }) {
    const choice = { isSuitable: () => true, description: 'can be shown' }
    const { path, word } = await findJobTarget(context, { ...args, ...flags }, choice)
    const found = await context.ask((ci, call) => ci.jobs.get(path, call))
    if (flags.web === true && found.data.web_url) return context.openPage(found.data.web_url)
    await context.out.answer(jobNamed(word), found, { page: true })
  },
})

export const retry = command({
  summary: 'Retry one job that failed, timed out, was canceled or expired',
  description: 'Without --job: the only failed job of the build. It prints the new job.',
  operations: ['jobs.retry', 'builds.get'],
  record: 'Job',
  examples: ['ci jobs retry web#42 --job lint', 'ci jobs retry @latest --job "Unit tests" -o id'],
  args: buildArg,
  flags: { ...jobFlag, ...yesFlag },
  async execute(context, { args, flags }) {
    const isSuitable = (job: Job) => isFailedJob(job) && job.retried !== true
    const choice = { ask: 'Retry a job of', isSuitable, description: 'failed' }
    const { path } = await findJobTarget(context, { ...args, ...flags }, choice)
    const made = await hinted(context, path, (ci, call) => ci.jobs.retry(path, call))
    await context.out.answer(jobs, made)
  },
})

export const unblock = command({
  summary: 'Unblock a build that waits for a person',
  description: 'Without --job: the only step of the build that waits.',
  operations: ['jobs.unblock', 'builds.get'],
  record: 'Job',
  examples: [
    'ci jobs unblock web#42',
    'ci jobs unblock web#42 --job "Deploy to production?" --field release=beta',
  ],
  args: buildArg,
  flags: {
    ...jobFlag,
    field: parsedFlags(parseAssignment, {
      helpValue: 'K=V',
      summary: 'Value of a field of the step; the same name twice makes a list',
    }),
    unblocker: textFlag({
      helpValue: 'UUID',
      summary: 'Unblock as this user (default: you)',
    }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const choice = {
      ask: 'Unblock',
      isSuitable: isUnblockable,
      description: 'waits for a person',
    }
    const { path } = await findJobTarget(context, { ...args, ...flags }, choice)
    const fields = flags.field && fieldValues(byKey(flags.field))
    const body = { fields, unblocker: flags.unblocker } satisfies Parameters<'jobs.unblock'>
    const job = await context.ask((ci, call) => ci.jobs.unblock({ ...path, ...body }, call))
    await context.out.answer(jobs, job)
  },
})

/** One value of a field as a text, several as a list. */
function fieldValues(typed: Readonly<Record<string, readonly string[]>>) {
  const fields = Object.entries(typed).map(([key, values]) => {
    const [first = '', second] = values
    return [key, second === undefined ? first : values] as const
  })
  return Object.fromEntries(fields)
}
