import { type ExchangeParams, TokenExchange, type TokenSet, userEmailTokenType } from '@buildwire/sdk'
import type { Context } from '../../context/context.js'
import { oauthOptions } from '../../context/oauth-connection.js'
import { usageError } from '../../io/command-error.js'
import { variable } from '../../io/io.js'
import { say } from '../../io/printable.js'
import { type CapturedExchange, captureExchange } from './capture.js'
import type { MintFlagValues } from './flags.js'
import { signingKey } from './signing-key.js'

interface Prepared {
  readonly client_id: string
  readonly params: ExchangeParams
}

async function prepare(context: Context, request: MintFlagValues): Promise<Prepared> {
  const settings = await context.settings()
  const client_id = request['client-id'] ?? settings.client_id?.value
  if (client_id === undefined) {
    throw usageError(
      say`no application is named; say --client-id ID, BUILDWIRE_CLIENT_ID, or client_id in the context`,
      {
        hint: ['context', 'set', settings.contextName ?? 'NAME', '--client-id', 'ID'],
      },
    )
  }
  const subject_token = request.subject ?? variable(context.io, 'SUBJECT')
  if (subject_token === undefined) {
    throw usageError(say`no subject is named; say --subject MAIL or BUILDWIRE_SUBJECT: the user the token acts as`)
  }
  const organization = await context.target.findOrganization()
  if (organization === null) {
    throw usageError(say`no organization is named; say --org SLUG, BUILDWIRE_ORG, or org_slug in the context`)
  }
  context.target.tell(organization)
  const scope = request.scope && [...new Set(request.scope.flat())]
  const expiresInMs = request['expires-in']
  const expires_in = expiresInMs === undefined ? undefined : Math.max(1, Math.round(expiresInMs / 1000))
  return { client_id, params: { subject_token, audience: organization.org_slug, scope, expires_in } }
}

async function exchangeOf(context: Context, request: MintFlagValues, client_id: string, transport?: CapturedExchange) {
  const { vendor } = await context.settings()
  const oauth = await oauthOptions(context)
  const signer = await signingKey(context, request)
  const options = transport === undefined ? oauth : { ...oauth, transport: transport.transport }
  return new TokenExchange({ client_id, subject_token_type: userEmailTokenType(vendor.value) }, { ...options, signer })
}

/**
 * Mints one impersonation token; it is not stored anywhere.
 *
 * @throws CommandError `usage` for what is not named; OAuthError with a hint when the server refuses.
 */
export async function mintToken(context: Context, request: MintFlagValues): Promise<TokenSet> {
  const { client_id, params } = await prepare(context, request)
  const exchange = await exchangeOf(context, request, client_id)
  const tokens = await exchange.exchange(params, { signal: context.signal })
  context.redactor.add(tokens.access_token)
  return tokens
}

/** What would be sent: the form, and of the assertion header and claims; nothing leaves this machine. */
export async function showExchange(context: Context, request: MintFlagValues): Promise<CapturedExchange['sent']> {
  const { client_id, params } = await prepare(context, request)
  const captured = captureExchange()
  const exchange = await exchangeOf(context, request, client_id, captured)
  await exchange.exchange(params, { signal: context.signal }).catch((error: unknown) => {
    if (captured.sent === null) throw error
  })
  return captured.sent
}
