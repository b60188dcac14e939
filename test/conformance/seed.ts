import { generateKeyPairSync } from 'node:crypto'
import type { SeedDocument } from '@buildwire/mock-server'
import { SCOPES } from '@buildwire/sdk/contract'
import { job as script, zoo } from './seed-zoo.js'
import type { Target } from './target.js'

/** The time of the clock in a conformance run. */
export const now = '2026-03-02T09:00:00.000Z'

const times = (minute: number, finished: boolean) => {
  const at = (second: number) =>
    `2026-03-01T10:${String(minute).padStart(2, '0')}:${String(second).padStart(2, '0')}.000Z`
  return { created_at: at(0), started_at: at(10), ...(finished && { finished_at: at(50) }) }
}

const web = [
  {
    number: 1,
    state: 'passed',
    branch: 'main',
    commit: 'a'.repeat(40),
    ...times(1, true),
    jobs: [script('passed', { exit_status: 0 })],
    meta_data: { release: 'one', flag: true },
    message: 'First',
    testRuns: [{ suite: 'web-unit' }],
  },
  {
    number: 2,
    state: 'failed',
    branch: 'main',
    commit: 'b'.repeat(40),
    ...times(2, true),
    jobs: [
      script('failed', { exit_status: 1, retried: true }),
      script('failed', { exit_status: 1 }),
      script('passed', { name: 'lint', step_key: 'lint', exit_status: 0, queue: 'mac' }),
    ],
    meta_data: { release: 'two', empty: '' },
  },
  {
    number: 3,
    state: 'passed',
    blocked: true,
    branch: 'release/1.0',
    ...times(3, true),
    jobs: [
      script('passed', { exit_status: 0 }),
      { type: 'manual', state: 'blocked', name: 'Deploy?' },
    ],
  },
  {
    number: 4,
    state: 'running',
    branch: 'feature/a,b',
    ...times(4, false),
    jobs: [
      script('running', { agent: 'builder-1' }),
      { type: 'waiter', state: 'waiting' },
      script('waiting', { name: 'later', step_key: 'later' }),
    ],
    creator: 'sam@acme.example',
  },
  {
    number: 5,
    state: 'scheduled',
    branch: 'main',
    created_at: '2026-03-01T10:05:00.000Z',
    jobs: [script('scheduled', { queue: 'mac' })],
    source: 'schedule',
    creator: null,
  },
  {
    number: 6,
    state: 'canceled',
    branch: 'main',
    ...times(6, true),
    jobs: [script('canceled', { exit_status: -1 })],
    cancel_reason: 'No longer needed',
    pull_request: { id: '42', base: 'main' },
  },
  {
    number: 7,
    state: 'failing',
    branch: 'dev',
    ...times(7, false),
    failing_at: '2026-03-01T10:07:30.000Z',
    jobs: [
      script('failed', { exit_status: 2 }),
      script('running', { name: 'slow', step_key: 'slow' }),
    ],
  },
].map((build) => ({ creator: 'robin@acme.example', force: true, ...build }))

const onlyBuild = (created_at: string) => ({
  number: 1,
  state: 'passed',
  branch: 'main',
  creator: 'robin@acme.example',
  created_at,
  jobs: [script('passed', { exit_status: 0 })],
})

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The applications of the seed, in the form of a configuration. */
export const applications: Target['applications'] = {
  device: { client_id: 'conformance-device', scope: 'read_builds' },
  confidential: {
    client_id: 'conformance-confidential',
    client_secret: 'secret of the conformance kit',
    scope: 'read_builds',
  },
  exchange: {
    client_id: 'conformance-exchange',
    key: privateKey,
    alg: 'ES256',
    kid: 'kit',
    subject_token: 'robin@acme.example',
    scope: 'read_builds',
  },
}

/** Known records for the rows. They are few, and they differ in every field that a filter reads. */
export const seed = {
  users: [
    { email: 'robin@acme.example', name: 'Robin Reyes' },
    { email: 'sam@acme.example', name: 'Sam Sole' },
    { email: 'kim@orbit.example', name: 'Kim Kerr' },
  ],
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Rockets',
      members: [
        { user: 'robin@acme.example', role: 'admin' },
        { user: 'sam@acme.example', pipelines: { web: 'read', secret: 'none', zoo: 'none' } },
      ],
      queues: [{ key: 'default' }, { key: 'mac', paused: true }],
      pipelines: [
        {
          slug: 'web',
          name: 'Web',
          steps: [{ command: 'npm test', key: 'unit', label: 'unit' }],
          builds: web,
        },
        {
          slug: 'api',
          name: 'Api Server',
          steps: [{ command: 'make', key: 'make' }],
          builds: [onlyBuild('2026-03-01T09:00:00.000Z')],
        },
        {
          slug: 'secret',
          name: 'Secret',
          steps: [{ command: 'true' }],
          builds: [onlyBuild('2026-03-01T11:00:00.000Z')],
        },
        zoo,
      ],
      suites: [
        {
          slug: 'zoo-unit',
          name: 'Zoo',
          tests: [
            {
              scope: 'Den',
              name: 'opens',
              location: 'den.test.ts:3',
              file_name: 'den.test.ts',
              labels: ['own'],
            },
            { scope: 'Den', name: 'closes' },
          ],
        },
        {
          slug: 'web-unit',
          name: 'Unit',
          tests: [
            { scope: 'Cart', name: 'adds', location: 'cart.test.ts:7', labels: ['flaky', 'slow'] },
            { scope: 'Cart', name: 'removes', labels: ['slow'] },
            { scope: '', name: 'boots' },
          ],
        },
      ],
    },
    {
      slug: 'orbit',
      name: 'Orbit',
      members: [{ user: 'kim@orbit.example', role: 'admin' }],
      pipelines: [{ slug: 'web', steps: [{ command: 'true' }] }],
    },
  ],
  applications: [
    {
      kind: 'device',
      name: 'Terminal',
      client_id: 'conformance-device',
      grantableScopes: ['read_builds', 'write_builds'],
    },
    {
      kind: 'device',
      name: 'Kiosk',
      client_id: 'conformance-confidential',
      clientType: 'confidential',
      client_secret: 'secret of the conformance kit',
      grantableScopes: ['read_builds'],
    },
    {
      kind: 'token_exchange',
      name: 'Minter',
      client_id: 'conformance-exchange',
      grantableScopes: ['read_builds', 'read_user'],
      defaultScopes: ['read_builds'],
      jwks: {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'kit', alg: 'ES256', use: 'sig' }],
      },
    },
  ],
  accessTokens: [
    { name: 'admin', user: 'robin@acme.example', scopes: [...SCOPES], organizations: ['acme'] },
    {
      name: 'reader',
      user: 'robin@acme.example',
      scopes: ['read_builds'],
      organizations: ['acme'],
    },
    { name: 'sam', user: 'sam@acme.example', scopes: [...SCOPES], organizations: ['acme'] },
    { name: 'foreign', user: 'kim@orbit.example', scopes: [...SCOPES], organizations: ['orbit'] },
    { name: 'bare', user: 'robin@acme.example', scopes: ['read_user'], organizations: ['acme'] },
    {
      name: 'expiring',
      user: 'robin@acme.example',
      scopes: ['read_builds'],
      organizations: ['acme'],
      expires_at: '2026-03-02T09:00:00.000Z',
    },
  ],
} as const satisfies object as unknown as SeedDocument
