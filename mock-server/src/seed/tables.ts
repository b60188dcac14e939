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
} from '../fields/composites.js'
import type { Field, JsonSchema } from '../fields/field.js'
import { exactly, flag, oneOf, text, uuid } from '../fields/scalars.js'
import { lifecycle, stepDefinitions } from '../records/steps.js'
import { ruleField } from '../rules/rule.js'
import { applicationTable } from './application-tables.js'
import { email, scopes, slug, time } from './common-fields.js'
import { pipelineTable } from './pipeline-tables.js'
import { settingsField } from './settings.js'

/** Path segments of the server, which the page of an organization would hide. */
const reservedSlugs =
  'v2|s|oauth|graphql|organizations|docs|badges|avatars|user|openapi\\.json|_control'

const organizationSlug = text({
  max: 100,
  // Bound: a text of at most 100 characters.
  pattern: new RegExp(`^(?!(?:${reservedSlugs})$)[A-Za-z0-9][A-Za-z0-9._-]*$`),
  shape: 'a slug (letters, digits, . _ -) that is not part of the server’s own paths',
})
const label = text({ min: 1, max: 255 })
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
 * The first content of a sandbox, as YAML, JSON or an object. Every part is optional. Also the body
 * of POST /_control/apply.
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

/** The JSON Schema (2020-12) of seeds and of POST /_control/apply, made from the same tables. */
export function seedSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of the reference server',
    ...seedField.schema,
    $defs: stepDefinitions(),
  }
}

export type SeedOrganization = InputOf<typeof organizationTable>
