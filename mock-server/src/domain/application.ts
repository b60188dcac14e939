import type { ApplicationRecord } from '../store/records.js'
import { budget } from './budget.js'
import { isJwksUri } from './jwks-cache.js'
import { acceptKey } from './keys.js'

interface SettingError {
  /** Where in the settings, for example `jwks.keys[0]`. */
  readonly path: string
  readonly message: string
}

/** Settings with their defaults; id, digest and missing client_id and secret are the registrar's to make. */
interface ApplicationSettings
  extends Omit<ApplicationRecord, 'id' | 'client_id' | 'clientSecretDigest' | 'created_at'> {
  readonly client_id: string | undefined
  readonly client_secret: string | undefined
}

export interface ApplicationRules {
  readonly knownScopes: ReadonlySet<string>
  /** IPv4 or IPv6 address or CIDR block, without zone. */
  readonly isNetwork: (text: string) => boolean
}

export type Validated =
  | { readonly ok: true; readonly value: ApplicationSettings }
  | { readonly ok: false; readonly errors: readonly SettingError[] }

const commonSettings = ['kind', 'client_id', 'name', 'description', 'enabled', 'grantableScopes']
const ownSettings = {
  device: ['clientType', 'client_secret', 'accessTokenTtlSeconds', 'refreshTokens'],
  token_exchange: ['jwks', 'jwks_uri', 'defaultScopes', 'allowedIpAddresses', 'maximumTokenTtlSeconds'],
}

type Settings = Readonly<Record<string, unknown>>
/** Undefined: a usable value; else what is wrong with it. */
type Rule<T> = (value: unknown) => value is T

/** Reads one setting after the other and collects what is wrong; null and undefined mean the default. */
class Reader {
  readonly errors: SettingError[] = []
  private readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  fail(path: string, message: string): void {
    this.errors.push({ path, message })
  }

  given(name: string): NonNullable<unknown> | undefined {
    return Object.hasOwn(this.settings, name) ? (this.settings[name] ?? undefined) : undefined
  }

  read<T, D>(name: string, fallback: D, rule: Rule<T>, message: string): T | D {
    const value = this.given(name)
    if (value === undefined) return fallback
    if (rule(value)) return value
    this.fail(name, message)
    return fallback
  }
}

const matches =
  (pattern: RegExp): Rule<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value)

const isBoolean: Rule<boolean> = (value): value is boolean => typeof value === 'boolean'

const integerWithin =
  (least: number, most: number): Rule<number> =>
  (value): value is number =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most

const oneOf =
  <const T extends string>(...values: readonly T[]): Rule<T> =>
  (value): value is T =>
    values.some((allowed) => allowed === value)

const listOf =
  (allowed: (item: string) => boolean, most: number): Rule<readonly string[]> =>
  (value): value is readonly string[] =>
    Array.isArray(value) &&
    value.length <= most &&
    new Set(value).size === value.length &&
    value.every((item) => typeof item === 'string' && allowed(item))

const readKeys = (reader: Reader): ApplicationRecord['jwks'] => {
  const jwks = reader.given('jwks')
  if (jwks === undefined) return null
  const keys = typeof jwks === 'object' && !Array.isArray(jwks) && 'keys' in jwks ? jwks.keys : undefined
  if (!Array.isArray(keys) || keys.length < 1 || keys.length > budget.jwksKeys) {
    reader.fail('jwks', `must be an object with 1 to ${budget.jwksKeys} keys`)
    return null
  }
  const kids = new Set<string>()
  const accepted = keys.flatMap((jwk: unknown, index) => {
    const decision = acceptKey(jwk)
    if (!decision.ok) {
      reader.fail(`jwks.keys[${index}]`, decision.failure.message)
      return []
    }
    if (kids.has(decision.value.kid)) reader.fail(`jwks.keys[${index}].kid`, 'must differ from the kid of other keys')
    kids.add(decision.value.kid)
    return [decision.value]
  })
  return { keys: accepted }
}

const scopeListMessage = 'must be a list of known scopes without repeats'

