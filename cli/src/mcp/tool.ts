import type { CiClient } from '@buildwire/sdk'
import type { JsonObject, OperationId, OperationTypes } from '@buildwire/sdk/contract'
import type { Reach } from './reach.js'

/** What a call of a tool works with. */
export interface Call {
  readonly ci: CiClient
  /** Aborted by a cancellation and by a signal; belongs into every request. */
  readonly signal: AbortSignal
  readonly reach: Reach
  /** Bytes that the record takes at most as JSON. */
  readonly maxBytes: number
  /** Tells a client that asked for it how far the call is. */
  progress(message: string): Promise<void>
}

export type Fields = Readonly<Record<string, unknown>>

/** What a tool answers, of any size. */
export interface Answer {
  readonly record: Fields
  /**
   * The list in the record of which the last items are left out when it is too large, and how to
   * get them.
   */
  readonly list?: { readonly key: string; readonly advice: string } | undefined
}

/** The least bytes in which a record says anything. */
export const LEAST_BYTES = 2_000

/** What a tool does to the CI: it reads, adds something, or changes what cannot be put back. */
export type Effect = 'reads' | 'adds' | 'changes'

/** A row of the table: it takes the path of its operation and what it names besides. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly effect: Effect
  readonly operation: OperationId
  /** Parameters of the operation. */
  readonly takes?: readonly string[]
  /** Inputs that are none. */
  readonly own?: Readonly<Record<string, JsonObject>>
  /**
   * `input` fits the schema. Its place is resolved, but for an operation that lists the builds of
   * any.
   */
  call(input: object, call: Call): Promise<Answer>
}

type Params<Id extends OperationId> = OperationTypes[Id]['params'] & object

/** Makes a row whose `call` sees the types of the contract. */
export function tool<Id extends OperationId, Own extends string = never>(
  definition: Omit<Tool, 'operation' | 'takes' | 'own' | 'call'> & {
    readonly operation: Id
    readonly takes?: readonly (keyof Params<Id> & string)[]
    readonly own?: Readonly<Record<Own, JsonObject>>
    call(input: Params<Id> & { readonly [Key in Own]?: unknown }, call: Call): Promise<Answer>
  },
): Tool {
  return definition as unknown as Tool
}
