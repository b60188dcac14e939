import type { JobStateFilter } from '@buildwire/sdk/contract'
import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { switchFlag, textArg, textFlag, wordsFlag } from '../../flags/flags.js'
import { BUILD, webFlag } from '../../flags/groups.js'
import type { Parameters } from '../../flags/parameters.js'
import { ExitRequest } from '../../io/command-error.js'
import { ExitCode } from '../../io/exit-codes.js'
import { builds } from '../../views/builds.js'
import { isFailedJob } from '../../views/job.js'

/** `ci builds get` */
export class BuildsGet extends BaseCommand<typeof BuildsGet> {
  static override summary = 'Show one build and its jobs'
  static override scope = 'read_builds'
  static override operations = ['builds.get']
  static override record = 'Build' as const
  static override examples = ['ci builds get web#42', 'ci builds get @latest --branch main --json=state,jobs.name']
  static override args = { number: textArg({ description: BUILD }) }
  static override flags = {
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'The newest build of this branch' }),
    'job-state': wordsFlag({ helpValue: 'STATE', summary: 'Only jobs in these states' }),
    failed: switchFlag({ summary: 'Only jobs that failed, hard or softly' }),
    'exclude-jobs': switchFlag({ summary: 'Without jobs' }),
    'include-retried-jobs': switchFlag({ summary: 'With earlier runs of retried jobs' }),
    'include-test-engine': switchFlag({ summary: 'With data of the test suites that ran' }),
    'exit-status': switchFlag({ summary: 'Exit by the outcome of the build, as builds watch does' }),
    ...webFlag,
  }

  protected async execute(context: Context, { args, flags }: Input<typeof BuildsGet>): Promise<void> {
    const { out, signal } = context
    const path = await context.target.build(args.number, { branch: flags.branch })
    const states = flags['job-state']?.flat() as JobStateFilter[] | undefined
    const query = {
      exclude_jobs: flags['exclude-jobs'] === true || (out.machine && !out.wants('jobs')) || undefined,
      include_retried_jobs: flags['include-retried-jobs'] === true || undefined,
      include_test_engine: flags['include-test-engine'] === true || undefined,
      job_states: states,
    } satisfies Parameters<'builds.get'>
    const ci = await context.ci()
    const { data, response } = await ci.builds.get({ ...path, ...query }, { signal }).withResponse()
    if (flags.web === true) return context.openPage(data.web_url)
    const jobs = flags.failed === true ? data.jobs?.filter(isFailedJob) : data.jobs
    const build = jobs === undefined ? data : { ...data, jobs }
    await out.record(builds, build, { page: true, date: dateOf(response) })
    if (flags['exit-status'] !== true) return
    const { exitCodeOfBuild } = await import('../../watch/outcome.js')
    const code = exitCodeOfBuild(data)
    if (code !== ExitCode.ok) throw new ExitRequest(code)
  }
}
