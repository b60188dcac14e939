import {
  type AssertionSigner,
  createSigner,
  fetchTransport,
  TokenExchange,
  type TokenSet,
  type Transport,
  userEmailTokenType,
} from '@buildwire/sdk'
import { decodeProtectedHeader, decodeJwt as payloadOf } from 'jose'
import { openMode } from '../config/json-file.js'
import type { Context } from '../context/context.js'
import { CommandError, errorCode, usageError } from '../io/command-error.js'
import { readNamedFile } from '../io/input.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import type { MintFlagValues } from './flags.js'
import { oauthOptions } from './stored.js'

export interface MintOptions {
  readonly transport?: Transport
  /** Does not print the organization: the program that gets the token prints it itself. */
  readonly quiet?: boolean
}

/** Mints one impersonation token, which is not stored. */
export async function mintToken(
  context: Context,
  request: MintFlagValues,
  { transport, quiet = false }: MintOptions = {},
): Promise<TokenSet> {
  const settings = await context.settings()
  const client_id = request['client-id'] ?? settings.client_id?.value
  if (client_id === undefined) {
    const message = say`the application is missing; use --client-id ID, BUILDWIRE_CLIENT_ID, or client_id in the context`
    throw usageError(message, {
      hint: ['context', 'set', settings.context?.name ?? 'NAME', '--client-id', 'ID'],
    })
  }
  const subject_token = request.subject ?? variable(context.io, 'SUBJECT')
  if (subject_token === undefined) {
    throw usageError(
      say`the subject is missing; use --subject MAIL or BUILDWIRE_SUBJECT: the user of the token`,
    )
  }
  const organization = await context.target.findOrganization()
  if (organization === null) {
    throw usageError(
      say`the organization is missing; use --org SLUG, BUILDWIRE_ORG, or org_slug in the context`,
    )
  }
  if (!quiet) context.target.noteInferred(organization)
  const scope = request.scope && [...new Set(request.scope.flat())]
  const expiresInMs = request['expires-in']
  const expires_in =
    expiresInMs === undefined ? undefined : Math.max(1, Math.round(expiresInMs / 1000))
  const params = { subject_token, audience: organization.org_slug, scope, expires_in }
  const oauth = await oauthOptions(context, settings)
  const signer = await signingKey(context, request)
  const application = { client_id, subject_token_type: userEmailTokenType(settings.vendor.value) }
  const exchange = new TokenExchange(application, {
    ...oauth,
    signer,
    transport: transport ?? oauth.transport,
  })
  const tokens = await exchange.exchange(params, { signal: context.signal })
  context.redactor.add(tokens.access_token)
  return tokens
}

interface RequestPreview {
  method: string | undefined
  url: string
  form: object
  /** Of the client assertion, if the form has one. */
  header?: object
  claims?: object
}

/**
 * The request that an exchange would send, with header and claims of its assertion. Nothing is
 * sent: the transport refuses the request.
 */
export async function showExchange(context: Context, request: MintFlagValues) {
  const requests: RequestPreview[] = []
  const refusingTransport = fetchTransport(() => async (url, { method, body }) => {
    const form = Object.fromEntries(new URLSearchParams(String(body)))
    const assertion = decodeJwt(form.client_assertion ?? '')
    const client_assertion = assertion?.masked ?? '[redacted]'
    const request: RequestPreview = { method, url, form: { ...form, client_assertion } }
    if (assertion !== null) {
      request.header = assertion.header
      request.claims = assertion.claims
    }
    requests.push(request)
    return Response.json(
      { error: 'invalid_request', error_description: 'nothing was sent' },
      { status: 400 },
    )
  })
  await mintToken(context, request, { transport: refusingTransport }).catch((error: unknown) => {
    if (requests.length === 0) throw error
  })
  return requests[0]
}

/**
 * Decodes a signed JWT without checking its signature; `masked` is the text without the signature.
 * Null for a text that is not a JWT.
 */
export function decodeJwt(text: string) {
  const [head, body, signature] = text.split('.')
  if (!signature) return null
  try {
    return {
      header: decodeProtectedHeader(text),
      claims: payloadOf(text),
      masked: `${head}.${body}.[redacted]`,
    }
  } catch {
    return null
  }
}

/**
 * The signer of client assertions: `--key`, else BUILDWIRE_PRIVATE_KEY, else
 * BUILDWIRE_PRIVATE_KEY_FILE.
 */
async function signingKey(
  context: Context,
  { key, kid, alg }: MintFlagValues,
): Promise<AssertionSigner> {
  const text = await keyText(context, key)
  // The redactor learns the key and each of its lines, so that no message contains them.
  const lines = text
    .split(/\r?\n|\\n/u)
    .filter((line) => line.length >= 16 && !line.startsWith('-----'))
  context.redactor.add(text.trim(), ...lines.map((line) => line.trim()))
  return createSigner({
    key: text,
    ...(kid === undefined ? {} : { kid }),
    ...(alg === undefined ? {} : { alg }),
  })
}

async function keyText(context: Context, key: string | undefined): Promise<string> {
  const { io } = context
  if (key === '-') {
    const text = new TextDecoder().decode(await io.stdin.readAll())
    if (text.trim() === '') throw usageError(say`--key - found no key on stdin`)
    return text
  }
  if (key !== undefined) return keyFile(context, key)
  const value = variable(io, 'PRIVATE_KEY')
  if (value !== undefined) return keyValue(value)
  const file = variable(io, 'PRIVATE_KEY_FILE')
  if (file !== undefined) return keyFile(context, file)
  throw usageError(
    say`the signing key is missing; use --key FILE, BUILDWIRE_PRIVATE_KEY_FILE or BUILDWIRE_PRIVATE_KEY`,
    {
      hint: ['keys', 'generate'],
    },
  )
}

/**
 * The key in a variable, as text or in base64, the form that many secret stores need. A path is
 * refused.
 */
function keyValue(value: string): string {
  const text = value.trim()
  if (text.startsWith('{') || text.includes('-----BEGIN')) return value
  const decoded = Buffer.from(text, 'base64').toString('utf8')
  if (/^[A-Za-z0-9+/_\s-]+=*$/u.test(text) && decoded.includes('-----BEGIN')) return decoded
  const looksLikePath = /^(?:[~./\\]|[A-Za-z]:)|\.(?:pem|key|jwk|json)$/u.test(text)
  if (text.length < 300 && looksLikePath) {
    throw new CommandError('configuration', say`BUILDWIRE_PRIVATE_KEY holds a path, not a key`, {
      lines: [say`Name the file in BUILDWIRE_PRIVATE_KEY_FILE, or with --key`],
    })
  }
  return value
}

async function keyFile({ io, notes }: Context, path: string): Promise<string> {
  if ((await openMode(path, io.platform)) !== null) {
    notes.warn(say`${path} can be read by other users; chmod 600 prevents that`)
  }
  try {
    return (await readNamedFile(path)).toString('utf8')
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(
      'configuration',
      say`cannot read the key ${path} (${errorCode(cause)})`,
      { cause },
    )
  }
}
