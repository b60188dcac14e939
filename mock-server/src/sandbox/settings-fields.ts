import { choice, type Given, list, object, optional, orNull, required, where } from '../fields/composites.js'
import { createIssueList, type Field, formatPath, isPlainObject } from '../fields/field.js'
import { exactly, flag, integer, oneOf, text } from '../fields/scalars.js'
import { isNetwork } from '../http/address.js'
import type { RateLimitSettings, Settings } from './settings.js'
import { defaultSettings } from './settings.js'

/** Mutations that no exchange token may ever be permitted (the documented API, Authentication). */
const forbiddenMutations = [
  'emailCreate',
  'emailResendVerification',
  'totpActivate',
  'totpCreate',
  'totpDelete',
  'totpRecoveryCodesRegenerate',
  'apiAccessTokenCodeAuthorize',
] as const

const year = 31_536_000
const tokenPrefix = text({ max: 20, pattern: /^[A-Za-z0-9._~+-]*$/, shape: 'made of letters, digits and . _ ~ + -' })
const scopeName = text({ pattern: /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, shape: 'a scope (RFC 6749 §3.3)' })

const rateLimits = choice<RateLimitSettings | 'real'>(
  'real, or an object with organization, user and windowSeconds',
  () => [
    { when: (value) => typeof value === 'string', field: exactly('real') },
    {
      when: isPlainObject,
      field: object({
        organization: required(integer(1, 1_000_000_000)),
        user: required(integer(1, 1_000_000_000)),
        windowSeconds: required(integer(1, year)),
        retryAfter: optional(flag),
      }) as Field<RateLimitSettings>,
    },
  ],
)

const settingsTable = {
  vendor: optional(
    text({ pattern: /^[A-Za-z0-9][A-Za-z0-9-]{1,31}$/, shape: 'a URN namespace word (RFC 8141 §2)' }),
    defaultSettings.vendor,
  ),
  realm: optional(
    text({ min: 1, max: 200, pattern: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/, shape: 'printable ASCII without " and \\' }),
    defaultSettings.realm,
  ),
  tokenPrefixes: optional(
    object({ access: optional(tokenPrefix), exchange: optional(tokenPrefix), refresh: optional(tokenPrefix) }),
  ),
  extraScopes: optional(list(scopeName, { max: 100, distinct: true }), defaultSettings.extraScopes),
  maxListingDepth: optional(integer(1, 1_000_000_000), defaultSettings.maxListingDepth),
  metaDataValues: optional(oneOf('asGiven', 'string'), defaultSettings.metaDataValues),
  rateLimits: optional(orNull(rateLimits)),
  tokenRateLimit: optional(
    orNull(
      object({
        limit: required(integer(1, 1_000_000_000)),
        windowSeconds: required(integer(1, year)),
        retryAfter: optional(flag),
      }),
    ),
  ),
  cancelGraceMs: optional(integer(0, 86_400_000), defaultSettings.cancelGraceMs),
  jobExpiryMs: optional(integer(1, year * 10_000), defaultSettings.jobExpiryMs),
  pollGraceMs: optional(integer(0, 60_000), defaultSettings.pollGraceMs),
  expLeewaySeconds: optional(integer(0, 300), defaultSettings.expLeewaySeconds),
  nbfLeewaySeconds: optional(integer(0, 300), defaultSettings.nbfLeewaySeconds),
  jtiRetentionSeconds: optional(integer(360, year), defaultSettings.jtiRetentionSeconds),
  permittedMutations: optional(
    list(
      where(
        text({ pattern: /^[_A-Za-z][_0-9A-Za-z]*$/, shape: 'the name of a mutation' }),
        (name) => !forbiddenMutations.some((forbidden) => forbidden === name),
        'can never be permitted for token exchange tokens',
      ),
      { max: 1000, distinct: true },
    ),
    defaultSettings.permittedMutations,
  ),
  trustProxy: optional(
    list(where(text({ max: 100 }), isNetwork, 'must be an IPv4 or IPv6 address or CIDR block'), {
      max: 100,
      distinct: true,
    }),
    defaultSettings.trustProxy,
  ),
  jwksTimeoutMs: optional(integer(1, 60_000), defaultSettings.jwksTimeoutMs),
}

/** Settings as options, seeds, `--set` and `apply` give them; null means the default. */
export type GivenSettings = Given<typeof settingsTable>

export const settingsField: Field<GivenSettings> = object(settingsTable)

export const settingNames: readonly string[] = Object.keys(settingsTable)

/** The settings that hold when `given` changes `base`: given keys replace, null restores the default. */
export const mergeSettings = (base: Settings, given: GivenSettings): Settings => {
  const merged = Object.fromEntries(
    Object.entries(base).map(([name, value]) => {
      const change: unknown = Reflect.get(given, name)
      if (change === undefined) return [name, value]
      return [name, change === null ? Reflect.get(defaultSettings, name) : change]
    }),
  ) as unknown as Settings
  const prefixes = given.tokenPrefixes
  if (!prefixes) return merged
  const { access, exchange, refresh } = base.tokenPrefixes
  return {
    ...merged,
    tokenPrefixes: {
      access: prefixes.access ?? access,
      exchange: prefixes.exchange ?? exchange,
      refresh: prefixes.refresh ?? refresh,
    },
  }
}

/**
 * Reads settings given in code.
 *
 * @throws TypeError naming every setting that is unknown or unusable.
 */
export const readSettings = (given: unknown, base: Settings = defaultSettings): Settings => {
  const issues = createIssueList()
  settingsField.check(given, [], issues)
  if (issues.count > 0) {
    throw new TypeError(issues.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('; '))
  }
  return mergeSettings(base, given as GivenSettings)
}
