import { longestLeewaySeconds } from '../domain/client-assertion.js'
import {
  choice,
  type InputOf,
  list,
  object,
  optional,
  orNull,
  required,
  where,
} from '../fields/composites.js'
import { checkInput, type Field, isPlainObject } from '../fields/field.js'
import { merge } from '../fields/merge.js'
import { exactly, flag, integer, isText, oneOf, text } from '../fields/scalars.js'
import { maxPerPage } from '../http/link.js'
import { networks } from './common-fields.js'

/** Mutations that can never be permitted to exchange tokens (API, Authentication). */
const forbiddenMutations = [
  'emailCreate',
  'emailResendVerification',
  'totpActivate',
  'totpCreate',
  'totpDelete',
  'totpRecoveryCodesRegenerate',
  'apiAccessTokenCodeAuthorize',
]

const year = 31_536_000
const tokenPrefix = text({
  max: 20,
  pattern: /^[A-Za-z0-9._~+-]*$/,
  shape: 'made of letters, digits and . _ ~ + -',
})
const scopeName = text({
  pattern: /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/,
  shape: 'a scope (RFC 6749 §3.3)',
})

const requests = required(integer(1, 1_000_000_000))
const windowTable = { windowSeconds: required(integer(1, year)), retryAfter: optional(flag) }
const rateLimitTable = { organization: requests, user: requests, ...windowTable }
export type RateLimitSettings = InputOf<typeof rateLimitTable>

/** `real` = organization 200, user 50 per 60 s. */
const rateLimits = choice('real, or an object with organization, user and windowSeconds', () => [
  { when: isText, field: exactly('real') },
  { when: isPlainObject, field: object(rateLimitTable) },
])

const prefixTable = {
  access: optional(tokenPrefix, 'bwua_'),
  exchange: optional(tokenPrefix, 'bwtx_'),
  refresh: optional(tokenPrefix, 'bwrt_'),
}

const settingsTable = {
  vendor: optional(
    text({
      pattern: /^[A-Za-z0-9][A-Za-z0-9-]{1,31}$/,
      shape: 'a URN namespace word (RFC 8141 §2)',
    }),
    'buildwire',
  ),
  realm: optional(
    text({
      min: 1,
      max: 200,
      pattern: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
      shape: 'printable ASCII without " and \\',
    }),
    'buildwire',
  ),
  tokenPrefixes: optional(object(prefixTable)),
  extraScopes: optional(list(scopeName, { max: 100, distinct: true }), []),
  maxListingDepth: optional(integer(1, 1_000_000_000), 10_000),
  /** A page has no more records, whatever `per_page` asks for. */
  maxPerPage: optional(integer(1, maxPerPage), maxPerPage),
  /** `recorded`: as recordings of real services show, where they differ from the documents. */
  dialect: optional(oneOf('documented', 'recorded'), 'documented'),
  rateLimits: optional(orNull(rateLimits)),
  tokenRateLimit: optional(orNull(object({ limit: requests, ...windowTable }))),
  cancelGraceMs: optional(integer(0, 86_400_000), 0),
  jobExpiryMs: optional(integer(1, year * 10_000), 30 * 86_400_000),
  pollGraceMs: optional(integer(0, 60_000), 0),
  expLeewaySeconds: optional(integer(0, longestLeewaySeconds), 0),
  nbfLeewaySeconds: optional(integer(0, longestLeewaySeconds), 0),
  jtiRetentionSeconds: optional(integer(360, year), 86_400),
  permittedMutations: optional(
    list(
      where(
        text({ pattern: /^[_A-Za-z][_0-9A-Za-z]*$/, shape: 'the name of a mutation' }),
        (name) => !forbiddenMutations.includes(name),
        'can never be permitted for token exchange tokens',
      ),
      { max: 1000, distinct: true },
    ),
    ['buildCancel', 'buildRebuild'],
  ),
  trustProxy: optional(networks, []),
  jwksTimeoutMs: optional(integer(1, 60_000), 3000),
}

/** The settings in options, seeds, `--set` and `apply`; null means the default. */
export type SettingsInput = InputOf<typeof settingsTable>

type Merge = typeof merge<typeof settingsTable, Record<never, never>>

/**
 * All options that change the answers of the server. They are also the key `settings` of seeds,
 * sandboxes and POST /_control/apply.
 */
export interface Settings extends Omit<ReturnType<Merge>, 'tokenPrefixes'> {
  readonly tokenPrefixes: {
    readonly access: string
    readonly exchange: string
    readonly refresh: string
  }
}

export const settingsField: Field<SettingsInput> = object(settingsTable)

export const settingNames: readonly string[] = Object.keys(settingsTable)

/** Changes settings: given keys replace those of `base`, and null restores the default. */
export function mergeSettings(base: Settings | undefined, given: SettingsInput): Settings {
  return {
    ...merge(settingsTable, given, base, {}, 0),
    tokenPrefixes: merge(
      prefixTable,
      given.tokenPrefixes ?? {},
      given.tokenPrefixes === null ? undefined : base?.tokenPrefixes,
      {},
      0,
    ),
  }
}

export const defaultSettings: Settings = mergeSettings(undefined, {})

/** Reads settings that were passed in code. @throws TypeError with every invalid setting */
export function readSettings(given: unknown, base: Settings = defaultSettings): Settings {
  checkInput(settingsField, given)
  return mergeSettings(base, given as SettingsInput)
}
