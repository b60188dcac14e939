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
/** What the inputs of many tools mean, and how a client gets them. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  org_slug: 'Slug from list_organizations; without it the pinned or default one.',
  pipeline_slug: 'Slug from list_pipelines; without it the pinned or default one.',
  number: 'Number of a build (list_builds), not its id.',
  job_id: 'Id of a job (get_build), a UUID.',
  artifact_id: 'Id of an artifact (list_artifacts), a UUID.',
  page: 'From 1; next_page of the last answer.',
  per_page: 'Items of a page, 100 at most.',
  max_bytes: 'The most bytes of the answer.',
  states: 'Kinds of failure to retry; all of them without it.',
  fields: 'Answers to the fields of the step, by name.',
}
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
  const json = inputSchema(extended)
  const properties = dig(json.properties)
  const validator = validatorOf(json)
  return {
    /** The schema in the subset of JSON Schema that every host takes. */
    json: portableSchema(json) as object as ToolInputSchema,
    /** @throws CommandError `usage` that names the wrong input. */
    async checked(input: unknown): Promise<Readonly<Record<string, unknown>>> {
      const names = Object.keys(properties)
      const unknown = Object.keys(Object(input)).find((name) => !names.includes(name))
      if (unknown !== undefined) {
        throw usageError(say`${tool.name} takes no ${unknown}`, {
          lines: [say`It takes ${names.join(', ')}`],
        })
      }
      if (await validator(input)) return input as Readonly<Record<string, unknown>>
      if (!isObject(input)) throw usageError(say`${tool.name} takes an object of its inputs`)

      const required = json.required as readonly string[]
      const missing = required.filter((name) => input[name] === undefined)
      const wrong = await filterAsync(Object.keys(input), async (name) => {
        const one = { type: 'object', properties: { [name]: properties[name] ?? {} } }
        return !(await validatorOf(one)({ [name]: input[name] ?? null }))
      })
      const words = [
        ...missing.map((name) => `${name} is missing`),
        ...wrong.map((name) => `${name} must be ${typeText(dig(properties[name]))}`),
      ]
      const meanings = [...missing, ...wrong].map((name) => {
        return say`${name}: ${String(dig(properties[name]).description ?? '')}`
      })
      throw usageError(say`${tool.name}: ${words.join('; ')}`, { lines: meanings })
    },
  }
}

/** Whether a value fits a schema. */
function validatorOf(json: JsonObject): (value: unknown) => Promise<boolean> {
  const schema = fromJsonSchema<Record<string, unknown>>(json as object as ToolInputSchema)
  return async (value) => (await schema['~standard'].validate(value)).issues === undefined
}

async function filterAsync<T>(items: readonly T[], test: (item: T) => Promise<boolean>) {
  const results = await Promise.all(items.map(test))
  return items.filter((_, at) => results[at] === true)
}

/** What a value of a schema is, in words. */
function typeText(schema: JsonObject): string {
  const { type, minimum, maximum, format } = schema
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`
  if (type === 'array') return `a list; each item is ${typeText(dig(schema.items))}`
  if (type === 'object') return 'an object of names and values'
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') {
    const from = minimum === undefined ? '' : ` from ${String(minimum)}`
    return `a whole number${from}${maximum === undefined ? '' : ` to ${String(maximum)}`}`
  }
  if (format === 'uuid') return 'a UUID'
  if (format === 'date-time') return 'a time such as 2026-01-31T09:00:00Z'
  return 'a text of the form that its description says'
}

/**
 * A schema in the subset of JSON Schema that every host takes: each value has one type, and objects
 * with any names have texts. A strict host refuses the whole list of tools for anything else. The
 * calls are checked by the full schema.
 */
function portableSchema(schema: JsonObject): JsonObject {
  const { properties, additionalProperties, items, format, ...own } = schema
  const { propertyNames: _, pattern: __, ...rest } = own
  return {
    ...rest,
    ...(format === 'date-time' && { format }),
    ...(isObject(items) && { items: portableSchema(items) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, portableSchema(dig(each))]),
      ),
    }),
    ...(additionalProperties === false && { additionalProperties }),
    ...(isObject(additionalProperties) && { additionalProperties: { type: 'string' } }),
  }
}

/** Reads the contract: the parameters and body properties that the tool takes. */
function inputSchema({ operation, takes = [], extraInputs = {} }: Tool): JsonObject {
  const document = createRequire(import.meta.url)('@buildwire/sdk/openapi.json')
  const schemas = dig(document, 'components', 'schemas')
  const parameters = parametersOf(document, operation)
  const names = [...operations[operation].pathParameters, ...takes]
  const properties = names.map((name) => {
    const { schema, description = '' } = parameters.get(name) ?? {}
    const text = DESCRIPTIONS[name] ?? String(description).trim().replaceAll('\n', ' ')
    return [name, { ...briefSchema(dig(schema), schemas), description: text }]
  })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...described(extraInputs) },
    required: names.filter(
      (name) => !OPTIONAL.has(name) && parameters.get(name)?.required === true,
    ),
    additionalProperties: false,
  }
}

function described(inputs: NonNullable<Tool['extraInputs']>): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, schema]) => {
      return [name, { description: DESCRIPTIONS[name] ?? '', ...schema }]
    }),
  )
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
