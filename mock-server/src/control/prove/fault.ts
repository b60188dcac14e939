import type { Action } from '../../rules/rule.js'
import type { Settings } from '../../seed/settings.js'
import type { ServiceEvent } from './exam.js'
import type { FaultTrial, Judge } from './judge.js'
import type { SeenRequest } from './requests.js'
import type { Audience } from './uses.js'

/** How a fault is made: by a rule for requests, by a setting, or by an event in the service. */
export type Making =
  | {
      readonly by: 'rule'
      readonly actions: (struck: SeenRequest, otherOrigin: string, now: number) => readonly Action[]
      /** How many requests of the use in a row are struck; null: all from then on. */
      readonly times: number | null
      /** What the same requests get after that, for good. */
      readonly afterwards?: readonly Action[]
      /** From the struck request on, every request is struck, also of other operations. */
      readonly isEverywhere?: boolean
    }
  | { readonly by: 'setting'; readonly settings: Partial<Settings> }
  | {
      readonly by: 'event'
      readonly event: ServiceEvent
      /** What else happens to the request; by default it is answered as usual. */
      readonly actions?: readonly Action[]
      /** It happens after so many requests in a row. */
      readonly times: number
      /** Requests of other operations count too, if they carry a token. */
      readonly isEverywhere?: boolean
    }

export interface Fault extends Audience {
  readonly id: string
  readonly title: string
  readonly cure: string
  readonly made: Making
  /** The struck response does not reach the client as it is. */
  readonly spoils?: boolean
  /** The server does the work before. */
  readonly commits?: boolean
  /** Judges of this fault alone; those that run always come first. */
  readonly judges?: readonly Judge<FaultTrial>[]
  /**
   * Something like the fault that is not new to the client: if the command fails then too, it
   * means to.
   */
  readonly control?: Making
  /** Whether later requests of a use are struck too, each in a run of its own. */
  readonly strikesLater?: boolean
  /** A client has one place for it: the first use of each kind is struck, or the first of all. */
  readonly strikes?: 'oneOfKind' | 'one'
  /** The writes that a client sends under it are its own decision. */
  readonly isLife?: boolean
  /** Real time that a correct client may need beside its usual one, ms; 5 000 by default. */
  readonly takesMs?: number
}

type Facts = Omit<Fault, keyof Audience | 'id' | 'made'>

export function fault(id: string, audience: Audience, made: Making, facts: Facts): Fault {
  return Object.assign({ id, made }, audience, facts)
}

export function rule(...actions: readonly Action[]): Making {
  return { by: 'rule', actions: () => actions, times: 1 }
}

export function rules(times: number | null, ...actions: readonly Action[]): Making {
  return { by: 'rule', actions: () => actions, times }
}

export function event(happens: ServiceEvent): Making {
  return { by: 'event', event: happens, times: 1 }
}

/** The real response; what follows it in a rule comes after the commit. */
export const done: Action = { patchResponse: {} }

export function refused(error: string, error_description: string): Action {
  const headers = { 'Cache-Control': 'no-store' }
  return { respond: { status: 400, json: { error, error_description }, headers } }
}
