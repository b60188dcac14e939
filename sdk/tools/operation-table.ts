import {
  type Document,
  type DocumentOperation,
  listOperations,
  lookUp,
  type Parameter,
  parameterKey,
  referenceName,
  type Schema,
} from './document.js'
import { literal } from './literal.js'

/** How deep the fields of an operation stand in the table. */
const FIELD_INDENT = '    '

const DECLARATIONS = `/** How a query parameter travels: as it is, as \`name[]=…\` for a list, or as \`name[key]=…\` for a map. */
export interface QueryParameter {
  readonly kind: 'string' | 'uuid' | 'integer' | 'boolean' | 'time' | 'array' | 'map'
  readonly default?: string | number | boolean
  /** What a UUID is of. */
  readonly title?: string
  /** The words that a list may hold, where they are known. */
  readonly words?: readonly string[]
  /** Beyond the documented API; a service may ignore it. */
  readonly extension?: true
}

/**
 * What both sides know about an operation: where it is, who may call it, and where each of its
 * params goes.
 */
export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the endpoint's URL, with \`{name}\` for each path parameter. */
  readonly path: string
  /** Which configured URL the path is appended to. */
  readonly server: 'api' | 'auth' | 'graphql'
  /** Scope that the token must have; null when any live token, or none on \`auth\`, will do. */
  readonly scope: string | null
  /** Status of a success. */
  readonly status: number
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, QueryParameter>>
  /**
   * Keys of params that form the body; a list under a key of \`joined\` travels as one string with
   * that separator.
   */
  readonly body: {
    readonly type: 'json' | 'form'
    readonly properties: readonly string[]
    readonly joined: Readonly<Record<string, string>>
  } | null
  /** A \`redirect\` is a record that says in \`url\` where \`Location\` points. */
  readonly result: 'record' | 'page' | 'text' | 'empty' | 'redirect'
  /**
   * The fields without which a success, or an item of a page, is not the record asked for; each is
   * a text or a number.
   */
  readonly identity: readonly string[]
  /**
   * Fields that hold lists of records, when they are there, and the fields that each of those must
   * have.
   */
  readonly nested: Readonly<Record<string, readonly string[]>>
  /**
   * Whether sending it twice does no more than sending it once. This belongs to the operation, not
   * to the method.
   */
  readonly retrySafe: boolean
  /** Beyond the documented API; a service may lack it. */
  readonly extension: boolean
}`

/** Fills in the defaults that rows leave out. Only OAuth's own calls load OAuth's rows. */
const TABLE = `/** A row as it stands here, without what goes without saying. */
interface OperationRow
  extends Partial<Omit<Operation, 'id' | 'path' | 'pathParameters' | 'query' | 'body'>>,
    Pick<Operation, 'path' | 'query'> {
  readonly body?: Partial<NonNullable<Operation['body']>> & Pick<NonNullable<Operation['body']>, 'properties'>
}

function whole(id: string, { method = 'GET', body, ...row }: OperationRow): Operation {
  return {
    id: id as OperationId,
    method,
    server: 'api',
    scope: null,
    status: 200,
    pathParameters: row.path.match(/(?<=\\{)\\w+/g) ?? [],
    body: body ? { type: 'json', joined: {}, ...body } : null,
    result: 'record',
    identity: [],
    nested: {},
    retrySafe: method === 'GET',
    extension: false,
    ...row,
  }
}

function wholeRows<K extends string>(rows: Readonly<Record<K, OperationRow>>): { readonly [N in K]: Operation } {
  return Object.fromEntries(Object.entries<OperationRow>(rows).map(([id, row]) => [id, whole(id, row)])) as Record<K, Operation>
}

/** The operations of OAuth's endpoints. */
export const oauthOperations = /* @__PURE__ */ wholeRows(oauth)
/** All others. */
export const apiOperations = /* @__PURE__ */ wholeRows(api)
/** The operations of the API, by name. */
export const operations: { readonly [K in OperationId]: Operation } = /* @__PURE__ */ Object.assign({}, apiOperations, oauthOperations)

type Table = typeof api & typeof oauth
type PathName<Path> = Path extends \`\${string}{\${infer Name}}\${infer Rest}\` ? Name | PathName<Rest> : never

/** The rows of \`operations\` as they are: for types that must name each parameter. */
export type OperationTable = {
  readonly [K in OperationId]: Omit<Operation, 'pathParameters' | 'query' | 'body'> & {
    readonly pathParameters: readonly PathName<Table[K]['path']>[]
    readonly query: Table[K]['query']
    readonly body: Table[K] extends { readonly body: infer Body } ? Body : null
  }
}
/** Names of an operation's query parameters. */
export type QueryName<Id extends OperationId> = Id extends OperationId
  ? string & keyof OperationTable[Id]['query']
  : never
/** Names of the properties of an operation's body. */
export type BodyName<Id extends OperationId> = Id extends OperationId
  ? OperationTable[Id]['body'] extends { readonly properties: readonly (infer Name)[] }
    ? Name
    : never
  : never`

