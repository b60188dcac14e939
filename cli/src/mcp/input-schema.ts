import { createRequire } from 'node:module'
import { type JsonObject, type JsonValue, operations } from '@buildwire/sdk/contract'
import { dig, isObject, resolve } from '../io/fields.js'
import type { Tool } from './tool.js'

/** What is left of a schema of the contract: the rest says nothing to a client of ours. */
const KEPT: ReadonlySet<string> = new Set(
  'type enum items format pattern minimum minLength additionalProperties propertyNames anyOf'.split(' '),
)
/** Names that say all and stand in nearly every tool: without texts, so that the list of tools stays small. */
const PLAIN: ReadonlySet<string> = new Set(['org_slug', 'pipeline_slug', 'number', 'job_id', 'page', 'per_page'])
/** The place may be pinned, or be that of the directory. */
const OPTIONAL: ReadonlySet<string> = new Set(['org_slug', 'pipeline_slug'])

/** The schema of an input, which is an object. */
export interface InputSchema {
  readonly [key: string]: JsonValue
  readonly type: 'object'
  readonly properties: JsonObject
  readonly required: string[]
}

/** Reads the schema of a tool's input from the contract: of the parameters and body properties that the tool takes. */
export function inputSchema({ operation, takes = [], own = {} }: Tool): InputSchema {
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
  const { parameters = [], requestBody } = dig(rows.find((row) => isObject(row) && row.operationId === id))
  const named = (Array.isArray(parameters) ? parameters : []).map((reference): [string, JsonObject] => {
    const parameter = resolve(reference, dig(document, 'components', 'parameters'))
    return [String(parameter.name).replace('[]', ''), parameter]
  })
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
