import { isJwksUri } from '../domain/jwks-cache.js'
import { acceptKey } from '../domain/keys.js'
import { list, object, optional, where } from '../fields/composites.js'
import { type Field, isPlainObject } from '../fields/field.js'
import { flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { networks, scopes } from './common-fields.js'

const name = text({
  pattern: /^[^\p{Cc}\p{Cs}]{1,120}$/u,
  shape: 'text of 1 to 120 characters without control characters',
})
const description = text({
  pattern: /^[^\p{Cs}]{0,1000}$/u,
  shape: 'text of at most 1000 characters',
})

const jwk: Field<object> = {
  schema: { type: 'object' },
  is: isPlainObject,
  check(value, at, report) {
    const accepted = acceptKey(value)
    if (!accepted.ok) report.issue(at, accepted.failure.message)
  },
}

const keySetUri = where(
  text(),
  isJwksUri,
  'must be an https URL (http on loopback only) without user name, password and fragment',
)

/** The settings of both kinds. */
const commonTable = {
  id: optional(uuid),
  kind: optional(oneOf('device', 'token_exchange'), undefined, 'A new application needs it.'),
  client_id: optional(
    text({
      pattern: /^[A-Za-z0-9._~-]{1,64}$/,
      shape: '1 to 64 characters of A-Z a-z 0-9 . _ ~ -',
    }),
    undefined,
    'Natural key; default: 20 hex digits.',
  ),
  name: optional(name, undefined, 'A new application needs it.'),
  description: optional(description),
  enabled: optional(flag, true),
  grantableScopes: optional(
    scopes,
    undefined,
    'Default: every known scope; token exchange needs it.',
  ),
}

/**
 * The settings of each kind of application. Settings of the other kind are refused, because a limit
 * that is ignored would be dangerous.
 */
export const applicationTables = {
  device: {
    clientType: optional(oneOf('public', 'confidential'), 'public'),
    client_secret: optional(
      text({ pattern: /^[\x20-\x7e]{16,255}$/, shape: '16 to 255 printable ASCII characters' }),
      undefined,
      'Default: generated, and shown once.',
    ),
    accessTokenTtlSeconds: optional(integer(1, 31_536_000)),
    refreshTokens: optional(flag, false),
  },
  token_exchange: {
    jwks: optional(object({ keys: list(jwk, { min: 1, max: 100 }) }, { unknownKeys: 'dropped' })),
    jwks_uri: optional(keySetUri),
    defaultScopes: optional(scopes, []),
    allowedIpAddresses: optional(networks, []),
    maximumTokenTtlSeconds: optional(integer(1, 86_400), 3600),
  },
}

export const applicationTable = {
  ...commonTable,
  ...applicationTables.device,
  ...applicationTables.token_exchange,
}
