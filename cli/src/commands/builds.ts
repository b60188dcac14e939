import { type BuildPath, JOB_STATES, type JobStateFilter } from '@buildwire/sdk/contract'
import { command } from '../context/base-command.js'
import type { Context } from '../context/context.js'
import { inferredText } from '../context/create-target.js'
import { buildScope, filterFlags, listParams, printList, scopeUrl } from '../context/lists.js'
import { parseDuration } from '../flags/duration.js'
import {
  choiceFlag,
  numberFlag,
  parsedFlag,
  statesFlag,
  switchFlag,
  textFlag,
  textsFlag,
} from '../flags/flags.js'
import {
  buildArg,
  buildsArg,
  listFlags,
  type Parameters,
  timeoutFlag,
  webFlag,
} from '../flags/groups.js'
import { typedTarget } from '../flags/number.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { isFailedJob } from '../views/job.js'
import { builds } from '../views/records.js'

export const list = command({
  summary: 'List builds, newest first',
  description:
    'Lists the builds of the pipeline that the repository belongs to, else of the organization, ' +
    'else all you can see.',
  operations: ['builds.list', 'builds.listForOrganization', 'builds.listForPipeline'],
  record: 'Build',
  examples: [
    'ci builds list --branch main --failed',
    'ci builds list -p acme/web --json=number,state',
  ],
  flags: {
    ...filterFlags,
    ...listFlags,
    'all-orgs': switchFlag({ summary: 'Builds of all your organizations' }),
    ...webFlag,
  },
  async execute(context, { flags }) {
    const scope = await buildScope(context, flags)
    if (flags.web === true) return context.openPage(await scopeUrl(context, scope))
    const { org_slug, pipeline_slug } = scope
    const seen = {
      ...flags,
      about: inferredText(scope),
      manyPipelines: pipeline_slug === undefined,
    }
    await printList(context, builds, seen, async (ci, { per_page }, call) => {
      const params = await listParams(context, flags, scope, per_page)
      if (org_slug === undefined) return ci.builds.list(params, call).byPage()
      if (pipeline_slug === undefined)
        return ci.builds.listForOrganization({ ...params, org_slug }, call).byPage()
      return ci.builds.listForPipeline({ ...params, org_slug, pipeline_slug }, call).byPage()
    })
  },
})

export const get = command({
  summary: 'Show one build and its jobs',
  operations: ['builds.get'],
  record: 'Build',
  examples: ['ci builds get web#42', 'ci builds get @latest --branch main --json=state,jobs.name'],
  args: buildArg,
  flags: {
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'job-state': statesFlag(JOB_STATES, {
      helpValue: 'STATE',
      summary: 'Only jobs in these states',
    }),
    failed: switchFlag({ summary: 'Only jobs that failed, hard or softly' }),
    'exclude-jobs': switchFlag({ summary: 'Without jobs' }),
    'include-retried-jobs': switchFlag({ summary: 'With earlier runs of retried jobs' }),
    'include-test-engine': switchFlag({ summary: 'With data of the test suites that ran' }),
    'exit-status': switchFlag({
      summary: 'Exit by the outcome of the build, as builds watch does',
    }),
    ...webFlag,
  },
  async execute(context, { args, flags }) {
    const { out } = context
    const path = await context.target.build(args.number, { branch: flags.branch })
    const states = flags['job-state']?.flat() as JobStateFilter[] | undefined
    const query = {
      exclude_jobs:
        flags['exclude-jobs'] === true || (out.machine && !out.wants('jobs')) || undefined,
      include_retried_jobs: flags['include-retried-jobs'] === true || undefined,
      include_test_engine: flags['include-test-engine'] === true || undefined,
      job_states: states,
    } satisfies Parameters<'builds.get'>
    const { data, response } = await context.ask((ci, call) =>
      ci.builds.get({ ...path, ...query }, call),
    )
    if (flags.web === true) return context.openPage(data.web_url)
    const jobs = flags.failed === true ? data.jobs?.filter(isFailedJob) : data.jobs
    const build = jobs === undefined ? data : { ...data, jobs }
    await out.answer(builds, { data: build, response }, { page: true })
    if (flags['exit-status'] !== true) return
    const { exitCodeOfBuild } = await import('../watch/outcome.js')
    return exitCodeOfBuild(data)
  },
})

export const open = command({
  summary: "Open a build's page in a browser",
  operations: ['builds.get'],
  examples: ['ci builds open web#42', 'ci builds open @latest --job "Unit tests"'],
  args: buildArg,
  flags: { job: textFlag({ helpValue: 'ID|NAME', summary: 'The page of this job' }) },
  async execute(context, { args, flags }) {
    const { findJob, jobsToSearch } = await import('../jobs/find-job.js')
    const { build: typed, word } = typedTarget({ ...args, ...flags })
    const path = await context.target.build(typed)
    const job = word === undefined ? null : findJob(await jobsToSearch(context, path, [word]), word)
    if (job?.web_url) return context.openPage(job.web_url)
    const ci = await context.ci()
    const build = await ci.builds.get({ ...path, exclude_jobs: true }, { signal: context.signal })
    await context.openPage(build.web_url)
  },
})

