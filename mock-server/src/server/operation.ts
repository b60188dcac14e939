import { type Operation, operations } from '@buildwire/sdk/contract'
import { accept, type Decision } from '../domain/decision.js'
import { readJson } from '../http/body.js'
import { type FailureShape, failureAnswer } from '../http/failure.js'
import { operationHeaders, respond } from '../request/answer.js'
import { authenticateBearer, authorizeCallerAddress, authorizeCallerScope } from '../request/bearer.js'
import type { Answer, Caller, Context, Handler, PathParameters } from '../request/context.js'
import type { CheckAnswer } from '../request/strict.js'
import type { LiveExchange } from '../sandbox/sandbox.js'

export interface OperationOptions {
  /** Holds an answer against the contract; absent outside tests and `--strict`. */
  readonly check?: CheckAnswer | undefined
}

const shapes: Readonly<Record<Operation['server'], FailureShape>> = { api: 'rest', auth: 'oauth', graphql: 'graphql' }

export const shapeOf = ({ server }: Operation): FailureShape => shapes[server]

/**
 * Answers one operation. The order of checks: credentials, rate limit, address, scope; what
 * follows (the path's records, rights, query, body, state) is the handler's.
 */
export async function runOperation(
  operation: Operation,
  handler: Handler,
  parameters: PathParameters,
  exchange: LiveExchange,
  options: OperationOptions,
): Promise<Response> {
  let headers: Readonly<Record<string, string>> = {}
  let decision: Decision<Answer> = accept({})
  if (operation.server !== 'auth') {
    const admitted = admit(operation, parameters, exchange)
    headers = admitted.headers
    if (!admitted.decision.ok) decision = admitted.decision
  }
  if (decision.ok) decision = await handler(parameters, contextOf(operation, exchange))
  if (!decision.ok) exchange.detail ??= decision.failure.detail
  // Refused by its query or body reader: a test that sends such a request should know.
  if (!decision.ok && (decision.failure.code === 'bad_request' || decision.failure.errors)) exchange.unexpected = true
  const status = operations[operation.id].status
  if (options.check) {
    const answer: Answer = decision.ok ? decision.value : failureAnswer(decision.failure, shapeOf(operation))
    options.check(operation.id, answer.status ?? status, answer, exchange.sandbox.settings.dialect)
  }
  const common = { ...operationHeaders(operation, exchange.caller), ...headers }
  return respond(decision, status, shapeOf(operation), common)
}

interface Admitted {
  readonly decision: Decision<Caller>
  readonly headers: Readonly<Record<string, string>>
}

function admit(operation: Operation, parameters: PathParameters, exchange: LiveExchange): Admitted {
  const { sandbox } = exchange
  const tokenInQuery = exchange.query.some(([name]) => name === 'access_token')
  const caller = authenticateBearer(sandbox, exchange.authorization, tokenInQuery, exchange.at)
  if (!caller.ok) return { decision: caller, headers: {} }
  exchange.caller = caller.value
  const { settings, rateLimits } = sandbox
  const limited = rateLimits.count(
    settings.rateLimits,
    caller.value,
    countedOrganization(exchange, caller.value, parameters),
    exchange.at,
  )
  const { headers } = limited
  if (limited.failure) return { decision: { ok: false, failure: limited.failure }, headers }
  const address = authorizeCallerAddress(caller.value, exchange.ip)
  if (!address.ok) return { decision: address, headers }
  // A use that cannot be stored turns the store read-only, which is told; the answer does not wait for it.
  sandbox.oauth.lastUsed.note(sandbox.store, caller.value.token, exchange.at).catch(() => undefined)
  const scope = authorizeCallerScope(sandbox, caller.value, operation.scope)
  return scope.ok ? { decision: caller, headers } : { decision: scope, headers }
}

/** The organization in the path where it is one of the caller's, else the token's first. */
function countedOrganization({ sandbox }: LiveExchange, caller: Caller, parameters: PathParameters): string {
  const named = sandbox.store.state.find('organizationBySlug', parameters['org_slug'] ?? '')?.id
  const [first = ''] = caller.organizationIds
  return named !== undefined && caller.organizationIds.has(named) ? named : first
}

function contextOf(operation: Operation, exchange: LiveExchange): Context {
  return {
    sandbox: exchange.sandbox,
    operation,
    ip: exchange.ip,
    requestId: exchange.id,
    authorization: exchange.authorization,
    now: exchange.at,
    query: exchange.query,
    get request() {
      return exchange.request
    },
    get caller() {
      if (exchange.caller === undefined) throw new Error(`${operation.id} has no caller`)
      return exchange.caller
    },
    bytes: () => exchange.bytes(),
    body: () => readJson(exchange),
    note: (detail) => {
      exchange.detail = detail
    },
  }
}
