import { command } from '../../context/base-command.js'
import { parsedFlags, textFlag } from '../../flags/flags.js'
import { yesFlag } from '../../flags/groups.js'
import { parseAssignment } from '../../flags/key-value.js'
import type { Parameters } from '../../flags/parameters.js'
import { findJobTarget, jobArgs, jobFlag } from '../../jobs/job-target.js'
import { isUnblockable } from '../../views/job.js'
import { jobs } from '../../views/records.js'

export const Command = command({
  summary: 'Let a build go on that waits for a person',
  description: 'Without --job: the only step of the build that waits.',
  scope: 'write_builds',
  operations: ['jobs.unblock', 'builds.get'],
  record: 'Job',
  examples: ['ci jobs unblock web#42', 'ci jobs unblock web#42 --job "Deploy to production?" --field release=beta'],
  args: jobArgs,
  flags: {
    ...jobFlag,
    field: parsedFlags(parseAssignment, {
      helpValue: 'K=V',
      summary: 'Answer to a field of the step; a second one with the same name makes a list',
    }),
    unblocker: textFlag({ helpValue: 'UUID', summary: 'The user who lets it go on, where it is not you' }),
    ...yesFlag,
  },
  async execute(context, { args, flags }) {
    const choice = { ask: 'Unblock', suits: isUnblockable, what: 'waits for a person' }
    const path = await findJobTarget(context, { ...args, ...flags }, choice)
    const body = { fields: answers(flags.field), unblocker: flags.unblocker } satisfies Parameters<'jobs.unblock'>
    const job = await context.ask((ci, call) => ci.jobs.unblock({ ...path, ...body }, call))
    await context.out.answer(jobs, job)
  },
})

function answers(typed: readonly { readonly key: string; readonly value: string }[] | undefined) {
  if (typed === undefined) return undefined
  const byKey = new Map<string, string[]>()
  for (const { key, value } of typed) byKey.set(key, [...(byKey.get(key) ?? []), value])
  return Object.fromEntries([...byKey].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : values]))
}
