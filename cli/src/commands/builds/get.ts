import type { JobStateFilter } from '@buildwire/sdk/contract'
import { command } from '../../context/base-command.js'
import { switchFlag, textArg, textFlag, wordsFlag } from '../../flags/flags.js'
import { BUILD, webFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { ExitRequest } from '../../io/command-error.js'
import { ExitCode } from '../../io/exit-codes.js'
import { isFailedJob } from '../../views/job.js'
import { builds } from '../../views/records.js'

export const Command = command({
  summary: 'Show one build and its jobs',
  scope: 'read_builds',
  operations: ['builds.get'],
  record: 'Build',
  examples: ['ci builds get web#42', 'ci builds get @latest --branch main --json=state,jobs.name'],
  args: { number: textArg({ description: BUILD }) },
  flags: {
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'job-state': wordsFlag({ helpValue: 'STATE', summary: 'Only jobs in these states' }),
    failed: switchFlag({ summary: 'Only jobs that failed, hard or softly' }),
    'exclude-jobs': switchFlag({ summary: 'Without jobs' }),
    'include-retried-jobs': switchFlag({ summary: 'With earlier runs of retried jobs' }),
    'include-test-engine': switchFlag({ summary: 'With data of the test suites that ran' }),
    'exit-status': switchFlag({ summary: 'Exit by the outcome of the build, as builds watch does' }),
    ...webFlag,
  },
  async execute(context, { args, flags }) {
    const { out } = context
    const path = await context.target.build(args.number, { branch: flags.branch })
    const states = flags['job-state']?.flat() as JobStateFilter[] | undefined
    const query = {
      exclude_jobs: flags['exclude-jobs'] === true || (out.machine && !out.wants('jobs')) || undefined,
      include_retried_jobs: flags['include-retried-jobs'] === true || undefined,
      include_test_engine: flags['include-test-engine'] === true || undefined,
      job_states: states,
    } satisfies Parameters<'builds.get'>
    const { data, response } = await context.ask((ci, call) => ci.builds.get({ ...path, ...query }, call))
    if (flags.web === true) return context.openPage(data.web_url)
    const jobs = flags.failed === true ? data.jobs?.filter(isFailedJob) : data.jobs
    const build = jobs === undefined ? data : { ...data, jobs }
    await out.answer(builds, { data: build, response }, { page: true })
    if (flags['exit-status'] !== true) return
    const { exitCodeOfBuild } = await import('../../watch/outcome.js')
    const code = exitCodeOfBuild(data)
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  },
})
