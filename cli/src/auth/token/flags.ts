import { parseDuration } from '../../flags/duration.js'
import { choiceFlag, parsedFlag, textFlag, wordsFlag } from '../../flags/flags.js'
import type { MintRequest } from './exchange.js'

/** Flags of a token exchange. */
export const mintFlags = {
  subject: textFlag({ helpValue: 'MAIL', summary: 'The user the token acts as' }),
  scope: wordsFlag({ helpValue: 'SCOPE', summary: "What the token may do (by itself: the application's default)" }),
  'expires-in': parsedFlag(parseDuration, {
    helpValue: 'DUR',
    summary: "How long it lives, at most the application's limit",
  }),
  'client-id': textFlag({ helpValue: 'ID', summary: 'The application that signs' }),
  key: textFlag({ helpValue: 'FILE|-', summary: 'Its private key: PEM or JWK' }),
  kid: textFlag({ helpValue: 'ID', summary: 'Name of the key, where the key itself has none' }),
  alg: choiceFlag('alg', ['RS256', 'ES256'], { summary: 'Signature algorithm; it follows the key' }),
}

/** Values of {@link mintFlags}. */
export interface MintFlagValues {
  readonly subject?: string | undefined
  readonly scope?: readonly (readonly string[])[] | undefined
  readonly 'expires-in'?: number | undefined
  readonly 'client-id'?: string | undefined
  readonly key?: string | undefined
  readonly kid?: string | undefined
  readonly alg?: 'RS256' | 'ES256' | undefined
}

/** The request that the flags describe. */
export function mintRequest(flags: MintFlagValues): MintRequest {
  return {
    subject: flags.subject,
    scopes: flags.scope === undefined ? undefined : [...new Set(flags.scope.flat())],
    expiresInMs: flags['expires-in'],
    client_id: flags['client-id'],
    key: flags.key,
    kid: flags.kid,
    alg: flags.alg,
  }
}
