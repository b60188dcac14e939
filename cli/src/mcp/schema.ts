import { createRequire } from 'node:module'
import { type JsonObject, type JsonValue, operations } from '@buildwire/sdk/contract'
import {
  fromJsonSchema,
  type JsonSchemaType,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { dig, isObject, resolve } from '../views/fields.js'
import { LEAST_BYTES, type Tool } from './tool.js'

/** What is left of a schema of the contract: the rest says nothing to a client of ours. */
const KEPT: ReadonlySet<string> = new Set(
  'type enum items format pattern minimum minLength additionalProperties propertyNames anyOf'.split(
    ' ',
  ),
)
/**
 * Names that say all and stand in nearly every tool: without texts, so that the list of tools stays
 * small.
 */
const PLAIN: ReadonlySet<string> = new Set([
  'org_slug',
  'pipeline_slug',
  'number',
  'job_id',
  'page',
  'per_page',
])
/** The place may be pinned, or be that of the directory. */
const OPTIONAL: ReadonlySet<string> = new Set(['org_slug', 'pipeline_slug'])

/** A schema as the library types it, which knows no read-only lists. */
type Listed = JsonSchemaType & ListedTool['inputSchema']

/**
 * The schema of a tool's input, and what judges an input by it. A tool that reads also takes how
 * large its answer may be, up to `maxBytes`.
 */
export function checkedSchema(tool: Tool, maxBytes: number) {
  const size = { max_bytes: { type: 'integer', minimum: LEAST_BYTES, maximum: maxBytes } }
  const own = tool.effect === 'reads' ? { ...tool.own, ...size } : tool.own
  const json = inputSchema({ ...tool, ...(own && { own }) }) as object as Listed
  const schema = fromJsonSchema<Record<string, unknown>>(json)
  return {
    json,
    /** @throws CommandError `usage` that says what is wrong. */
    async checked(input: unknown): Promise<Readonly<Record<string, unknown>>> {
      const known = Object.keys(json.properties ?? {})
      const unknown = Object.keys(Object(input)).find((name) => !known.includes(name))
      if (unknown !== undefined) {
        throw usageError(say`${tool.name} takes no ${unknown}`, {
          lines: [say`It takes ${known.join(', ')}`],
        })
      }
      const judged = await schema['~standard'].validate(input)
      if (judged.issues === undefined) return judged.value
      // From the outside in: the last one says where and what.
      const inner = judged.issues.map(({ message }) => message.split('; ').at(-1) ?? message)
      throw usageError(say`${tool.name}: ${inner.join('; ')}`)
    },
  }
}

/** Reads the contract: the parameters and body properties that the tool takes. */
function inputSchema({ operation, takes = [], own = {} }: Tool): JsonObject {
  const document = createRequire(import.meta.url)('@buildwire/sdk/openapi.json')
  const schemas = dig(document, 'components', 'schemas')
  const all = parametersOf(document, operation)
  const names = [...operations[operation].pathParameters, ...takes]
  const properties = names.map((name) => {
    const { schema, description = null } = all.get(name) ?? {}
    const text = PLAIN.has(name) || description === null ? {} : { description }
    return [name, { ...brief(dig(schema), schemas), ...text }]
  })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...own },
    required: names.filter((name) => !OPTIONAL.has(name) && all.get(name)?.required === true),
    additionalProperties: false,
  }
}

/** Parameters and properties of the body, by the SDK's name. */
function parametersOf(document: unknown, id: string): ReadonlyMap<string, JsonObject> {
  const rows = Object.values(dig(document, 'paths')).flatMap((path) => Object.values(dig(path)))
  const { parameters = [], requestBody } = dig(
    rows.find((row) => isObject(row) && row.operationId === id),
  )
  const named = (Array.isArray(parameters) ? parameters : []).map(
    (reference): [string, JsonObject] => {
      const parameter = resolve(reference, dig(document, 'components', 'parameters'))
      return [String(parameter.name).replace('[]', ''), parameter]
    },
  )
  const body = dig(requestBody, 'content', 'application/json', 'schema')
  const { properties, required } = resolve(body, dig(document, 'components', 'schemas'))
  const ofBody = Object.entries(dig(properties)).map(([name, schema]): [string, JsonObject] => {
    const isRequired = Array.isArray(required) && required.includes(name)
    return [name, { schema, description: dig(schema).description ?? null, required: isRequired }]
  })
  return new Map([...named, ...ofBody])
}

/** A schema without its references, its texts and our marks. */
function brief(schema: JsonObject, schemas: JsonObject): JsonObject {
  const whole = { ...resolve(schema, schemas), ...schema }
  // A list that travels as one text is a list here.
  if (isObject(whole['x-item'])) return { type: 'array', items: brief(whole['x-item'], schemas) }
  const inner = (value: JsonValue): JsonValue => {
    if (isObject(value)) return brief(value, schemas)
    return Array.isArray(value) ? value.map(inner) : value
  }
  return Object.fromEntries(
    Object.entries(whole).flatMap(([key, value]) => (KEPT.has(key) ? [[key, inner(value)]] : [])),
  )
}
