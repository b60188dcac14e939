import {
  type DeviceAuthorization,
  isCiError,
  parseTimestamp,
  requestDeviceAuthorization,
} from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { CommandError, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { say } from '../io/printable.js'
import { codeLines, pageToOpen, waitForApproval, wantsNewCode, writeLines } from './device-code.js'
import { DEFAULT_SCOPES, fewerScopes, type LoginFlagValues } from './flags.js'
import { type Identity, identify, isChecked } from './identity.js'
import { oauthOptions } from './stored.js'
import type { NewToken } from './stored-credential.js'

/**
 * A new token with the scopes that were requested, or with the identity that its server reports.
 */
export interface IssuedToken {
  readonly token: NewToken
  readonly requestedScopes?: readonly string[]
  readonly identity?: Identity
}

/**
 * The client id of a login: from the flag, a variable or the context.
 *
 * @throws CommandError `usage` if none is set.
 */
export async function clientId(
  context: Context,
  flags: LoginFlagValues,
  name: string,
): Promise<string> {
  const client_id = flags['client-id'] ?? (await context.settings()).client_id?.value
  if (client_id !== undefined) return client_id
  throw usageError(say`the client id for this server is missing; ask its operator for one`, {
    lines: [say`Use --client-id ID, BUILDWIRE_CLIENT_ID, or store it with ci context set`],
    hint: ['context', 'set', name, '--client-id', 'ID'],
  })
}

/** Returns a token from stdin after the server has accepted it. */
export async function checkedToken(context: Context, access_token: string): Promise<IssuedToken> {
  const identity = await identify(
    await context.clientOf(await context.settings(), access_token),
    context.signal,
  )
  if (!isChecked(identity)) {
    context.notes.warn(say`this server cannot describe tokens, so this token was not checked`)
  }
  const scope = identity.scopes?.join(' ') ?? ''
  return {
    token: { access_token, expiresAt: parseTimestamp(identity.expires_at), scope, client_id: null },
    identity,
  }
}

/** Requests a device code and returns the tokens after a person has approved it. */
export async function approvedToken(
  context: Context,
  flags: LoginFlagValues,
  name: string,
  client_id: string,
): Promise<IssuedToken> {
  const { io, out, signal } = context
  const settings = await context.settings()
  const options = { ...(await oauthOptions(context, settings)), signal }
  const client_secret = variable(io, 'CLIENT_SECRET')
  const requestedScopes =
    flags.scope === undefined ? DEFAULT_SCOPES : [...new Set(flags.scope.flat())]
  let scope = requestedScopes
  /** Leaves out a scope of an extension that the service may not know, and returns null. */
  const requestFewerScopes = (error: unknown) => {
    const isUnknown = isCiError(error, 'oauth_error') && error.error === 'invalid_scope'
    const mayOmit = flags.scope === undefined && isUnknown
    const fewer = mayOmit ? fewerScopes(scope) : null
    if (fewer === null) throw error
    scope = fewer
    return null
  }
  for (;;) {
    const authorization = await requestDeviceAuthorization(
      { client_id, scope, client_secret },
      options,
    ).catch(requestFewerScopes)
    if (authorization === null) continue

    await writeLines(context, codeLines(context, name, settings, authorization, scope))
    if (out.mode === 'jsonl') {
      const record = deviceAuthorizationRecord(authorization)
      await out.value(record, () => [])
    }
    const page = pageToOpen(context, settings, authorization, flags['no-browser'] === true)
    try {
      const tokens = await waitForApproval(context, authorization, page)
      const { access_token, refresh_token, expiresAt, scope: granted } = tokens
      const token = { access_token, refresh_token, expiresAt, scope: granted, client_id }
      return { token, requestedScopes }
    } catch (error) {
      if (!(await wantsNewCode(context, error))) throw explainLostAnswer(error)
    }
  }
}

/** The record of `-o jsonl`, without the device code, which is a secret. */
function deviceAuthorizationRecord(authorization: DeviceAuthorization) {
  const {
    user_code,
    verification_uri,
    verification_uri_complete = null,
    expires_in,
  } = authorization
  return {
    type: 'device_authorization',
    user_code,
    verification_uri,
    verification_uri_complete,
    expires_in,
  }
}

/** Explains an error whose lost answer may have been the approval; other errors are not changed. */
function explainLostAnswer(error: unknown): unknown {
  if (!isCiError(error, 'device_authorization') || !error.maybeApproved) return error
  return new CommandError('signed_out', say`the login may be approved, but the response was lost`, {
    lines: [say`Log in again, and revoke the unused authorization on your account page`],
    hint: ['auth', 'login'],
    cause: error,
  })
}