export const logs = command({
  summary: 'Print the logs of the jobs of a build',
  description:
    'One job prints its text; with several jobs each line starts with the name of its job.',
  operations: ['jobs.logText', 'builds.get'],
  examples: ['ci builds logs acme/web#42 --failed', 'ci builds logs @latest --job lint --follow'],
  args: buildArg,
  flags: {
    job: textsFlag({
      helpValue: 'ID|NAME',
      summary: 'This job: id, URL, step key, name, or a part of the name',
    }),
    failed: switchFlag({ summary: 'Jobs that failed, hard or softly' }),
    follow: switchFlag({
      char: 'f',
      summary: 'Follow the jobs to their end, and exit by their outcome',
    }),
    tail: numberFlag('tail', 1, { helpValue: 'N', summary: 'Only the last N lines of each job' }),
    grep: textFlag({
      helpValue: 'TEXT',
      summary: 'Only lines that contain TEXT; case counts if TEXT has a capital letter',
    }),
    around: numberFlag('around', 0, {
      char: 'C',
      max: 1_000,
      helpValue: 'N',
      summary: 'With N lines before and after each line that --grep finds',
    }),
    raw: switchFlag({ summary: 'Print the bytes as received' }),
    'no-prefix': switchFlag({ summary: 'Leave out the names of the jobs' }),
  },
  async execute(context, { args, flags }) {
    if (flags.follow === true && context.out.machine)
      throw usageError(say`--follow prints text, so it takes no JSON output`)
    checkGrep(context, flags)
    const [first, ...others] = flags.job ?? []
    const { build, word } = typedTarget({ ...args, job: first })
    const target = await context.target.build(build)
    const { showLogs } = await import('../logs/show-logs.js')
    await showLogs(context, target, {
      ...flags,
      job: word === undefined ? undefined : [word, ...others],
      prefix: flags['no-prefix'] !== true && flags.raw !== true,
    })
  },
})

function checkGrep(
  { out }: Context,
  flags: {
    readonly grep?: string | undefined
    readonly around?: number | undefined
    readonly follow?: boolean | undefined
    readonly raw?: boolean | undefined
  },
): void {
  if (flags.grep === undefined) {
    if (flags.around !== undefined) throw usageError(say`--around needs --grep`)
    return
  }
  if (flags.grep === '') throw usageError(say`--grep needs a text`)
  if (flags.follow === true) throw usageError(say`--grep and --follow exclude each other`)
  if (flags.raw === true) throw usageError(say`--grep and --raw exclude each other`)
  if (out.mode === 'json')
    throw usageError(say`--grep prints one JSON object a line; write -o jsonl`)
}

const WAIT_START_MS = 120_000

export const watch = command({
  summary: 'Follow builds until they are over, and exit by the worst outcome',
  description:
    'Without NUMBER it follows the newest build of the commit and branch that are checked out, ' +
    'and waits for it to appear. --commit follows the builds of this commit in all pipelines ' +
    'of the organization, or in the named pipeline.',
  operations: ['builds.get', 'builds.listForPipeline', 'builds.listForOrganization'],
  record: 'Build',
  examples: [
    'ci builds watch acme/web#42',
    'ci builds watch @latest --until failing --timeout 30m',
    'ci builds watch --commit HEAD',
  ],
  args: buildsArg,
  flags: {
    commit: textFlag({ char: 'c', helpValue: 'SHA', summary: 'The newest builds of this commit' }),
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'wait-start': parsedFlag(parseDuration, {
      helpValue: 'DUR',
      summary: 'How long to wait for the build to appear (2m)',
    }),
    until: choiceFlag('until', ['finished', 'started', 'failing', 'blocked'], {
      summary: 'The event to wait for',
    }),
    'fail-fast': switchFlag({ summary: 'The same as --until failing' }),
    'allow-blocked': switchFlag({ summary: 'Keep watching while a build waits for a person' }),
    ...timeoutFlag,
    interval: parsedFlag(parseDuration, {
      helpValue: 'DUR',
      summary: 'Polling interval (default: 5s or longer)',
    }),
    compact: switchFlag({ summary: 'Leave out the jobs' }),
  },
  async execute(context, { args, flags }) {
    if (flags['fail-fast'] === true && flags.until !== undefined && flags.until !== 'failing') {
      throw usageError(say`--fail-fast and --until ${flags.until} cannot be used together`)
    }
    const { commit, branch, 'wait-start': waitMs = WAIT_START_MS } = flags
    const { checkInterval, findBuilds } = await import('../watch/find-build.js')
    const intervalMs = checkInterval(flags.interval, (await context.settings()).baseUrl.value)
    const isOrganization = flags.org !== undefined && flags.pipeline === undefined
    const targets: BuildPath[] = []
    if (args.number === undefined) {
      targets.push(
        ...(await findBuilds(context, { commit, branch, isOrganization, waitMs, intervalMs })),
      )
    } else if (commit !== undefined)
      throw usageError(say`NUMBER and --commit cannot be used together`)
    for (const number of args.number ?? [])
      targets.push(await context.target.build(number, { branch }))
    const { watch } = await import('../watch/watch-build.js')
    await watch(context, {
      targets,
      until: flags['fail-fast'] === true ? 'failing' : flags.until,
      allowBlocked: flags['allow-blocked'],
      timeoutMs: flags.timeout,
      intervalMs,
      compact: flags.compact === true || flags.quiet === true,
    })
  },
})
