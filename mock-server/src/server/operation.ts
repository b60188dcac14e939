import type { Operation } from '@buildwire/sdk/contract'
import { accept, type Decision } from '../domain/decision.js'
import { failureAnswer } from '../http/failure.js'
import { authenticateBearer, authorizeCallerAddress, authorizeCallerScope, countRequest } from '../request/admission.js'
import { operationHeaders, respond } from '../request/answer.js'
import type { Answer, Caller, Context, Handler } from '../request/exchange.js'
import type { CheckAnswer } from '../request/openapi.js'
import type { LiveExchange } from '../sandbox/sandbox.js'

/**
 * Answers one operation. The order of checks: credentials, rate limit, address, scope; what
 * follows (the path's records, rights, query, body, state) is the handler's.
 */
export async function runOperation(
  operation: Operation,
  handler: Handler,
  exchange: LiveExchange,
  check: CheckAnswer | undefined,
): Promise<Response> {
  const { kind, sandbox } = exchange
  const admitted = operation.server === 'auth' ? { decision: accept(null) } : admit(operation, exchange)
  const decision = admitted.decision.ok ? await handler(exchange as Context) : admitted.decision
  if (!decision.ok) {
    exchange.detail ??= decision.failure.detail
    // Refused by its query or body reader: a test that sends such a request should know.
    if (decision.failure.code === 'bad_request' || decision.failure.errors) exchange.unexpected = true
  }
  if (check) {
    const answer: Answer = decision.ok ? decision.value : failureAnswer(decision.failure, kind)
    check(operation.id, answer.status ?? operation.status, answer, sandbox.settings.dialect)
  }
  const headers = { ...operationHeaders(operation, exchange.caller), ...admitted.headers }
  return respond(decision, operation.status, kind, headers)
}

function admit(
  operation: Operation,
  exchange: LiveExchange,
): { readonly decision: Decision<unknown>; readonly headers?: Readonly<Record<string, string>> | undefined } {
  const { sandbox, now, ip } = exchange
  const read = authenticateBearer(exchange)
  if (!read.ok) return { decision: read }
  const caller = read.value
  exchange.caller = caller
  const organization = countedOrganization(exchange, caller)
  const { headers, failure } = countRequest(sandbox, caller, organization, now)
  if (failure) return { decision: { ok: false, failure }, headers }
  const address = authorizeCallerAddress(caller, ip)
  if (!address.ok) return { decision: address, headers }
  // A use that cannot be stored turns the store read-only, which is told; the answer does not wait for it.
  sandbox.oauth.lastUsed.note(sandbox.store, caller.token, now).catch(() => undefined)
  return { decision: authorizeCallerScope(sandbox, caller, operation.scope), headers }
}

/** The organization in the path where it is one of the caller's, else the token's first. */
function countedOrganization({ sandbox, parameters }: LiveExchange, { organizationIds }: Caller): string {
  const named = sandbox.store.state.find('organizationBySlug', parameters['org_slug'] ?? '')?.id
  const [first = ''] = organizationIds
  return named !== undefined && organizationIds.has(named) ? named : first
}
