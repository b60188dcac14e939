import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { textArg } from '../../flags/flags.js'
import { webFlag } from '../../flags/groups.js'
import { pipelines } from '../../views/records.js'

/** `ci pipelines get` */
export class PipelinesGet extends BaseCommand<typeof PipelinesGet> {
  static override summary = 'Show one pipeline'
  static override scope = 'read_pipelines'
  static override operations = ['pipelines.get']
  static override record = 'Pipeline' as const
  static override examples = ['ci pipelines get acme/web', 'ci pipelines get --json=slug,running_builds_count']
  static override args = { pipeline: textArg({ description: '[ORG/]SLUG; else the pipeline of this repository' }) }
  static override flags = { ...webFlag }

  protected async execute(context: Context, { args, flags }: Input<typeof PipelinesGet>): Promise<void> {
    const { target, signal, out } = context
    const found = args.pipeline === undefined ? await target.pipeline() : await target.pipelineOf(args.pipeline)
    target.tell(found)
    const { org_slug, pipeline_slug } = found
    const ci = await context.ci()
    const { data, response } = await ci.pipelines.get({ org_slug, pipeline_slug }, { signal }).withResponse()
    if (flags.web === true && data.web_url) return context.openPage(data.web_url)
    await out.record(pipelines, data, { page: true, date: dateOf(response) })
  }
}
