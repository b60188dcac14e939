import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createIssueList } from '../../../mock-server/src/fields/field.js'
import { seedField, seedSchema } from '../../../mock-server/src/seed/tables.js'
import { acmeSeed } from '../../support/control-client.js'

const validate = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  validateFormats: false,
}).compile(seedSchema())
const faults = (document: unknown): number => {
  const issues = createIssueList()
  seedField.check(document, [], issues)
  return issues.count
}

const whole = {
  version: 1,
  ...acmeSeed,
  settings: { pollGraceMs: 0, rateLimits: 'real', tokenPrefixes: { access: 'x_' } },
  lifecycle: { policy: 'timed', speed: 2 },
  rules: [
    {
      match: { query: { page: 2, state: { contains: 'x' } } },
      actions: [{ delayMs: { min: 1, max: 2 } }, { preset: 'emptyBody' }],
    },
  ],
}

describe('the JSON Schema of seeds', () => {
  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a whole document', whole],
    [
      'groups inside groups',
      {
        organizations: [
          {
            slug: 'a',
            pipelines: [{ slug: 'w', steps: [{ group: 'g', key: 'g', steps: [{ wait: true }] }] }],
          },
        ],
      },
    ],
    ['null for a default', { users: [{ email: 'a@acme.example', name: null }] }],
    [
      'a build with jobs',
      {
        organizations: [
          {
            slug: 'a',
            pipelines: [
              {
                slug: 'w',
                builds: [{ creator: null, meta_data: { a: true }, jobs: [{ state: 'running' }] }],
              },
            ],
          },
        ],
      },
    ],
  ])('accepts %s, as the table does', (_, document) => {
    expect(faults(document)).toBe(0)
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['an unknown key', { user: [] }],
    ['a text for a number', { settings: { pollGraceMs: '0' } }],
    [
      'a number for a text',
      { organizations: [{ slug: 'a', pipelines: [{ slug: 'w', builds: [{ commit: 5 }] }] }] },
    ],
    ['a bad slug', { organizations: [{ slug: 'not a slug' }] }],
    ['a reserved slug', { organizations: [{ slug: 'oauth' }] }],
    [
      'an unknown step',
      { organizations: [{ slug: 'a', pipelines: [{ slug: 'w', steps: [{ run: 'make' }] }] }] },
    ],
    ['an unknown action', { rules: [{ actions: [{ explode: true }] }] }],
    ['no action', { rules: [{ actions: [] }] }],
    ['a member without user', { organizations: [{ slug: 'a', members: [{ role: 'admin' }] }] }],
    ['a limit out of range', { settings: { expLeewaySeconds: 301 } }],
    ['a newer version', { version: 2 }],
  ])('refuses %s, as the table does', (_, document) => {
    expect(faults(document)).toBeGreaterThan(0)
    expect(validate(document)).toBe(false)
  })
})
