import { command } from '../context/base-command.js'
import { switchFlag } from '../flags/flags.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { StatusRecord } from '../status/status-record.js'

const fields = [
  'group',
  'state',
  'build',
  'branch',
  'created_at',
  'message',
  'detail',
  'command',
  'web_url',
] as const satisfies readonly (keyof StatusRecord)[]

export const status = command({
  summary: 'Show your builds, and the default branches that moved last',
  description:
    'In each group: the builds that failed, that run, that wait for a person (with the command ' +
    'that unblocks them), then the others. Of each branch only the newest build is shown.',
  operations: [
    'builds.listForOrganization',
    'builds.list',
    'user.get',
    'pipelines.list',
    'organizations.list',
  ],
  fields,
  examples: ['ci status', 'ci status --watch', 'ci status --json=build,state,detail'],
  flags: {
    watch: switchFlag({ summary: 'Refresh every 10 seconds, until Ctrl-C' }),
  },
  async execute(context, { flags }) {
    const { out, notes } = context
    const isWatch = flags.watch === true
    if (isWatch && out.mode === 'json')
      throw usageError(say`--watch prints one JSON object a line; write -o jsonl`)
    const { readStatus, statusScope } = await import('../status/read-status.js')
    const { printStatus, watchStatus } = await import('../status/watch-status.js')
    const scope = await statusScope(context)
    if (isWatch) return watchStatus(context, scope)
    const { builds, date } = await readStatus(scope)
    if (builds.length === 0) notes.note(say`No builds`)
    await printStatus(context, builds, date)
  },
})
