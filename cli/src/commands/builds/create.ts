import { command } from '../../context/base-command.js'
import { numberFlag, parsedFlag, parsedFlags, switchFlag, textFlag, textsFlag } from '../../flags/flags.js'
import { webFlag } from '../../flags/groups.js'
import { parseKeyValue, parseMetaData } from '../../flags/key-value.js'
import { jsonText, say } from '../../io/printable.js'
import { createBody, parseAuthor } from '../../jobs/create-body.js'
import { hinted } from '../../jobs/each-target.js'
import { afterMade, printsAtEnd } from '../../jobs/watch-written.js'
import { builds } from '../../views/builds.js'

export const Command = command({
  summary: 'Start a build',
  description: 'Without --branch and --commit: the branch and the commit that are checked out here.',
  scope: 'write_builds',
  operations: ['builds.create'],
  record: 'Build',
  examples: ['ci builds create -p acme/web -b main -c HEAD -m "Try again"', 'ci builds create -e DEPLOY=yes --watch'],
  flags: {
    commit: textFlag({ char: 'c', helpValue: 'SHA|REF', summary: 'Commit, tag or ref, sent as typed (HEAD here)' }),
    branch: textFlag({ char: 'b', helpValue: 'NAME', summary: 'Branch (the one that is checked out)' }),
    message: textFlag({ char: 'm', helpValue: 'TEXT', summary: 'Message of the build' }),
    'message-file': textFlag({ helpValue: 'FILE|-', summary: 'Message from a file or stdin' }),
    env: parsedFlags(parseKeyValue, {
      char: 'e',
      helpValue: 'K[=V]',
      summary: 'Environment variable; K alone takes its value from here',
    }),
    'env-file': textFlag({ helpValue: 'FILE', summary: 'Environment variables from a file' }),
    'meta-data': parsedFlags(parseMetaData, {
      char: 'M',
      helpValue: 'K=V',
      summary: 'Meta-data; K:=true and K:=false are booleans',
    }),
    author: parsedFlag(parseAuthor, { helpValue: '"NAME <MAIL>"', summary: 'Author, where it is not you' }),
    'clean-checkout': switchFlag({ summary: 'Check out into an empty directory' }),
    'ignore-pipeline-branch-filters': switchFlag({ summary: 'Build although the pipeline does not build this branch' }),
    'pull-request-id': numberFlag('pull-request-id', 1, { helpValue: 'N', summary: 'Number of the pull request' }),
    'pull-request-base-branch': textFlag({ helpValue: 'NAME', summary: 'Branch that the pull request goes to' }),
    'pull-request-label': textsFlag({ helpValue: 'LABEL', summary: 'Label of the pull request' }),
    'pull-request-repository': textFlag({ helpValue: 'URL', summary: 'Repository of the pull request' }),
    'from-json': textFlag({ helpValue: 'FILE|-', summary: 'Properties from a JSON object; flags win' }),
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
