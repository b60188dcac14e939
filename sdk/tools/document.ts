import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A JSON Schema of the document, with the keywords that the generator reads. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
  readonly title?: string
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly 'x-open-enum'?: readonly string[]
  readonly 'x-const'?: string
  readonly 'x-identity'?: readonly string[]
  readonly 'x-joined-by'?: string
  readonly 'x-item'?: Schema
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly 'x-extension'?: boolean
}

export interface ParamsGroup {
  readonly description: string
  readonly extends?: readonly string[]
  readonly parameters: readonly string[]
}

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema }
}

export interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly { readonly $ref: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly 'x-params'?: string
  readonly 'x-params-extends'?: readonly string[]
  readonly 'x-retry-safe': boolean
  readonly 'x-extension'?: boolean
  readonly 'x-endpoint'?: string
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly 'x-params': Readonly<Record<string, ParamsGroup>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly securitySchemes: {
      readonly bearer: { readonly 'x-scopes': Readonly<Record<string, string>> }
    }
  }
}

/**
 * One operation of the document with what stands around it: its path and its parameters, references
 * followed.
 */
export interface DocumentOperation extends OperationObject {
  readonly method: string
  readonly path: string
  readonly resolvedParameters: readonly Parameter[]
}

/** Reads the contract; aliases and merge keys are resolved, dates stay text. */
export function readDocument(file: URL): Document {
  return parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: -1 }) as Document
}

/** The last part of a local reference: `#/components/schemas/Build` is `Build`. */
export function referenceName(reference: string): string {
  const name = /^#\/components\/[a-z]+\/([A-Za-z0-9_]+)$/i.exec(reference)?.[1]
  if (name === undefined) throw new Error(`Not a reference to a component: ${reference}`)
  return name
}

/** Looks a named thing up and says what is missing instead of returning nothing. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined
  if (found === undefined) throw new Error(`The document has no ${what} '${name}'`)
  return found
}

/** A parameter's key in params: `job_states[]` is given as `job_states`. */
export function parameterKey(parameter: Parameter): string {
  return parameter.name.replace(/\[\]$/, '')
}

/** Every operation, in the document's order. */
export function listOperations(document: Document): readonly DocumentOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      resolvedParameters: (operation.parameters ?? []).map(({ $ref }) => {
        if ($ref === undefined)
          throw new Error(
            `${operation.operationId}: each parameter is a $ref to one of components/parameters`,
          )
        return lookUp(document.components.parameters, referenceName($ref), 'parameter')
      }),
    })),
  )
}

/** The schemas that requests are made of; their types are written for callers. */
export function requestSchemaNames(document: Document): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (schema: Schema): void => {
    if (schema.$ref !== undefined) {
      const name = referenceName(schema.$ref)
      if (names.has(name)) return
      names.add(name)
      visit(lookUp(document.components.schemas, name, 'schema'))
    }
    for (const part of [...(schema.oneOf ?? []), ...Object.values(schema.properties ?? {})])
      visit(part)
  }
  for (const operation of listOperations(document)) {
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) visit(schema)
  }
  return names
}
