import { fromJsonSchema, type JsonSchemaType, type Tool as ListedTool } from '@modelcontextprotocol/server'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { inputSchema } from './input-schema.js'
import type { Tool } from './tool.js'

/** The least that a record needs to say anything. */
export const LEAST_BYTES = 2_000

/** A schema as the library types it, which knows no read-only lists. */
type Listed = JsonSchemaType & ListedTool['inputSchema']

/** The schema of a tool's input, and what judges an input by it. */
export interface CheckedSchema {
  readonly json: Listed
  /** @throws CommandError `usage` that says what is wrong. */
  checked(input: unknown): Promise<Readonly<Record<string, unknown>>>
}

/** Makes it; a tool that reads also takes how large its answer may be, up to `maxBytes`. */
export function checkedSchema(tool: Tool, maxBytes: number): CheckedSchema {
  const size = { max_bytes: { type: 'integer', minimum: LEAST_BYTES, maximum: maxBytes } }
  const json = inputSchema(tool.effect === 'reads' ? { ...tool, own: { ...tool.own, ...size } } : tool) as Listed
  const schema = fromJsonSchema<Record<string, unknown>>(json)
  return {
    json,
    async checked(input) {
      const known = Object.keys(json.properties ?? {})
      const unknown = Object.keys(Object(input)).find((name) => !known.includes(name))
      if (unknown !== undefined) {
        throw usageError(say`${tool.name} takes no ${unknown}`, { lines: [say`It takes ${known.join(', ')}`] })
      }
      const judged = await schema['~standard'].validate(input)
      if (judged.issues === undefined) return judged.value
      // From the outside in: the last one says where and what.
      const inner = judged.issues.map(({ message }) => message.split('; ').at(-1) ?? message)
      throw usageError(say`${tool.name}: ${inner.join('; ')}`)
    },
  }
}
