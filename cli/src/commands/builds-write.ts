import { type BuildPath, RETRY_STATES, type RetryState } from '@buildwire/sdk/contract'
import { command } from '../context/base-command.js'
import { statesFlag, switchFlag, textFlag } from '../flags/flags.js'
import { buildsArg, type Parameters, timeoutFlag, webFlag, yesFlag } from '../flags/groups.js'
import { jsonText, say } from '../io/printable.js'
import { createBody, createFlags } from '../jobs/create-body.js'
import { afterMade, checkAfterFlags, eachTarget, hinted, printsAtEnd } from '../jobs/each-target.js'
import { builds } from '../views/records.js'

export const create = command({
  summary: 'Start a build',
  description:
    'Without --branch and --commit: the branch and the commit that are checked out here.',
  operations: ['builds.create'],
  record: 'Build',
  examples: [
    'ci builds create -p acme/web -b main -c HEAD -m "Try again"',
    'ci builds create -e DEPLOY=yes --watch',
  ],
  flags: {
    ...createFlags,
    'dry-run': switchFlag({ summary: 'Show the request and send nothing' }),
    watch: switchFlag({ summary: 'Follow the build and exit by its outcome' }),
    ...timeoutFlag,
    ...webFlag,
  },
  async execute(context, { flags }) {
    const { target, out } = context
    checkAfterFlags(flags)
    const pipeline = await target.pipeline()
    target.noteInferred(pipeline)
    const { org_slug, pipeline_slug } = pipeline
    const body = await createBody(context, flags)
    if (flags['dry-run'] === true) {
      const path = `/v2/organizations/${org_slug}/pipelines/${pipeline_slug}/builds`
      const request = { operationId: 'builds.create', method: 'POST', path, body }
      return out.value(request, () => [say`POST ${path}`, jsonText(body)])
    }
    const made = await hinted(
      context,
      { org_slug, pipeline_slug, branch: body.branch },
      (ci, call) => ci.builds.create({ org_slug, pipeline_slug, ...body }, call),
    )
    const { data: build } = made
    if (flags.watch !== true || !printsAtEnd(context)) await out.answer(builds, made)
    await afterMade(context, flags, [
      { path: { org_slug, pipeline_slug, number: build.number }, build },
    ])
  },
})

export const cancel = command({
  summary: 'Cancel builds',
  operations: ['builds.cancel'],
  record: 'Build',
  examples: ['ci builds cancel web#42', 'ci builds cancel 41 42 --cancel-reason "superseded"'],
  args: buildsArg,
  flags: {
    'cancel-reason': textFlag({
      helpValue: 'TEXT',
      summary: 'The reason, which the build then shows',
    }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const body = { cancel_reason: flags['cancel-reason'] } satisfies Parameters<'builds.cancel'>
    await eachTarget(context, args.number, { ...flags, verb: 'Cancel' }, (path) =>
      context.ask((ci, call) => ci.builds.cancel({ ...path, ...body }, call)),
    )
  },
})

export const rebuild = command({
  summary: 'Start new builds of the same commits',
  operations: ['builds.rebuild'],
  record: 'Build',
  examples: ['ci builds rebuild web#42', 'ci builds rebuild @latest --watch'],
  args: buildsArg,
  flags: {
    watch: switchFlag({ summary: 'Follow the new builds and exit by the worst outcome' }),
    ...timeoutFlag,
    ...webFlag,
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    await eachTarget(context, args.number, { ...flags, verb: 'Rebuild', makes: true }, (path) =>
      hinted(context, path, (ci, call) => ci.builds.rebuild(path, call)),
    )
  },
})

export const retry = command({
  summary: 'Run the failed jobs of builds again',
  operations: ['builds.retryFailedJobs'],
  record: 'RetriedBuild',
  examples: ['ci builds retry web#42', 'ci builds retry 42 --state timed_out,expired --watch'],
  args: buildsArg,
  flags: {
    state: statesFlag(RETRY_STATES, {
      char: 's',
      helpValue: 'STATE',
      summary: 'Only jobs that are canceled, expired, failed, soft_failed or timed_out',
    }),
    watch: switchFlag({ summary: 'Follow the builds and exit by the worst outcome' }),
    ...timeoutFlag,
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const states = flags.state?.flat() as RetryState[] | undefined
    const body = { states } satisfies Parameters<'builds.retryFailedJobs'>
    const options = { ...flags, verb: 'Retry', schema: 'RetriedBuild' } as const
    const paths: BuildPath[] = []
    await eachTarget(context, args.number, options, async (path) => {
      const answer = await hinted(context, path, (ci, call) =>
        ci.builds.retryFailedJobs({ ...path, ...body }, call),
      )
      const count = answer.data.retried_jobs_count
      if (count !== undefined) {
        const jobs = count === 1 ? 'job' : 'jobs'
        context.notes.note(
          say`#${path.number}: ${count} ${jobs} retried; the build keeps its state until one starts`,
        )
      }
      paths.push(path)
      return answer
    })
    const [only] = paths
    if (only === undefined || paths.length > 1 || flags.watch === true) return
    const { unstableText } = await import('../watch/unstable.js')
    const unstable = await unstableText(context, only)
    if (unstable !== null) context.notes.note(unstable)
  },
})
