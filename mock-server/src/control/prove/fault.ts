import { type OperationId, operations } from '@buildwire/sdk/contract'
import type { Action, Rule } from '../../rules/rule.js'
import type { Settings } from '../../seed/settings.js'
import { faultRuleId, type Reaction, type Seen } from './exam.js'
import type { Judge } from './judges.js'
import type { Kind, Use } from './uses.js'

/** A way in which a service can let a client down: who meets it, how it is made, and how to see who is harmed. */
export interface Fault {
  readonly id: string
  /** What happens, in a few words. */
  readonly title: string
  /** How a client lives with it. */
  readonly cure: string
  /** Who meets it, in words. */
  readonly whom: string
  readonly appliesTo: (use: Use) => boolean
  /** What the server does to the request that is struck; none: the fault-free run is judged. */
  readonly actions: (struck: Seen, otherOrigin: string) => readonly Action[]
  /** How many requests in a row are struck; null: all from then on. */
  readonly times: number | null
  /** Requests of its kind that pass before. */
  readonly skip: (use: Use) => number
  readonly react?: Reaction
  /** What is different with the whole server; one run shows it. */
  readonly settings?: Partial<Settings>
  readonly judge: Judge
  /** Real time that a client which does everything right may need beside its usual one, ms. */
  readonly takesMs: number
}

type Audience = Pick<Fault, 'whom' | 'appliesTo'> & Partial<Pick<Fault, 'skip'>>

type Given = Pick<Fault, 'title' | 'cure' | 'judge'> &
  Partial<Pick<Fault, 'react' | 'settings' | 'takesMs' | 'times'>> & {
    readonly on: Audience
    readonly actions: Fault['actions'] | readonly Action[]
  }

export const fault = (id: string, { on, actions, ...given }: Given): Fault => ({
  id,
  skip: ({ skip }) => skip,
  ...on,
  actions: typeof actions === 'function' ? actions : () => actions,
  times: 1,
  takesMs: 5_000,
  ...given,
})

const of = (whom: string, ...kinds: readonly Kind[]): Audience => ({
  whom,
  appliesTo: ({ kind }) => kinds.includes(kind),
})

const isJson = ({ target, kind }: Use): boolean =>
  (kind === 'list' || kind === 'read') && /^(?:page|record)$/.test(operations[target as OperationId].result)

export const requests: Audience = { whom: 'every request', appliesTo: () => true }
export const creates = of('creating and rebuilding', 'create')
export const reads = of('reading', 'list', 'read')
export const jsonReads: Audience = { whom: 'reading JSON', appliesTo: isJson }
export const buildReads: Audience = {
  whom: 'reading builds and jobs',
  appliesTo: (use) => isJson(use) && /^(?:builds|jobs)\./.test(use.target),
}
export const logins = of('starting a device login', 'start')
export const polls = of('polling for a device login', 'device')
export const exchanges = of('exchanging tokens', 'exchange')
export const refreshes = of('refreshing a login', 'refresh')
export const repeatables = of('reading, starting and polling for a device login', 'list', 'read', 'start', 'device')
export const walks: Audience = {
  whom: 'walking over pages',
  appliesTo: ({ walk }) => walk !== null,
  skip: ({ walk }) => walk ?? 0,
}
export const buildWalks: Audience = {
  ...walks,
  whom: 'walking over pages of builds',
  appliesTo: ({ walk, target }) => walk !== null && target.startsWith('builds.'),
}
export const downloads: Audience = {
  whom: 'downloading artifacts',
  appliesTo: ({ target }) => target === 'artifacts.download',
}

/** One fault for one thing that a client uses. */
export interface Row {
  readonly id: string
  readonly fault: Fault
  readonly use: Use
}

/** The rows for what a client uses, in the order of the faults. */
export const rowsFor = (faults: readonly Fault[], uses: readonly Use[]): readonly Row[] =>
  faults.flatMap((fault) => {
    const met = uses.filter((use) => fault.appliesTo(use))
    const shown = fault.settings === undefined ? met : met.slice(0, 1)
    return shown.map((use) => ({ id: `${fault.id}/${use.target}`, fault, use }))
  })

/** The rules that make a row's fault. */
export const rulesOf = (row: Row, otherOrigin: string): readonly Rule[] => {
  const { times, actions } = row.fault
  if (times === 0) return []
  const { match, own } = row.use
  const skip = row.fault.skip(row.use)
  const struck = own[skip]
  if (struck === undefined) return []
  const limit = times === null ? {} : { times }
  return [{ id: faultRuleId, priority: 1, match, skip, ...limit, actions: actions(struck, otherOrigin) }]
}