function queryParameter(document: Document, { schema, ...parameter }: Parameter) {
  const formats: Readonly<Record<string, string>> = { 'date-time': 'time', uuid: 'uuid' }
  const kinds: Readonly<Record<string, string>> = {
    string: formats[schema.format ?? ''] ?? 'string',
    integer: 'integer',
    boolean: 'boolean',
    array: 'array',
    object: 'map',
  }
  const kind = lookUp(kinds, String(schema.type), 'query parameter type')
  const words = schema.items === undefined ? undefined : follow(document, schema.items).enum
  return {
    kind,
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.title !== undefined && { title: schema.title }),
    ...(words !== undefined && { words }),
    ...(parameter['x-extension'] === true && { extension: true }),
  }
}

function follow(document: Document, schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : lookUp(document.components.schemas, referenceName(schema.$ref), 'schema')
}

function bodyOf(document: Document, operation: DocumentOperation) {
  const [media] = Object.entries(operation.requestBody?.content ?? {})
  if (media === undefined) return undefined
  const body = follow(document, media[1].schema)
  const branches =
    body.oneOf === undefined ? [body] : body.oneOf.map((branch) => follow(document, branch))
  const properties = branches.flatMap((branch) => Object.entries(branch.properties ?? {}))
  const joined = Object.fromEntries(
    properties.flatMap(([key, value]) =>
      value['x-joined-by'] === undefined ? [] : [[key, value['x-joined-by']]],
    ),
  )
  return {
    ...(media[0] !== 'application/json' && { type: 'form' }),
    properties: [...new Set(properties.map(([key]) => key))],
    ...(Object.keys(joined).length > 0 && { joined }),
  }
}

interface Success {
  readonly status: number
  readonly result: 'record' | 'page' | 'text' | 'empty' | 'redirect'
  readonly identity: readonly string[]
  readonly nested: Readonly<Record<string, readonly string[]>>
  readonly type: string
}

/**
 * What a success of the operation is: its one 2xx or 3xx response, a part (206) of the whole not
 * counted.
 */
function successOf(document: Document, operation: DocumentOperation): Success {
  const found = Object.entries(operation.responses).filter(
    ([status]) => /^[23]/.test(status) && status !== '206',
  )
  const [success] = found
  if (success === undefined || found.length > 1)
    throw new Error(`${operation.operationId} needs one 2xx or 3xx response`)
  const status = Number(success[0])
  const [media] = Object.entries(success[1].content ?? {})
  if (media === undefined)
    return { status, result: 'empty', identity: [], nested: {}, type: 'undefined' }
  if (media[0] !== 'application/json')
    return { status, result: 'text', identity: [], nested: {}, type: 'string' }
  const { schema } = media[1]
  const item = schema.type === 'array' ? (schema.items ?? {}) : schema
  const type = referenceName(item.$ref ?? '')
  return schema.type === 'array'
    ? { status, result: 'page', ...grantedOf(document, item), type: `${type}[]` }
    : { status, result: status < 300 ? 'record' : 'redirect', ...grantedOf(document, item), type }
}

/** What a client takes for granted of a record, and of the records in its lists. */
function grantedOf(document: Document, schema: Schema): Pick<Success, 'identity' | 'nested'> {
  const record = follow(document, schema)
  const properties = [record, ...(record.allOf ?? [])].flatMap((part) =>
    Object.entries(follow(document, part).properties ?? {}),
  )
  const nested = properties.flatMap(([key, { items }]) => {
    const identity = items === undefined ? undefined : follow(document, items)['x-identity']
    return identity === undefined ? [] : [[key, identity] as const]
  })
  return { identity: record['x-identity'] ?? [], nested: Object.fromEntries(nested) }
}

