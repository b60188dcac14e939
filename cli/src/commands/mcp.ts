import { command } from '../context/base-command.js'
import { numberFlag, switchFlag } from '../flags/flags.js'
import { say } from '../io/printable.js'
import { LEAST_BYTES } from '../mcp/tool.js'

export const mcp = command({
  summary: 'Start a server of the Model Context Protocol (stdin and stdout) for an assistant',
  description:
    'A host program starts it, and it ends when stdin ends. It only reads unless ' +
    '--allow-writes; --org and --pipeline pin what can be reached.',
  operations: [
    ...([
      'builds.list',
      'builds.listForOrganization',
      'builds.listForPipeline',
      'builds.get',
      'jobs.get',
      'organizations.list',
      'pipelines.list',
      'pipelines.get',
    ] as const),
    ...([
      'jobs.logText',
      'annotations.list',
      'artifacts.list',
      'artifacts.listForJob',
      'artifacts.download',
      'accessToken.get',
      'user.get',
    ] as const),
    ...([
      'builds.create',
      'builds.rebuild',
      'builds.retryFailedJobs',
      'builds.cancel',
      'jobs.retry',
      'jobs.unblock',
    ] as const),
  ],
  examples: ['ci mcp', 'ci mcp -p acme/web --allow-writes'],
  flags: {
    'allow-writes': switchFlag({
      summary: 'Offer tools that start, retry, unblock and cancel builds',
    }),
    'max-bytes': numberFlag('max-bytes', LEAST_BYTES, {
      max: 1_000_000,
      helpValue: 'N',
      summary: 'Largest size of a result in bytes, as JSON (32768)',
    }),
  },
  async execute(context, { flags }) {
    const { serve } = await import('../mcp/serve.js')
    const { reachOf } = await import('../mcp/reach.js')
    if (context.io.stdin.isTTY)
      context.notes.note(
        say`A host program usually starts this server, which reads JSON-RPC from stdin. Ctrl-C ends it`,
      )
    await serve(context, {
      reach: reachOf(context, flags),
      allowWrites: flags['allow-writes'] === true,
      maxBytes: flags['max-bytes'] ?? 32_768,
    })
  },
})
