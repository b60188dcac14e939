import { fetchTransport, TokenExchange, type TokenSet, type Transport, userEmailTokenType } from '@buildwire/sdk'
import type { Context } from '../../context/context.js'
import { oauthOptions } from '../../context/oauth-connection.js'
import { usageError } from '../../io/command-error.js'
import { variable } from '../../io/io.js'
import { say } from '../../io/printable.js'
import type { MintFlagValues } from './flags.js'
import { decodeJwt } from './jwt.js'
import { signingKey } from './signing-key.js'

/** The exchange that is asked for; `run` sends it. */
async function prepare(context: Context, request: MintFlagValues, transport?: Transport) {
  const settings = await context.settings()
  const client_id = request['client-id'] ?? settings.client_id?.value
  if (client_id === undefined) {
    throw usageError(
      say`no application is named; say --client-id ID, BUILDWIRE_CLIENT_ID, or client_id in the context`,
      { hint: ['context', 'set', settings.contextName ?? 'NAME', '--client-id', 'ID'] },
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
  const params = { subject_token, audience: organization.org_slug, scope, expires_in }
  const oauth = await oauthOptions(context)
  const signer = await signingKey(context, request)
  const application = { client_id, subject_token_type: userEmailTokenType(settings.vendor.value) }
  const exchange = new TokenExchange(application, { ...oauth, signer, transport: transport ?? oauth.transport })
  return { run: () => exchange.exchange(params, { signal: context.signal }) }
}

/** Mints one impersonation token; it is not stored anywhere. */
export async function mintToken(context: Context, request: MintFlagValues): Promise<TokenSet> {
  const { run } = await prepare(context, request)
  const tokens = await run()
  context.redactor.add(tokens.access_token)
  return tokens
}

/** What would be sent: the form, and of the assertion header and claims; nothing leaves this machine. */
export async function showExchange(context: Context, request: MintFlagValues) {
  const sent: ReturnType<typeof asShown>[] = []
  const refuses = fetchTransport(() => async (url, { method, body }) => {
    sent.push(asShown(method, url, String(body)))
    return Response.json({ error: 'invalid_request', error_description: 'nothing was sent' }, { status: 400 })
  })
  const { run } = await prepare(context, request, refuses)
  await run().catch((error: unknown) => {
    if (sent.length === 0) throw error
  })
  return sent[0]
}

function asShown(method: string | undefined, url: string, body: string) {
  const form = Object.fromEntries(new URLSearchParams(body))
  const { masked, header, claims } = decodeJwt(form.client_assertion ?? '') ?? { masked: '[redacted]' }
  return { method, url, form: { ...form, client_assertion: masked }, header, claims }
}
