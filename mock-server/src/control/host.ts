import { type Given, object, type Table } from '../fields/composites.js'
import { createIssueList, type Field } from '../fields/field.js'
import { type Said, said } from '../fields/merge.js'
import type { Limits } from '../sandbox/options.js'
import type { Generation, Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { asControlError, invalid } from './control-error.js'

/** Why a server is not ready; null when it is. */
export type NotReady = 'loading' | 'readOnly' | 'closing' | null

/** What the control API asks the server around a sandbox. */
export interface ControlHost {
  /** ISO 8601. */
  readonly startedAt: string
  readonly limits: Limits
  sandboxes(): Sandboxes | null
  /** Whether a port is open: socket faults need one. */
  isListening(): boolean
  internalErrors(): number
  droppedLogLines(): number
  notReady(): NotReady
}

/** Checks the parameters of a call. @throws ControlError (422) with a path for each fault */
export const readParams = <T>(field: Field<T>, params: unknown): T => {
  const issues = createIssueList()
  field.check(params, [], issues)
  if (issues.count > 0) throw invalid(issues)
  return params as T
}

/** Runs one call; whatever the rooms below refuse comes out as a ControlError. */
export const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw asControlError(error) ?? error
  }
}

type Params<T extends Table> = { readonly [K in keyof Given<T>]: Given<T>[K] } & {}
type Arguments<T extends Table> = Record<never, never> extends Given<T> ? [params?: Params<T>] : [params: Params<T>]

/** Makes the calls of a sandbox's control API; each works on the generation that it began in. */
export const callsOf = (sandbox: Sandbox) => ({
  /** A call without parameters. */
  plain:
    <R>(work: (generation: Generation) => R | Promise<R>) =>
    (): Promise<R> =>
      guarded(() => work(sandbox.current)),
  /** A call with the parameters of a table, checked before it runs. */
  call: <T extends Table, R>(table: T, work: (params: Said<Given<T>>, generation: Generation) => R | Promise<R>) => {
    const field = object(table)
    return (...[params = {} as Params<T>]: Arguments<T>): Promise<R> =>
      guarded(() => work(said(readParams(field, params)), sandbox.current))
  },
})
export type Calls = ReturnType<typeof callsOf>
