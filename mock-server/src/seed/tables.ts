import { type Given, key, list, mapOf, object, optional, required } from '../fields/composites.js'
import { flag, oneOf, text, uuid } from '../fields/scalars.js'
import { pipelineTable } from './pipeline-tables.js'
import { time } from './times.js'

/** Words of the server's own paths, which an organization would hide. */
const reservedSlugs = 'v2|s|oauth|graphql|organizations|docs|badges|avatars|user|openapi\\.json|_control'

const slug = text({ max: 100, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, shape: 'a slug: letters, digits, . _ -' })
const organizationSlug = text({
  max: 100,
  pattern: new RegExp(`^(?!(?:${reservedSlugs})$)[A-Za-z0-9][A-Za-z0-9._-]*$`),
  shape: 'a slug (letters, digits, . _ -) that is no word of the server’s own paths',
})
const email = text({ max: 254, pattern: /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, shape: 'one e-mail address' })
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

const memberTable = {
  user: required(email, 'E-mail address of a user.'),
  role: optional(oneOf('admin', 'member'), 'member'),
  active: optional(flag, true),
  pipelines: optional(mapOf(oneOf('none', 'read', 'write')), {}, 'Pipeline slug to right; one not named has write.'),
}

const queueTable = {
  id: optional(uuid),
  key: key(text({ max: 100, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, shape: 'a queue key: letters, digits, . _ -' })),
  paused: optional(flag, false),
}

const testTable = {
  id: optional(uuid),
  scope: optional(text({ max: 1000 }), ''),
  name: key(text({ min: 1, max: 1000 })),
  location: optional(text({ max: 1000 })),
  file_name: optional(text({ max: 1000 }), undefined, 'Default: the location up to its last colon.'),
  labels: optional(list(label, { max: 1000, distinct: true }), []),
}

const suiteTable = {
  id: optional(uuid),
  slug: key(slug),
  name: optional(label),
  created_at: optional(time),
  tests: optional(list(object(testTable, { unknownKeys: 'dropped' })), []),
}

export const organizationTable = {
  id: optional(uuid),
  slug: key(organizationSlug),
  name: optional(label),
  tokenExchangeEnabled: optional(flag, true),
  jtiRequired: optional(flag, false),
  created_at: optional(time),
  members: optional(list(object(memberTable)), []),
  queues: optional(list(object(queueTable)), []),
  pipelines: optional(list(object(pipelineTable, { unknownKeys: 'dropped' })), []),
  suites: optional(list(object(suiteTable)), []),
}

export const accessTokenTable = {
  id: optional(uuid),
  name: key(label, 'Natural key.'),
  description: optional(text({ max: 1000 })),
  user: optional(email, undefined, 'E-mail address of a user; a new token needs it.'),
  scopes: optional(scopes, undefined, 'A new token needs it.'),
  organizations: optional(list(slug, { distinct: true }), undefined, 'Slugs; default: every organization of the user.'),
  value: optional(
    text({ min: 8, max: 512, pattern: /^[A-Za-z0-9._~+/-]+=*$/, shape: 'a bearer token (RFC 6750 §2.1)' }),
    undefined,
    'Default: generated, and shown once.',
  ),
  expires_at: optional(time),
  created_at: optional(time),
}

export const grantTable = {
  id: optional(uuid),
  user: required(email),
  application: required(text({ max: 64 }), 'client_id of an application.'),
  organization: required(slug),
  scopes: optional(scopes, undefined, 'A new grant needs it.'),
  created_at: optional(time),
}

export type SeedUser = Given<typeof userTable>
export type SeedMember = Given<typeof memberTable>
export type SeedQueue = Given<typeof queueTable>
export type SeedTest = Given<typeof testTable>
export type SeedSuite = Given<typeof suiteTable>
export type SeedOrganization = Given<typeof organizationTable>
export type SeedAccessToken = Given<typeof accessTokenTable>
export type SeedGrant = Given<typeof grantTable>
