import { type Given, list, object, optional } from '../fields/composites.js'
import { type Field, isPlainObject, type JsonSchema, kindOf } from '../fields/field.js'
import { exactly } from '../fields/scalars.js'
import { ruleField } from '../rules/rule-fields.js'
import { settingsField } from '../sandbox/settings-fields.js'
import { lifecycle, stepDefinitions } from './step-tables.js'
import { accessTokenTable, grantTable, organizationTable, userTable } from './tables.js'

/** An application's settings; `domain/application.ts` checks them when the known scopes are known. */
const application: Field<Readonly<Record<string, unknown>>> = {
  schema: {
    type: 'object',
    required: ['kind', 'name'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      kind: { enum: ['device', 'token_exchange'] },
      client_id: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,64}$' },
      name: { type: 'string', minLength: 1, maxLength: 120 },
      description: { type: 'string', maxLength: 1000 },
      enabled: { type: 'boolean', default: true },
      grantableScopes: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      clientType: { enum: ['public', 'confidential'], default: 'public' },
      client_secret: { type: 'string', minLength: 16, maxLength: 255 },
      accessTokenTtlSeconds: { type: ['integer', 'null'], minimum: 1, maximum: 31_536_000 },
      refreshTokens: { type: 'boolean', default: false },
      jwks: {
        type: 'object',
        properties: { keys: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 100 } },
      },
      jwks_uri: { type: 'string', format: 'uri' },
      defaultScopes: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      allowedIpAddresses: { type: 'array', items: { type: 'string' }, maxItems: 100 },
      maximumTokenTtlSeconds: { type: 'integer', minimum: 1, maximum: 86_400, default: 3600 },
    },
    additionalProperties: false,
  },
  check(value, at, report) {
    if (!isPlainObject(value)) report.issue(at, `must be an object, not ${kindOf(value)}`)
  },
}

const seedTable = {
  version: optional(exactly(1), 1),
  users: optional(list(object(userTable, { unknownKeys: 'dropped' })), []),
  organizations: optional(list(object(organizationTable)), []),
  applications: optional(list(application), []),
  accessTokens: optional(list(object(accessTokenTable)), []),
  grants: optional(list(object(grantTable)), []),
  settings: optional(settingsField),
  lifecycle: optional(lifecycle),
  rules: optional(list(ruleField, { max: 10_000 }), []),
}

/**
 * What a sandbox starts with, as YAML, JSON or an object: any part may be absent. Also the body of POST /_control/apply.
 *
 * @example
 * const seed: SeedDocument = {
 *   users: [{ email: 'robin@acme.example', name: 'Robin' }],
 *   organizations: [{ slug: 'acme', members: [{ user: 'robin@acme.example', role: 'admin' }], pipelines: [{ slug: 'web' }] }],
 *   accessTokens: [{ name: 'admin', user: 'robin@acme.example', scopes: ['read_builds'] }],
 * }
 */
export type SeedDocument = Given<typeof seedTable>

export const seedField: Field<SeedDocument> = object(seedTable)

/** The JSON Schema (2020-12) of seeds and of POST /_control/apply, printed from the tables that check them. */
export const seedSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Seed of the reference server',
  ...seedField.schema,
  $defs: stepDefinitions(),
})
