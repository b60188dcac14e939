import { choice, type Given, key, list, mapOf, object, optional, orNull, required } from '../fields/composites.js'
import { flag, oneOf, text, uuid } from '../fields/scalars.js'
import { pipelineTable } from './pipeline-tables.js'
import { email, slug, time } from './words.js'

/** Words of the server's own paths, which an organization would hide. */
const reservedSlugs = 'v2|s|oauth|graphql|organizations|docs|badges|avatars|user|openapi\\.json|_control'

const organizationSlug = text({
  max: 100,
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
  user: required(email, 'E-mail address of a user.'),
  role: optional(oneOf('admin', 'member'), 'member'),
  active: optional(flag, true),
  pipelines: optional(mapOf(oneOf('none', 'read', 'write')), {}, 'Pipeline slug to right; one not named has write.'),
}

export const queueTable = {
  id: optional(uuid),
  key: key(text({ max: 100, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, shape: 'a queue key: letters, digits, . _ -' })),
  paused: optional(
    choice('true, false or a time', () => [
      { when: (value) => typeof value === 'boolean', field: flag },
      { when: () => true, field: time },
    ]),
    false,
    'A time: paused since then, which only builds that are played ask for.',
  ),
}

export const agentTable = {
  id: optional(uuid),
  name: key(text({ min: 1, max: 100 })),
  queue: optional(slug, undefined, 'Builds that are played give it jobs of this queue only.'),
  hostname: optional(text({ max: 255 }), undefined, 'Default: {name}.{organization}.example'),
  connection_state: optional(text({ max: 40 }), 'connected'),
  ip_address: optional(orNull(text({ max: 45 }))),
  user_agent: optional(text({ max: 255 }), 'agent/3.80.0'),
  creator: optional(orNull(email), undefined, 'E-mail address of a user.'),
  created_at: optional(time, undefined, 'Default: 30 days ago.'),
}

export const testTable = {
  id: optional(uuid),
  scope: optional(text({ max: 1000 }), ''),
  name: key(text({ min: 1, max: 1000 })),
  location: optional(text({ max: 1000 })),
  file_name: optional(text({ max: 1000 }), undefined, 'Default: the location up to its last colon.'),
  labels: optional(list(label, { max: 1000, distinct: true }), []),
}

export const suiteOwn = {
  id: optional(uuid),
  slug: key(slug),
  name: optional(label),
  created_at: optional(time),
}
const suiteTable = {
  ...suiteOwn,
  tests: optional(list(object(testTable, { unknownKeys: 'dropped' })), []),
}

export const organizationOwn = {
  id: optional(uuid),
  slug: key(organizationSlug),
  name: optional(label),
  tokenExchangeEnabled: optional(flag, true),
  jtiRequired: optional(flag, false),
  created_at: optional(time),
}
export const organizationTable = {
  ...organizationOwn,
  members: optional(list(object(memberTable)), []),
  queues: optional(list(object(queueTable)), []),
  agents: optional(list(object(agentTable)), []),
  pipelines: optional(list(object(pipelineTable, { unknownKeys: 'dropped' })), []),
  suites: optional(list(object(suiteTable)), []),
}

export const accessTokenOwn = {
  id: optional(uuid),
  name: key(label, 'Natural key.'),
  description: optional(text({ max: 1000 })),
  scopes: optional(scopes, undefined, 'A new token needs it.'),
  created_at: optional(time),
}
export const accessTokenTable = {
  ...accessTokenOwn,
  user: optional(email, undefined, 'E-mail address of a user; a new token needs it.'),
  organizations: optional(list(slug, { distinct: true }), undefined, 'Slugs; default: every organization of the user.'),
  value: optional(
    text({ min: 8, max: 512, pattern: /^[A-Za-z0-9._~+/-]+=*$/, shape: 'a bearer token (RFC 6750 §2.1)' }),
    undefined,
    'Default: generated, and shown once.',
  ),
  expires_at: optional(time),
}

export const grantOwn = {
  id: optional(uuid),
  scopes: optional(scopes, undefined, 'A new grant needs it.'),
  created_at: optional(time),
}
export const grantTable = {
  ...grantOwn,
  user: required(email),
  application: required(text({ max: 64 }), 'client_id of an application.'),
  organization: required(slug),
}

export type SeedUser = Given<typeof userTable>
export type SeedMember = Given<typeof memberTable>
export type SeedQueue = Given<typeof queueTable>
export type SeedAgent = Given<typeof agentTable>
export type SeedTest = Given<typeof testTable>
export type SeedSuite = Given<typeof suiteTable>
export type SeedOrganization = Given<typeof organizationTable>
export type SeedAccessToken = Given<typeof accessTokenTable>
export type SeedGrant = Given<typeof grantTable>
