import { isJwksUri } from '../domain/jwks-cache.js'
import { acceptKey } from '../domain/keys.js'
import {
  aside,
  choice,
  type InputOf,
  key,
  list,
  mapOf,
  object,
  optional,
  orNull,
  required,
  where,
} from '../fields/composites.js'
import { type Field, isPlainObject, type JsonSchema } from '../fields/field.js'
import { exactly, flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { lifecycle, stepDefinitions } from '../records/steps.js'
import { ruleField } from '../rules/rule.js'
import { email, networks, slug, time } from './common-fields.js'
import { pipelineTable } from './pipeline-tables.js'
import { settingsField } from './settings.js'

/** Words of the server's own paths, which an organization would hide. */
const reservedSlugs =
  'v2|s|oauth|graphql|organizations|docs|badges|avatars|user|openapi\\.json|_control'

const organizationSlug = text({
  max: 100,
  // Bound: a text of at most 100 characters.
  pattern: new RegExp(`^(?!(?:${reservedSlugs})$)[A-Za-z0-9][A-Za-z0-9._-]*$`),
  shape: 'a slug (letters, digits, . _ -) that is no word of the server’s own paths',
})
const label = text({ min: 1, max: 255 })
export const scopes = list(text({ pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/, shape: 'a scope' }), {
  max: 100,
  distinct: true,
})

export const userTable = {
  id: optional(uuid),
  email: key(email, 'Natural key; unique, ASCII case ignored.'),
  name: optional(label, undefined, 'Default: the address up to its @.'),
  emailVerified: optional(flag, true),
  active: optional(flag, true),
  created_at: optional(time),
}

export const memberTable = {
  user: aside(required(email, 'E-mail address of a user.')),
  role: optional(oneOf('admin', 'member'), 'member'),
  active: optional(flag, true),
  pipelines: optional(
    mapOf(oneOf('none', 'read', 'write')),
    {},
    'Pipeline slug to right; one not named has write.',
  ),
}

export const queueTable = {
  id: optional(uuid),
  key: key(
    text({
      max: 100,
      pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
      shape: 'a queue key: letters, digits, . _ -',
    }),
  ),
  paused: optional(
    choice('true, false or a time', () => [{ field: flag }, { when: () => true, field: time }]),
    false,
    'A time: paused since then, which only builds that are played ask for.',
  ),
}

export const agentTable = {
  id: optional(uuid),
  name: key(text({ min: 1, max: 100 })),
  queue: aside(
    optional(slug, undefined, 'Builds that are played give it jobs of this queue only.'),
  ),
  hostname: optional(text({ max: 255 }), undefined, 'Default: {name}.{organization}.example'),
  connection_state: optional(text({ max: 40 }), 'connected'),
  ip_address: optional(orNull(text({ max: 45 }))),
  user_agent: optional(text({ max: 255 }), 'agent/3.80.0'),
  creator: aside(optional(orNull(email), undefined, 'E-mail address of a user.')),
  created_at: optional(time, undefined, 'Default: 30 days ago.'),
}

export const testTable = {
  id: optional(uuid),
  scope: optional(text({ max: 1000 }), ''),
  name: key(text({ min: 1, max: 1000 })),
  location: optional(text({ max: 1000 })),
  file_name: optional(
    text({ max: 1000 }),
    undefined,
    'Default: the location up to its last colon.',
  ),
  labels: optional(list(label, { max: 1000, distinct: true }), []),
}

export const suiteTable = {
  id: optional(uuid),
  slug: key(slug),
  name: optional(label),
  created_at: optional(time),
  tests: aside(optional(list(object(testTable, { unknownKeys: 'dropped' })), [])),
}

export const organizationTable = {
  id: optional(uuid),
  slug: key(organizationSlug),
  name: optional(label),
  tokenExchangeEnabled: optional(flag, true),
  jtiRequired: optional(flag, false),
  created_at: optional(time),
  members: aside(optional(list(object(memberTable)), [])),
  queues: aside(optional(list(object(queueTable)), [])),
  agents: aside(optional(list(object(agentTable)), [])),
  pipelines: aside(optional(list(object(pipelineTable, { unknownKeys: 'dropped' })), [])),
  suites: aside(optional(list(object(suiteTable)), [])),
}

const bearer = text({
  min: 8,
  max: 512,
  pattern: /^[A-Za-z0-9._~+/-]+=*$/,
  shape: 'a bearer token (RFC 6750 §2.1)',
})
export const accessTokenTable = {
  id: optional(uuid),
  name: key(label, 'Natural key.'),
  description: optional(text({ max: 1000 })),
  scopes: optional(scopes, undefined, 'A new token needs it.'),
  created_at: optional(time),
  user: aside(optional(email, undefined, 'E-mail address of a user; a new token needs it.')),
  organizations: aside(
    optional(
      list(slug, { distinct: true }),
      undefined,
      'Slugs; default: every organization of the user.',
    ),
  ),
  value: aside(optional(bearer, undefined, 'Default: generated, and shown once.')),
  expires_at: aside(optional(time)),
}

export const grantTable = {
  id: optional(uuid),
  scopes: optional(scopes, undefined, 'A new grant needs it.'),
  created_at: optional(time),
  user: aside(required(email)),
  application: aside(required(text({ max: 64 }), 'client_id of an application.')),
  organization: aside(required(slug)),
}

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

const common = {
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
 * The settings of each kind; those of the other are refused, so that a typing error never switches
 * a limit off.
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
  ...common,
  ...applicationTables.device,
  ...applicationTables.token_exchange,
}

const seedTable = {
  version: optional(exactly(1), 1),
  users: optional(list(object(userTable, { unknownKeys: 'dropped' })), []),
  organizations: optional(list(object(organizationTable)), []),
  applications: optional(list(object(applicationTable)), []),
  accessTokens: optional(list(object(accessTokenTable)), []),
  grants: optional(list(object(grantTable)), []),
  settings: optional(settingsField),
  lifecycle: optional(lifecycle),
  rules: optional(list(ruleField, { max: 10_000 }), []),
}

/**
 * What a sandbox starts with, as YAML, JSON or an object: any part may be absent. Also the body of
 * POST /_control/apply.
 *
 * @example
 * const seed: SeedDocument = {
 *   users: [{ email: 'robin@acme.example', name: 'Robin' }],
 *   organizations: [{ slug: 'acme', members: [{ user: 'robin@acme.example', role: 'admin' }], pipelines: [{ slug: 'web' }] }],
 *   accessTokens: [{ name: 'admin', user: 'robin@acme.example', scopes: ['read_builds'] }],
 * }
 */
export type SeedDocument = InputOf<typeof seedTable>

export const seedField: Field<SeedDocument> = object(seedTable)

/**
 * The JSON Schema (2020-12) of seeds and of POST /_control/apply, printed from the tables that
 * check them.
 */
export function seedSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of the reference server',
    ...seedField.schema,
    $defs: stepDefinitions(),
  }
}

export type SeedOrganization = InputOf<typeof organizationTable>
