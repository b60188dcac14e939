import { type Given, list, object, optional } from '../fields/composites.js'
import type { Field, JsonSchema } from '../fields/field.js'
import { exactly } from '../fields/scalars.js'
import { ruleField } from '../rules/rule.js'
import { applicationTable } from './application-table.js'
import { settingsField } from './settings.js'
import { lifecycle, stepDefinitions } from './step-tables.js'
import { accessTokenTable, grantTable, organizationTable, userTable } from './tables.js'

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
