/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly info: JsonObject
  readonly servers: readonly JsonObject[]
  readonly paths: { readonly [path: string]: JsonObject }
  readonly components: JsonObject
}

/**
 * Derives the document that the reference server is held to: every field that it always sends is
 * required, null only where it sends null, and only the words known today.
 *
 * @param document The contract, which says what a client must accept.
 * @returns A copy; in it each `x-server…` and `x-open-enum` keyword has become plain JSON Schema.
 * @example
 * ```ts
 * import { createRequire } from 'node:module'
 * import { serverDocument } from '@buildwire/sdk/contract'
 * import { Ajv2020 } from 'ajv/dist/2020.js'
 *
 * const contract = createRequire(import.meta.url)('@buildwire/sdk/openapi.json')
 * const ajv = new Ajv2020({ strict: false }).addSchema(serverDocument(contract), 'openapi.json')
 * const isBuild = ajv.compile({ $ref: 'openapi.json#/components/schemas/Build' })
 * ```
 */
export function serverDocument(document: OpenApiDocument): OpenApiDocument {
  return tightenObject(document) as OpenApiDocument
}

/**
 * A JSON pointer, such as `#/paths/…/schema`, to the schema of an operation's JSON answer with an
 * HTTP status, in the contract or in `serverDocument(contract)`; null when the operation does not
 * have this status or it has no JSON body.
 */
export function responseSchemaPointer(
  document: OpenApiDocument,
  operationId: string,
  status: number,
): string | null {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!isObject(operation) || operation['operationId'] !== operationId) continue
      const inline = ['paths', path, method, 'responses', String(status)]
      const response = valueAt(document, inline)
      const reference = isObject(response) ? response['$ref'] : undefined
      const place = typeof reference === 'string' ? reference.slice(2).split('/') : inline
      const schema = [...place, 'content', 'application/json', 'schema']
      return valueAt(document, schema) === undefined
        ? null
        : `#/${schema.map(pointerPart).join('/')}`
    }
  }
  return null
}

function tighten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(tighten)
  return isObject(value) ? tightenObject(value) : value
}

function tightenObject(schema: JsonObject): JsonObject {
  const result: { [key: string]: JsonValue } = {}
  for (const [key, value] of Object.entries(schema)) {
    if (!SERVER_KEYWORDS.has(key)) result[key] = tighten(value)
  }
  if (schema['x-open-enum'] !== undefined) result['enum'] = schema['x-open-enum']
  if (schema['x-server-required'] !== undefined) {
    result['required'] = [...words(schema['required']), ...words(schema['x-server-required'])]
  }
  const notNull = words(schema['x-server-not-null'])
  if (notNull.length > 0 && isObject(result['properties'])) {
    const properties = Object.entries(result['properties'])
    result['properties'] = Object.fromEntries(
      properties.map(([name, value]) => [
        name,
        notNull.includes(name) ? withoutNull(value) : value,
      ]),
    )
  }
  const replaced = schema['x-server']
  return isObject(replaced) ? { ...result, ...tightenObject(replaced) } : result
}

const SERVER_KEYWORDS: ReadonlySet<string> = new Set([
  'x-open-enum',
  'x-server',
  'x-server-required',
  'x-server-not-null',
])

function withoutNull(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema
  const { type, anyOf } = schema
  return {
    ...schema,
    ...(Array.isArray(type) && { type: type.filter((name) => name !== 'null') }),
    ...(Array.isArray(anyOf) && {
      anyOf: anyOf.filter((branch) => !isObject(branch) || branch['type'] !== 'null'),
    }),
  }
}

function words(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []
}

function valueAt(root: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const key of keys) value = isObject(value) ? value[key] : undefined
  return value
}

function pointerPart(key: string): string {
  return key
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D')
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
