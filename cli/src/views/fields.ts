import { createRequire } from 'node:module'
import type { JsonObject } from '@buildwire/sdk/contract'
import { didYouMean, nearest } from '../flags/nearest.js'
import { type CommandError, usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** The records that commands print, named as in the contract. */
export type SchemaName =
  | 'Build'
  | 'RetriedBuild'
  | 'Job'
  | 'Annotation'
  | 'Artifact'
  | 'TestRecord'
  | 'Pipeline'
  | 'Organization'

/** Fields to keep, nested as in the source; an empty map keeps the whole value. */
export interface FieldTree extends ReadonlyMap<string, FieldTree> {}

const MAX_DEPTH = 4

/** Every field path of a record, such as `number` and `pipeline.slug`, from the contract. */
export async function fieldPaths(schema: SchemaName): Promise<string[]> {
  const schemas = dig(
    createRequire(import.meta.url)('@buildwire/sdk/openapi.json'),
    'components',
    'schemas',
  )
  return [...walk(resolve({ $ref: `#/components/schemas/${schema}` }, schemas), schemas, 0, [])]
}

function* walk(
  schema: JsonObject,
  schemas: JsonObject,
  depth: number,
  seen: readonly JsonObject[],
): Iterable<string> {
  if (depth >= MAX_DEPTH || seen.includes(schema)) return
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf) yield* walk(resolve(part, schemas), schemas, depth, seen)
  }
  for (const [name, value] of Object.entries(dig(schema, 'properties'))) {
    yield name
    const inner = innerSchema(value, schemas)
    if (inner !== null)
      for (const path of walk(inner, schemas, depth + 1, [...seen, schema])) yield `${name}.${path}`
  }
}

/** The object schema of a property: through `$ref`, arrays and unions with null. */
function innerSchema(value: unknown, schemas: JsonObject): JsonObject | null {
  const schema = resolve(value, schemas)
  if (isObject(schema.properties) || Array.isArray(schema.allOf)) return schema
  if (isObject(schema.items)) return innerSchema(schema.items, schemas)
  for (const key of ['anyOf', 'oneOf'] as const) {
    const options = schema[key]
    if (!Array.isArray(options)) continue
    for (const option of options) {
      const found = innerSchema(option, schemas)
      if (found !== null) return found
    }
  }
  return null
}

/** A schema, or the one of `schemas` that it refers to. */
export function resolve(value: unknown, schemas: JsonObject): JsonObject {
  if (!isObject(value)) return {}
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  return dig(schemas, $ref.slice($ref.lastIndexOf('/') + 1))
}

/** The object at a path; an empty object if there is none. */
export function dig(value: unknown, ...path: readonly string[]): JsonObject {
  let at: unknown = value
  for (const key of path) at = isObject(at) ? at[key] : undefined
  return isObject(at) ? at : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks typed fields against the record and nests them. */
export async function fieldTree(names: readonly string[], schema: SchemaName): Promise<FieldTree> {
  const known = await fieldPaths(schema)
  // Schemas do not list the names in env, meta_data and matrix.
  const isFree = (name: string) => /^(?:jobs\.)?(?:env|meta_data|matrix)\../u.test(name)
  const unknown = names.find((name) => !known.includes(name) && !isFree(name))
  if (unknown !== undefined) throw unknownField(unknown, known)
  return nested(names)
}

/** Checks typed fields of a value that is not a record of the API; names after a dot are free. */
export function checkNames(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name.split('.', 1)[0] ?? ''))
  if (unknown !== undefined) throw unknownField(unknown, known)
}

function unknownField(name: string, known: readonly string[]): CommandError {
  return usageError(say`unknown field ${JSON.stringify(name)}`, {
    lines: didYouMean(nearestFields(name, known)),
    hint: say`--json=help lists the fields`,
  })
}

/** Nests the names of fields: `pipeline.slug` is a part of `pipeline`. */
export function nested(names: readonly string[]): FieldTree {
  const root = new Map<string, Map<string, never>>()
  for (const name of names) {
    let at: Map<string, unknown> = root
    for (const part of name.split('.')) {
      const next = at.get(part)
      const child = next instanceof Map ? next : new Map<string, unknown>()
      at.set(part, child)
      at = child
    }
  }
  return root
}

/** The fields with a similar path; without one, those whose last name is similar. */
function nearestFields(typed: string, known: readonly string[]): readonly string[] {
  const paths = nearest(typed, known)
  if (paths.length > 0) return paths
  const names = nearest(lastName(typed), [...new Set(known.map(lastName))])
  return known.filter((path) => names.includes(lastName(path))).slice(0, 3)
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** The record with the chosen fields only, also in arrays; an absent field becomes null. */
export function project(value: unknown, tree: FieldTree): unknown {
  if (tree.size === 0) return value === undefined ? null : value
  if (Array.isArray(value)) return value.map((item) => project(item, tree))
  if (!isObject(value)) return null
  return Object.fromEntries([...tree].map(([name, child]) => [name, project(value[name], child)]))
}
