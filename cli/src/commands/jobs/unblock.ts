import { BaseCommand, type Input } from '../../context/base-command.js'
import { type Context, dateOf } from '../../context/context.js'
import { parsedFlags, textFlag } from '../../flags/flags.js'
import { yesFlag } from '../../flags/groups.js'
import { parseAssignment } from '../../flags/key-value.js'
import type { Parameters } from '../../flags/parameters.js'
import { findJobTarget, jobArgs, jobFlag } from '../../jobs/job-target.js'
import { isUnblockable } from '../../views/job.js'
import { jobs } from '../../views/records.js'

/** `ci jobs unblock` */
export class JobsUnblock extends BaseCommand<typeof JobsUnblock> {
  static override summary = 'Let a build go on that waits for a person'
  static override description = 'Without --job: the only step of the build that waits.'
  static override scope = 'write_builds'
  static override operations = ['jobs.unblock', 'builds.get']
  static override record = 'Job' as const
  static override examples = [
    'ci jobs unblock web#42',
    'ci jobs unblock web#42 --job "Deploy to production?" --field release=beta',
  ]
  static override args = jobArgs
  static override flags = {
    ...jobFlag,
    field: parsedFlags(parseAssignment, {
      helpValue: 'K=V',
      summary: 'Answer to a field of the step; a second one with the same name makes a list',
    }),
    unblocker: textFlag({ helpValue: 'UUID', summary: 'The user who lets it go on, where it is not you' }),
    ...yesFlag,
  }

  protected async execute(context: Context, { args, flags }: Input<typeof JobsUnblock>): Promise<void> {
    const path = await findJobTarget(
      context,
      { number: args.number, job: flags.job },
      {
        ask: flags.yes === true ? undefined : 'Unblock',
        suits: isUnblockable,
        what: 'waits for a person',
      },
    )
    const body = { fields: answers(flags.field), unblocker: flags.unblocker } satisfies Parameters<'jobs.unblock'>
    const ci = await context.ci()
    const { data, response } = await ci.jobs.unblock({ ...path, ...body }, { signal: context.signal }).withResponse()
    await context.out.record(jobs, data, { date: dateOf(response) })
  }
}

function answers(typed: readonly { readonly key: string; readonly value: string }[] | undefined) {
  if (typed === undefined) return undefined
  const byKey = new Map<string, string[]>()
  for (const { key, value } of typed) byKey.set(key, [...(byKey.get(key) ?? []), value])
  return Object.fromEntries([...byKey].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : values]))
}
