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

/** Keywords of a schema of the contract that a client of the server gets. */
const KEPT_KEYWORDS: ReadonlySet<string> = new Set(
  'type enum items format pattern minimum minLength additionalProperties propertyNames anyOf'.split(
    ' ',
  ),
)
/**
 * Inputs of nearly every tool whose names need no description. They have none, so that the list of
 * tools stays small.
 */
const SELF_EXPLAINING: ReadonlySet<string> = new Set([
  'org_slug',
  'pipeline_slug',
  'number',
  'job_id',
  'page',
  'per_page',
])
/** Optional, because they may be pinned or come from the directory. */
const OPTIONAL: ReadonlySet<string> = new Set(['org_slug', 'pipeline_slug'])

/** A schema as the library types it; the library has no type for read-only lists. */
type ToolInputSchema = JsonSchemaType & ListedTool['inputSchema']

/**
 * The schema of a tool's input, and a check of inputs by it. A tool that reads also takes
 * `max_bytes`, the largest size of its answer, up to `maxBytes`.
 */
export function checkedSchema(tool: Tool, maxBytes: number) {
  const size = { max_bytes: { type: 'integer', minimum: LEAST_BYTES, maximum: maxBytes } }
  const inputs = tool.effect === 'reads' ? { ...tool.extraInputs, ...size } : tool.extraInputs
  const extended = { ...tool, ...(inputs && { extraInputs: inputs }) }
  const json = inputSchema(extended) as object as ToolInputSchema
  const schema = fromJsonSchema<Record<string, unknown>>(json)
  return {
    json,
    /** @throws CommandError `usage` that names the wrong input. */
    async checked(input: unknown): Promise<Readonly<Record<string, unknown>>> {
      const names = Object.keys(json.properties ?? {})
      const unknown = Object.keys(Object(input)).find((name) => !names.includes(name))
      if (unknown !== undefined) {
        throw usageError(say`${tool.name} takes no ${unknown}`, {
          lines: [say`It takes ${names.join(', ')}`],
        })
      }
      const validated = await schema['~standard'].validate(input)
      if (validated.issues === undefined) return validated.value
      // Each message goes from the outside in; its last part names the place and the error.
      const inner = validated.issues.map(({ message }) => message.split('; ').at(-1) ?? message)
      throw usageError(say`${tool.name}: ${inner.join('; ')}`)
    },
  }
}

/** Reads the contract: the parameters and body properties that the tool takes. */
function inputSchema({ operation, takes = [], extraInputs = {} }: Tool): JsonObject {
  const document = createRequire(import.meta.url)('@buildwire/sdk/openapi.json')
  const schemas = dig(document, 'components', 'schemas')
  const parameters = parametersOf(document, operation)
  const names = [...operations[operation].pathParameters, ...takes]
  const properties = names.map((name) => {
    const { schema, description = null } = parameters.get(name) ?? {}
    const text = SELF_EXPLAINING.has(name) || description === null ? {} : { description }
    return [name, { ...briefSchema(dig(schema), schemas), ...text }]
  })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...extraInputs },
    required: names.filter(
      (name) => !OPTIONAL.has(name) && parameters.get(name)?.required === true,
    ),
    additionalProperties: false,
  }
}

/** Parameters and properties of the body, by the SDK's name. */
function parametersOf(document: unknown, id: string): ReadonlyMap<string, JsonObject> {
  const paths = Object.values(dig(document, 'paths'))
  const operation = paths
    .flatMap((path) => Object.values(dig(path)))
    .find((candidate) => isObject(candidate) && candidate.operationId === id)
  const { parameters = [], requestBody } = dig(operation)
  const ofRequest = (Array.isArray(parameters) ? parameters : []).map(
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
  return new Map([...ofRequest, ...ofBody])
}

/** A schema without references, descriptions and extensions of the contract. */
function briefSchema(schema: JsonObject, schemas: JsonObject): JsonObject {
  const resolved = { ...resolve(schema, schemas), ...schema }
  // A list that the wire joins into one text is a list here.
  const item = resolved['x-item']
  if (isObject(item)) return { type: 'array', items: briefSchema(item, schemas) }

  const inner = (value: JsonValue): JsonValue => {
    if (isObject(value)) return briefSchema(value, schemas)
    return Array.isArray(value) ? value.map(inner) : value
  }
  return Object.fromEntries(
    Object.entries(resolved).flatMap(([key, value]) =>
      KEPT_KEYWORDS.has(key) ? [[key, inner(value)]] : [],
    ),
  )
}
