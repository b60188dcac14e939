import { command } from '../../context/base-command.js'
import { switchFlag } from '../../flags/flags.js'
import { webFlag } from '../../flags/groups.js'
import { jsonText, say } from '../../io/printable.js'
import { createBody, createFlags } from '../../jobs/create-body.js'
import { afterMade, hinted, printsAtEnd } from '../../jobs/each-target.js'
import { builds } from '../../views/records.js'

export const Command = command({
  summary: 'Start a build',
  description: 'Without --branch and --commit: the branch and the commit that are checked out here.',
  scope: 'write_builds',
  operations: ['builds.create'],
  record: 'Build',
  examples: ['ci builds create -p acme/web -b main -c HEAD -m "Try again"', 'ci builds create -e DEPLOY=yes --watch'],
  flags: {
    ...createFlags,
    'dry-run': switchFlag({ summary: 'Show the request and send nothing' }),
    watch: switchFlag({ summary: 'Follow the build and exit by its outcome' }),
    ...webFlag,
  },
  async execute(context, { flags }) {
    const { target, out } = context
    const pipeline = await target.pipeline()
    target.tell(pipeline)
    const { org_slug, pipeline_slug } = pipeline
    const body = await createBody(context, flags)
    if (flags['dry-run'] === true) {
      const path = `/v2/organizations/${org_slug}/pipelines/${pipeline_slug}/builds`
      const request = { operationId: 'builds.create', method: 'POST', path, body }
      return out.value(request, () => [say`POST ${path}`, jsonText(body)])
    }
    const made = await hinted(context, { org_slug, pipeline_slug, branch: body.branch }, (ci, call) =>
      ci.builds.create({ org_slug, pipeline_slug, ...body }, call),
    )
    const { data: build } = made
    if (flags.watch !== true || !printsAtEnd(context)) await out.answer(builds, made)
    await afterMade(context, flags, [{ path: { org_slug, pipeline_slug, number: build.number }, build }])
  },
})
