import type {
  DocumentNode,
  ExecutionResult,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { asset } from '../base/asset.js'
import { mayMutate } from '../domain/access-token.js'
import { budget } from '../domain/budget.js'
import { accept, refuse } from '../domain/decision.js'
import { isPlainObject } from '../fields/field.js'
import { readJsonValue, unencoded } from '../http/body.js'
import type { HandlerAnswer, Handlers, RequestContext } from '../request/exchange.js'
import { type BuildHandlers, OperationRefused, resolveField, rootValue } from './graphql/root.js'

async function loadEngine() {
  const graphql = await import('graphql')
  return { graphql, schema: graphql.buildSchema(asset('routes/graphql/schema.graphql')) }
}

type Engine = Awaited<ReturnType<typeof loadEngine>>

function errors(
  ...list: readonly { readonly message: string; readonly extensions?: object }[]
): HandlerAnswer {
  return {
    status: 200,
    body: { errors: list },
  }
}

function readRequest(body: unknown) {
  if (!isPlainObject(body) || typeof body['query'] !== 'string')
    return 'The body must have a query string'
  const { query, variables, operationName } = body
  if ((variables ?? undefined) !== undefined && !isPlainObject(variables))
    return 'variables must be an object'
  if ((operationName ?? undefined) !== undefined && typeof operationName !== 'string') {
    return 'operationName must be a string'
  }
  return {
    query,
    variables: isPlainObject(variables) ? variables : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
}

function answerOf({ graphql }: Engine, { data, errors: raised }: ExecutionResult): HandlerAnswer {
  const failures = (raised ?? []).map(({ message, originalError }) => {
    const isGraphqlError =
      originalError === undefined || originalError instanceof graphql.GraphQLError
    const isRefusal = originalError instanceof OperationRefused
    // Our bugs and errors of the store are handled where those of other requests are.
    if (!isGraphqlError && !isRefusal) throw originalError
    return { message }
  })
  return {
    status: 200,
    body: { ...(data !== undefined && { data }), ...(failures.length > 0 && { errors: failures }) },
  }
}

/**
 * The names of all root fields of a mutation, also inside fragments. Aliases and directives are
 * ignored, so that they cannot hide a mutation.
 */
function mutationNames(
  document: DocumentNode,
  operation?: OperationDefinitionNode | null,
): readonly string[] {
  if (operation?.operation !== 'mutation') return []
  const fragments = document.definitions.filter(
    (definition) => definition.kind === 'FragmentDefinition',
  )
  const names = new Set<string>()
  const visited = new Set<string>()
  const pending: SelectionSetNode[] = [operation.selectionSet]
  for (let set = pending.pop(); set !== undefined; set = pending.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === 'Field') {
        names.add(selection.name.value)
      } else if (selection.kind === 'InlineFragment') {
        pending.push(selection.selectionSet)
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const spread = fragments.filter(({ name }) => name.value === selection.name.value)
        pending.push(...spread.map(({ selectionSet }) => selectionSet))
      }
    }
  }
  return [...names]
}

async function execute(
  engine: Engine,
  request: Exclude<ReturnType<typeof readRequest>, string>,
  builds: BuildHandlers,
  context: RequestContext,
): Promise<HandlerAnswer> {
  const { graphql, schema } = engine
  const parsed = parseDocument(graphql, request.query)
  if (typeof parsed === 'string') return errors({ message: parsed })
  // Null if the document has no operation, or several and none is named; `execute` reports that.
  const operation = graphql.getOperationAST(parsed, request.operationName)
  if (operation?.operation === 'subscription')
    return errors({ message: 'Subscriptions are not supported' })

  const names = mutationNames(parsed, operation)
  const { permittedMutations } = context.sandbox.settings
  const allowed = mayMutate(context.caller.token, names, permittedMutations)
  if (!allowed.ok) {
    context.detail = allowed.failure.detail
    return errors({ message: allowed.failure.message, extensions: { code: 'FORBIDDEN' } })
  }

  const invalid = graphql.validate(schema, parsed, undefined, { maxErrors: 20 })
  if (invalid.length > 0) return errors(...invalid.map(({ message }) => ({ message })))
  const result = await graphql.execute({
    schema,
    document: parsed,
    rootValue: rootValue(builds, context),
    fieldResolver: resolveField,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
  })
  return answerOf(engine, result)
}

/** Whether a document exceeds the budget. The lexer needs no recursion, so it cannot overflow. */
function isTooMuch({ Lexer, Source, TokenKind }: Engine['graphql'], query: string): boolean {
  const opening: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
  const closing: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]
  const lexer = new Lexer(new Source(query))
  let depth = 0
  for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens++) {
    const { kind } = lexer.token
    depth += Number(opening.includes(kind)) - Number(closing.includes(kind))
    if (depth > budget.depth || tokens >= budget.graphqlTokens) return true
  }
  return false
}

function parseDocument(graphql: Engine['graphql'], query: string) {
  try {
    if (isTooMuch(graphql, query)) {
      return `The document may have ${budget.graphqlTokens} tokens and ${budget.depth} levels at most`
    }
    return graphql.parse(query, { noLocation: true })
  } catch (error) {
    if (error instanceof graphql.GraphQLError) return error.message
    throw error
  }
}

/** `POST /graphql`: rights are checked before validation; REST operations do the work. */
export function graphqlHandlers(builds: BuildHandlers): Pick<Handlers, 'graphql'> {
  let engine: Promise<Engine> | undefined
  return {
    graphql: async (context) => {
      const encoding = unencoded(context.headers)
      if (!encoding.ok) return encoding
      const bytes = await context.bytes()
      if (!bytes.ok) return bytes
      const body = readJsonValue(bytes.value)
      if (!body.ok) return body
      if (Array.isArray(body.value)) return refuse('bad_request', 'Batches are not supported')
      const request = readRequest(body.value)
      if (typeof request === 'string') return accept(errors({ message: request }))
      engine ??= loadEngine()
      return accept(await execute(await engine, request, builds, context))
    },
  }
}
