import type { CiClient } from '@buildwire/sdk'
import type { JsonObject, OperationId, OperationTypes } from '@buildwire/sdk/contract'
import type { Clock } from '../io/clock.js'
import type { Reach } from './reach.js'

/** The client and the limits of one call of a tool. */
export interface ToolCall {
  readonly ci: CiClient
  /** Aborted by a cancellation and by a signal; every request takes it. */
  readonly signal: AbortSignal
  readonly reach: Reach
  /** The largest size of the record as JSON, in bytes. */
  readonly maxBytes: number
  readonly clock: Clock
  /** Removes invisible characters and secrets: before a tool cuts a text, it cleans it. */
  readonly clean: (text: string) => string
  /** Sends the progress of the call to a client that asked for it. */
  progress(message: string): Promise<void>
}

export type ToolRecord = Readonly<Record<string, unknown>>

/** The answer of a tool, of any size. */
export interface ToolAnswer {
  readonly record: ToolRecord
  /**
   * The list in the record whose last items are left out if the record is too large, and a
   * sentence on how to get them.
   */
  readonly list?: { readonly key: string; readonly advice: string } | undefined
}

/** The least useful size of a record, in bytes. */
export const LEAST_BYTES = 2_000

/** A tool only reads, adds something, or makes a change that cannot be undone. */
export type ToolEffect = 'reads' | 'adds' | 'changes'

/** A tool of the server; its inputs are the path of its operation, `takes` and `extraInputs`. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly effect: ToolEffect
  readonly operation: OperationId
  /** Other parameters of the operation, by name. */
  readonly takes?: readonly string[]
  /** Inputs that are not parameters of the operation. */
  readonly extraInputs?: Readonly<Record<string, JsonObject>>
  /**
   * `input` fits the schema. Organization and pipeline are resolved if they are in the path of the
   * operation.
   */
  call(input: object, call: ToolCall): Promise<ToolAnswer>
}

type Params<Id extends OperationId> = OperationTypes[Id]['params'] & object

/** Defines a tool whose `call` has the types of the contract. */
export function tool<Id extends OperationId, Extra extends string = never>(
  definition: Omit<Tool, 'operation' | 'takes' | 'extraInputs' | 'call'> & {
    readonly operation: Id
    readonly takes?: readonly (keyof Params<Id> & string)[]
    readonly extraInputs?: Readonly<Record<Extra, JsonObject>>
    call(
      input: Params<Id> & { readonly [Key in Extra]?: unknown },
      call: ToolCall,
    ): Promise<ToolAnswer>
  },
): Tool {
  return definition as unknown as Tool
}
