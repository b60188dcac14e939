import { compile } from 'json-schema-to-typescript'
import {
  type Document,
  type DocumentOperation,
  listOperations,
  lookUp,
  type Parameter,
  type ParamsGroup,
  parameterKey,
  referenceName,
  requestSchemaNames,
  type Schema,
} from './document.js'

type TypeSchema = Parameters<typeof compile>[0]

const quote = (word: string): string => `'${word.replaceAll("'", "\\'")}'`
const union = (words: readonly string[]): string => words.map(quote).join(' | ')

/**
 * Today's words, and any other: `'a' | 'b' | (string & {})` keeps completion and accepts what comes
 * later.
 */
function openUnion(words: readonly string[]): string {
  return `${union(words)} | (string & {})`
}

/**
 * A response schema as json-schema-to-typescript reads it: references become names, open enums open
 * unions.
 */
function recordSchema(schema: Schema): TypeSchema {
  const described =
    schema.description === undefined ? {} : { description: schema.description.trim() }
  if (schema.$ref !== undefined) return { ...described, tsType: referenceName(schema.$ref) }
  if (schema['x-open-enum'] !== undefined)
    return { ...described, tsType: openUnion(schema['x-open-enum']) }
  const plain = Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-')))
  return {
    ...plain,
    ...described,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, value]) => [key, recordSchema(value)]),
      ),
    }),
    ...(schema.items && { items: recordSchema(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(recordSchema) }),
    ...(schema.allOf && { allOf: schema.allOf.map(recordSchema) }),
  }
}

/**
 * The TypeScript type of a request's value, written for the caller: lists and maps are read only.
 */
function inputType(schema: Schema): string {
  if (schema.$ref !== undefined) return referenceName(schema.$ref)
  if (schema['x-item'] !== undefined) return oneOrMany(inputType(schema['x-item']))
  if (schema.const !== undefined) return quote(schema.const)
  if (schema.enum !== undefined) return union(schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return branches.map(inputType).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => inputType({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly (${schema.items === undefined ? 'unknown' : inputType(schema.items)})[]`
    case 'object': {
      const values = schema.additionalProperties
      return `Readonly<Record<string, ${typeof values === 'object' ? inputType(values) : 'unknown'}>>`
    }
    default:
      throw new Error(`No input type for ${JSON.stringify(schema)}`)
  }
}

function oneOrMany(type: string): string {
  return `${type} | readonly ${type}[]`
}

/** A query parameter's type: one value or a list for filters, text or a `Date` for times. */
function queryType({ schema }: Parameter): string {
  if (schema.type === 'array' && schema.items !== undefined)
    return oneOrMany(inputType(schema.items))
  if (schema.format === 'date-time') return 'string | Date'
  return inputType(schema)
}

function inputProperty(
  type: string,
  required: boolean,
  schema: Schema,
  description = schema.description,
): TypeSchema {
  const text = [
    description?.trim(),
    schema.default === undefined ? undefined : `@default ${schema.default}`,
  ]
  return {
    tsType: required ? type : `${type} | undefined`,
    description: text.filter((part) => part !== undefined).join('\n'),
  }
}

function requestSchema(schema: Schema): TypeSchema {
  const described =
    schema.description === undefined ? {} : { description: schema.description.trim() }
  if (schema.properties === undefined) return { ...described, tsType: inputType(schema) }
  const required = schema.required ?? []
  const properties = Object.entries(schema.properties).map(([key, value]) => [
    key,
    inputProperty(inputType(value), required.includes(key), value),
  ])
  return {
    ...described,
    type: 'object',
    required: [...required],
    properties: Object.fromEntries(properties),
  }
}

function parametersSchema(description: string, parameters: readonly Parameter[]): TypeSchema {
  return {
    description: description.trim(),
    type: 'object',
    required: parameters.filter(({ required }) => required).map(parameterKey),
    properties: Object.fromEntries(
      parameters.map((parameter) => [
        parameterKey(parameter),
        inputProperty(
          queryType(parameter),
          parameter.required === true,
          parameter.schema,
          parameter.description,
        ),
      ]),
    ),
  }
}

const ONE_LINE_COMMENT = /^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm

const options = {
  bannerComment: '',
  additionalProperties: false,
  style: { semi: false, singleQuote: true, printWidth: 120 },
}

async function declare(
  name: string,
  schema: TypeSchema,
  parents: readonly string[] = [],
): Promise<string> {
  const text = await compile(schema, name, options)
  if (parents.length === 0) return text
  return text.replace(
    `export interface ${name} {`,
    `export interface ${name} extends ${parents.join(', ')} {`,
  )
}

function parameterNamed(document: Document, name: string): Parameter {
  const found = Object.values(document.components.parameters).find(
    (parameter) => parameter.name === name,
  )
  if (found === undefined) throw new Error(`The document has no parameter '${name}'`)
  return found
}

/** Everything a params type holds, parents included. */
function inheritedKeys(document: Document, name: string): readonly string[] {
  const group: ParamsGroup | undefined = document['x-params'][name]
  if (group === undefined)
    return Object.keys(lookUp(document.components.schemas, name, 'schema').properties ?? {})
  return [
    ...group.parameters,
    ...(group.extends ?? []).flatMap((parent) => inheritedKeys(document, parent)),
  ]
}

/**
 * The params type of an operation made of groups: its parents, and the parameters that no parent
 * holds.
 */
function declareParams(
  document: Document,
  operation: DocumentOperation,
  name: string,
): Promise<string> {
  const parents = operation['x-params-extends'] ?? []
  const inherited = new Set(parents.flatMap((parent) => inheritedKeys(document, parent)))
  const own = operation.resolvedParameters.filter((parameter) => !inherited.has(parameter.name))
  const parameters = new Set(operation.resolvedParameters.map((parameter) => parameter.name))
  const foreign = [...inherited].filter(
    (key) => !parameters.has(key) && operation.requestBody === undefined,
  )
  if (foreign.length > 0)
    throw new Error(`${operation.operationId} does not take ${foreign.join(', ')}`)
  return declare(name, parametersSchema(`Params of \`${operation.operationId}\`.`, own), parents)
}

/**
 * The text of schemas.gen.ts: records, bodies and params, each a named type with its description.
 */
export async function renderSchemas(document: Document): Promise<string> {
  const requests = requestSchemaNames(document)
  const declarations: string[] = []
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    declarations.push(
      await declare(name, requests.has(name) ? requestSchema(schema) : recordSchema(schema)),
    )
  }
  for (const [name, group] of Object.entries(document['x-params'])) {
    const parameters = group.parameters.map((parameter) => parameterNamed(document, parameter))
    declarations.push(
      await declare(name, parametersSchema(group.description, parameters), group.extends),
    )
  }
  for (const operation of listOperations(document)) {
    if (operation['x-params'] === undefined || operation['x-params-extends'] === undefined) continue
    declarations.push(await declareParams(document, operation, operation['x-params']))
  }
  const text = declarations.map((declaration) => declaration.trim()).join('\n\n')
  return `${text.replace(ONE_LINE_COMMENT, '$1/** $2 */')}\n`
}
