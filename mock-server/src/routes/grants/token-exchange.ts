import { assertionDigest } from '../../base/digest.js'
import { budget } from '../../domain/budget.js'
import {
  badSignature,
  type CheckedClaims,
  type ClientAssertion,
  checkClaims,
  readAssertion,
} from '../../domain/client-assertion.js'
import { accept, type Decision, refuse } from '../../domain/decision.js'
import { chooseKeys, type PublicJwk } from '../../domain/keys.js'
import { knownScopes } from '../../domain/scope.js'
import {
  accessTokenType,
  decideExchange,
  type ExchangeFacts,
  jtiKeptUntil,
} from '../../domain/token-exchange.js'
import { type Grant, mint, type TokenResponse } from '../../grants/grant.js'
import type { Form } from '../../http/form.js'
import type { ApplicationRecord } from '../../records/records.js'
import type { SandboxContext } from '../../request/exchange.js'
import type { ReadonlyState, Transaction } from '../../store/store.js'

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

interface VerifiedAssertion {
  readonly assertion: ClientAssertion
  readonly client_id: string
  readonly key: PublicJwk
  readonly jwks_uri: string | null
}

function check(form: Form): Decision<null> {
  if (form.get('client_assertion_type') !== jwtBearer) {
    return refuse('invalid_request', 'Unsupported value: client_assertion_type')
  }
  return Buffer.byteLength(form.get('client_assertion') ?? '') <= budget.assertionBytes
    ? accept(null)
    : refuse('invalid_request', 'Unsupported value: client_assertion')
}

function exchangeApplication(state: ReadonlyState, client_id: string): Decision<ApplicationRecord> {
  const application = state.find('applicationByClientId', client_id)
  if (application === undefined) return badSignature('application_unknown')
  if (application.kind !== 'token_exchange') return badSignature('application_kind')
  return application.enabled ? accept(application) : badSignature('application_disabled')
}

/** Fetches the keys and verifies the signature. The decision reads all records again. */
async function verify(
  form: Form,
  { store, oauth, settings }: SandboxContext,
): Promise<Decision<VerifiedAssertion>> {
  const read = readAssertion(form.get('client_assertion') ?? '')
  if (!read.ok) return read
  const assertion = read.value
  const { iss } = assertion.claims
  if (typeof iss !== 'string') return badSignature('iss_malformed')
  if ((form.get('client_id') ?? iss) !== iss) return badSignature('client_id_differs')
  const application = exchangeApplication(store.state, iss)
  if (!application.ok) return application
  const { jwks, jwks_uri } = application.value
  const keys =
    jwks_uri === null
      ? ((jwks?.keys ?? []) as readonly PublicJwk[])
      : await oauth.jwks.keys(iss, jwks_uri, assertion.kid, settings.jwksTimeoutMs)
  if (keys.length === 0) return badSignature(jwks_uri === null ? 'no_keys' : 'jwks_unreachable')
  const chosen = chooseKeys(keys, assertion.alg, assertion.kid)
  if (chosen.length === 0)
    return badSignature(assertion.kid === undefined ? 'no_fitting_key' : 'unknown_kid')
  const key = await oauth.verifyAssertion(assertion, chosen)
  return key === undefined
    ? badSignature('signature_wrong')
    : accept({ assertion, client_id: iss, key, jwks_uri })
}

/** Whether the application still has the key: its registration or key set may have changed. */
function stillHeld(
  { jwks, jwks_uri, client_id }: ApplicationRecord,
  verified: VerifiedAssertion,
  { oauth }: SandboxContext,
): boolean {
  const keys =
    jwks_uri === null
      ? ((jwks?.keys ?? []) as readonly PublicJwk[])
      : oauth.jwks.held(client_id, jwks_uri)
  if (jwks_uri !== verified.jwks_uri) return false

  const { kid } = verified.key
  const text = JSON.stringify(verified.key)
  return keys.some((key) => key.kid === kid && JSON.stringify(key) === text)
}

function factsOf(
  state: ReadonlyState,
  { settings }: SandboxContext,
  form: Form,
  application: ApplicationRecord,
  jtiUsed: boolean,
): ExchangeFacts {
  const organization = state.find('organizationBySlug', form.get('audience') ?? '')
  const user = state.find('userByEmail', form.get('subject_token') ?? '')
  const member = organization && user && state.find('member', organization.id, user.id)
  return {
    application,
    organization,
    user,
    membershipActive: member?.active === true,
    jtiUsed,
    knownScopes: knownScopes(settings.extraScopes),
    subjectTokenType: `urn:${settings.vendor}:params:oauth:token-type:user-email`,
  }
}

function decide(
  tx: Transaction,
  sandbox: SandboxContext,
  form: Form,
  verified: VerifiedAssertion,
): Decision<TokenResponse> {
  const { assertion, client_id } = verified
  const now = sandbox.clock.now()
  const { settings, allUrls } = sandbox
  const application = exchangeApplication(tx.state, client_id)
  if (!application.ok) return application
  if (!stillHeld(application.value, verified, sandbox)) return badSignature('key_removed')
  const expected = {
    client_id,
    tokenUrls: allUrls.map(({ authUrl }) => `${authUrl}/oauth/token`),
    expLeewaySeconds: settings.expLeewaySeconds,
    nbfLeewaySeconds: settings.nbfLeewaySeconds,
  }
  const claims: Decision<CheckedClaims> = checkClaims(assertion.claims, expected, now)
  if (!claims.ok) return claims

  const { jti } = claims.value
  const replayKey = jti === undefined ? undefined : assertionDigest(client_id, jti)
  const used = replayKey === undefined ? undefined : tx.state.get('usedAssertions', replayKey)
  const jtiUsed = used !== undefined && now < used.keepUntil
  const facts = factsOf(tx.state, sandbox, form, application.value, jtiUsed)
  const exchange = decideExchange(facts, Object.fromEntries(form), claims.value)
  if (!exchange.ok) return exchange
  const { user, organization, scopes, expires_in } = exchange.value
  if (replayKey !== undefined) {
    tx.put('usedAssertions', {
      id: replayKey,
      keepUntil: jtiKeptUntil(claims.value, settings.jtiRetentionSeconds, now),
    })
  }
  sandbox.oauth.sweep(tx, now)
  const { id: applicationId, name: description } = application.value
  const token = {
    kind: 'exchange',
    userId: user.id,
    scopes,
    organizationIds: [organization.id],
    applicationId,
    grantId: null,
    familyId: null,
    description,
  } as const
  return accept(mint(tx, sandbox, token, expires_in, now, { issued_token_type: accessTokenType }))
}

/**
 * RFC 8693 with an RFC 7523 assertion: the application acts as a named user of one organization.
 */
export const tokenExchangeGrant: Grant = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  parameters: [
    'client_assertion_type',
    'client_assertion',
    'subject_token',
    'subject_token_type',
    'audience',
  ],
  check,
  async handle({ form, sandbox }) {
    const verified = await verify(form, sandbox)
    // A refusal needs a turn too, so that a request that began before a reset gets the reset's
    // error.
    return sandbox.store.update((tx) =>
      verified.ok ? decide(tx, sandbox, form, verified.value) : verified,
    )
  },
}