const readCommon = (reader: Reader, { knownScopes }: ApplicationRules) => {
  const kind = reader.read('kind', undefined, oneOf('device', 'token_exchange'), 'must be device or token_exchange')
  if (reader.given('kind') === undefined) reader.fail('kind', 'is required')
  const name = reader.read(
    'name',
    '',
    matches(/^[^\p{Cc}\p{Cs}]{1,120}$/u),
    'must be text of 1 to 120 characters without control characters',
  )
  if (reader.given('name') === undefined) reader.fail('name', 'is required')
  const grantableScopes = reader.read(
    'grantableScopes',
    undefined,
    listOf((scope) => knownScopes.has(scope), Number.POSITIVE_INFINITY),
    scopeListMessage,
  )
  if (kind === 'token_exchange' && reader.given('grantableScopes') === undefined) {
    reader.fail('grantableScopes', 'is required')
  }
  if (kind === 'token_exchange' && grantableScopes?.length === 0) {
    reader.fail('grantableScopes', 'must name at least one scope')
  }
  return {
    kind: kind ?? 'device',
    name,
    grantableScopes: grantableScopes ?? [...knownScopes],
    client_id: reader.read(
      'client_id',
      undefined,
      matches(/^[A-Za-z0-9._~-]{1,64}$/),
      'must be 1 to 64 characters of A-Z a-z 0-9 . _ ~ -',
    ),
    description: reader.read(
      'description',
      '',
      matches(/^[^\p{Cs}]{0,1000}$/u),
      'must be text of at most 1000 characters',
    ),
    enabled: reader.read('enabled', true, isBoolean, 'must be true or false'),
  }
}

const readDevice = (reader: Reader) => {
  const clientType = reader.read(
    'clientType',
    'public' as const,
    oneOf('public', 'confidential'),
    'must be public or confidential',
  )
  if (clientType === 'public' && reader.given('client_secret') !== undefined) {
    reader.fail('client_secret', 'belongs to confidential applications only')
  }
  return {
    clientType,
    client_secret: reader.read(
      'client_secret',
      undefined,
      matches(/^[\x20-\x7e]{16,255}$/),
      'must be 16 to 255 printable ASCII characters',
    ),
    accessTokenTtlSeconds: reader.read(
      'accessTokenTtlSeconds',
      null,
      integerWithin(1, 31_536_000),
      'must be an integer from 1 to 31536000, or null',
    ),
    refreshTokens: reader.read('refreshTokens', false, isBoolean, 'must be true or false'),
  }
}

const readExchange = (reader: Reader, { knownScopes, isNetwork }: ApplicationRules) => {
  if ((reader.given('jwks') === undefined) === (reader.given('jwks_uri') === undefined)) {
    reader.fail('jwks', 'exactly one of jwks and jwks_uri must be given')
  }
  return {
    jwks: readKeys(reader),
    jwks_uri: reader.read(
      'jwks_uri',
      null,
      (value): value is string => typeof value === 'string' && isJwksUri(value),
      'must be an https URL (http on loopback only) without user name, password and fragment',
    ),
    defaultScopes: reader.read(
      'defaultScopes',
      [],
      listOf((scope) => knownScopes.has(scope), Number.POSITIVE_INFINITY),
      scopeListMessage,
    ),
    allowedIpAddresses: reader.read(
      'allowedIpAddresses',
      [],
      listOf(isNetwork, 100),
      'must be a list of at most 100 IPv4 or IPv6 addresses or CIDR blocks',
    ),
    maximumTokenTtlSeconds: reader.read(
      'maximumTokenTtlSeconds',
      3600,
      integerWithin(1, 86_400),
      'must be an integer from 1 to 86400',
    ),
  }
}

const deviceDefaults = {
  clientType: 'public',
  client_secret: undefined,
  accessTokenTtlSeconds: null,
  refreshTokens: false,
} as const
const exchangeDefaults = {
  jwks: null,
  jwks_uri: null,
  defaultScopes: [],
  allowedIpAddresses: [],
  maximumTokenTtlSeconds: 3600,
} as const

/**
 * Checks the whole settings of an application, one error per field; unknown settings are refused too, so that a typing
 * error never switches a limit off. Uniqueness of `client_id` and the fixed `kind` are the registrar's to check.
 */
export const validateApplication = (settings: Settings, rules: ApplicationRules): Validated => {
  const reader = new Reader(settings)
  const common = readCommon(reader, rules)
  const known = new Set([...commonSettings, ...ownSettings[common.kind]])
  for (const name of Object.keys(settings)) {
    if (!known.has(name)) reader.fail(name, `is not a setting of a ${common.kind} application`)
  }
  const value =
    common.kind === 'device'
      ? { ...common, ...exchangeDefaults, ...readDevice(reader) }
      : { ...common, ...deviceDefaults, ...readExchange(reader, rules) }
  return reader.errors.length === 0 ? { ok: true, value } : { ok: false, errors: reader.errors }
}

/** The settings that would register this application again, less its secret: what a change is merged into. */
export const applicationSettings = (application: ApplicationRecord): Settings => {
  const names = [...commonSettings, ...ownSettings[application.kind]]
  return Object.fromEntries(Object.entries(application).filter(([name]) => names.includes(name)))
}
