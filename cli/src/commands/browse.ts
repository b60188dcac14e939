import { command } from '../context/base-command.js'
import { buildScope, scopeUrl } from '../context/lists.js'
import { textArg } from '../flags/flags.js'

/** `web` or `acme/web`; any other word names a build. */
const PIPELINE = /^(?:[A-Za-z0-9][\w.-]*\/)?[A-Za-z][\w.-]*$/u

export const browse = command({
  summary: 'Open the page of a pipeline or of a build in a browser',
  description:
    'Without TARGET: the page of the pipeline that the repository belongs to, else of the ' +
    'organization.',
  operations: ['builds.get'],
  examples: ['ci browse', 'ci browse web', 'ci browse web#42'],
  args: {
    target: textArg({
      description: 'A pipeline: web, acme/web. A build: 42, web#42, acme/web#42, @latest, its URL',
    }),
  },
  async execute(context, { args, flags }) {
    const { target } = args
    if (target === undefined)
      return context.openPage(await scopeUrl(context, await buildScope(context, flags)))
    if (PIPELINE.test(target)) {
      const pipeline = await context.target.pipelineOf(target)
      return context.openPage(await scopeUrl(context, pipeline))
    }
    const path = await context.target.build(target)
    const ci = await context.ci()
    const build = await ci.builds.get({ ...path, exclude_jobs: true }, { signal: context.signal })
    await context.openPage(build.web_url)
  },
})
