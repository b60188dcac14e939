import { type Given, object, type Table } from '../fields/composites.js'
import { createIssueList, type Field } from '../fields/field.js'
import { type Said, said } from '../fields/merge.js'
import type { Limits } from '../sandbox/options.js'
import type { Generation, Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { asControlError, invalid } from './control-error.js'

export type NotReady = 'loading' | 'readOnly' | 'closing' | null

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

export const readParams = <T>(field: Field<T>, params: unknown): T => {
  const issues = createIssueList()
  field.check(params, [], issues)
  if (issues.count > 0) throw invalid(issues)
  return params as T
}

type Params<T extends Table> = { readonly [K in keyof Given<T>]: Given<T>[K] } & {}
type Arguments<T extends Table> = Record<never, never> extends Given<T> ? [params?: Params<T>] : [params: Params<T>]
type Work<P, R> = (params: P, generation: Generation, sandbox: Sandbox) => R | Promise<R>

/** Makes a sandbox's control calls: each waits for the sandbox and works on one generation; refusals come as ControlErrors. */
export const callsOf = (coming: () => Promise<Sandbox>) => {
  const bare =
    <P, R>(work: Work<P, R>) =>
    async (params: P): Promise<R> => {
      const sandbox = await coming()
      try {
        return await work(params, sandbox.current, sandbox)
      } catch (error) {
        throw asControlError(error) ?? error
      }
    }
  return {
    bare,
    plain: <R>(work: (generation: Generation, sandbox: Sandbox) => R | Promise<R>) => {
      const made = bare((_: null, generation, sandbox) => work(generation, sandbox))
      return () => made(null)
    },
    call: <T extends Table, R>(table: T, work: Work<Said<Given<T>>, R>) => {
      const field = object(table)
      const checked = bare((params: Params<T>, ...rest) => work(said(readParams(field, params)), ...rest))
      return (...[params = {} as Params<T>]: Arguments<T>): Promise<R> => checked(params)
    },
  }
}
export type Calls = ReturnType<typeof callsOf>