/** The row of an operation, in the order of the `Operation` type, without what `whole` fills in. */
function operationRow(document: Document, operation: DocumentOperation) {
  const { status, result, identity, nested } = successOf(document, operation)
  const parameters = operation.resolvedParameters
  const names = parameters.filter((parameter) => parameter.in === 'path').map(parameterKey)
  if (`${names}` !== `${operation.path.match(/\w+(?=})/g) ?? []}`)
    throw new Error(
      `${operation.operationId} needs the path parameters of ${operation.path}, in their order`,
    )
  const query = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => [parameterKey(parameter), queryParameter(document, parameter)]),
  )
  const [requirement] = operation.security
  const scope = requirement?.['bearer']?.[0]
  const body = bodyOf(document, operation)
  const { 'x-endpoint': server = 'api', 'x-retry-safe': retrySafe } = operation
  return {
    ...(operation.method !== 'GET' && { method: operation.method }),
    path: operation.path,
    ...(server !== 'api' && { server }),
    ...(scope !== undefined && { scope }),
    ...(status !== 200 && { status }),
    query,
    ...(body !== undefined && { body }),
    ...(result !== 'record' && { result }),
    ...(identity.length > 0 && { identity }),
    ...(Object.keys(nested).length > 0 && { nested }),
    ...(retrySafe !== (operation.method === 'GET') && { retrySafe }),
    ...(operation['x-extension'] === true && { extension: true }),
  }
}

/** Fields of rows whose values several operations have. */
const SHARED = ['query', 'identity', 'nested'] as const

/** The long values that several operations have in a field, each with a name for its constant. */
function sharedValues(document: Document, operations: readonly DocumentOperation[]) {
  const rows = operations.map((operation) => ({
    ...operationRow(document, operation),
    id: operation.operationId,
  }))
  return SHARED.flatMap((field) => {
    const texts = rows.map((row) => literal(row[field] ?? {}, FIELD_INDENT))
    const shared = texts.filter((text, at) => text.length > 12 && texts.indexOf(text) < at)
    return [...new Set(shared)].map((text) => {
      const first = camelCase(rows[texts.indexOf(text)]?.id ?? '')
      return { field, text, name: `${first}${field[0]?.toUpperCase()}${field.slice(1)}` }
    })
  })
}

function camelCase(operationId: string): string {
  return operationId.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function constant(name: string, description: string, words: readonly string[]): string {
  return `/** ${description} */\nexport const ${name} = ${literal(words)} as const`
}

/** The text of operations.gen.ts: the table, the type map and the lists of words. */
export function renderOperations(document: Document): string {
  const operations = listOperations(document)
  const isOAuth = (operation: DocumentOperation): boolean => operation['x-endpoint'] === 'auth'
  const types = operations.map((operation) => {
    const params = operation['x-params'] ?? 'NoParams'
    const { type } = successOf(document, operation)
    return `  /** ${operation.summary}. */\n  '${operation.operationId}': { params: ${params}; result: ${type} }`
  })
  const imported = operations.flatMap((operation) => [
    ...(operation['x-params'] === undefined ? [] : [operation['x-params']]),
    successOf(document, operation).type.replace(/\[\]$/, ''),
  ])
  const names = [...new Set(imported)]
    .filter((name) => name !== 'string' && name !== 'undefined')
    .sort()
  const lists = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    schema['x-const'] === undefined || schema.enum === undefined
      ? []
      : [
          {
            constant: schema['x-const'],
            description: `The words of \`${name}\`.`,
            words: schema.enum,
          },
        ],
  )
  const shared = sharedValues(document, operations)
  const withWords = (text: string): string =>
    lists.reduce(
      (whole, list) => whole.replaceAll(`words: ${literal(list.words)}`, `words: ${list.constant}`),
      text,
    )
  const table = (name: string, some: readonly DocumentOperation[]): string => {
    const rows = some.map((operation) => [operation.operationId, operationRow(document, operation)])
    const text = shared.reduce(
      (whole, { field, text: value, name: constantName }) =>
        whole.replaceAll(`${field}: ${value}`, `${field}: ${constantName}`),
      literal(Object.fromEntries(rows)),
    )
    return `const ${name} = ${withWords(text)} as const satisfies Readonly<Record<string, OperationRow>>`
  }
  return [
    `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from './schemas.gen.js'`,
    `/** Names of the operations, which are also the paths of the client's methods. */\nexport type OperationId =\n${operations.map(({ operationId }) => `  | '${operationId}'`).join('\n')}`,
    DECLARATIONS,
    '/** Params of an operation that takes none. */\nexport type NoParams = Readonly<Record<string, never>>',
    `/** Each operation's input, one flat object, and its result. */\nexport interface OperationTypes {\n${types.join('\n')}\n}`,
    ...lists.map((list) => constant(list.constant, list.description, list.words)),
    ...shared.map(
      ({ name, text }) =>
        `const ${name} = ${withWords(text).replaceAll(`\n${FIELD_INDENT}`, '\n')} as const`,
    ),
    table('oauth', operations.filter(isOAuth)),
    table(
      'api',
      operations.filter((operation) => !isOAuth(operation)),
    ),
    TABLE,
    constant(
      'SCOPES',
      'Scopes that a token may carry.',
      Object.keys(document.components.securitySchemes.bearer['x-scopes']),
    ),
  ].join('\n\n')
}
