import { describe, expect, it } from 'vitest'
import { digest } from '../../../mock-server/src/base/digest.js'
import { collections, recordFields } from '../../../mock-server/src/records/records.js'
import { seeded } from '../../support/scratch-store.js'

const acme = `
version: 1
users:
  - { email: robin@acme.example, name: Robin }
  - { email: Sam@acme.example, emailVerified: false }
organizations:
  - slug: acme
    name: Acme Rockets
    members: [{ user: ROBIN@acme.example, role: admin }, { user: sam@acme.example, pipelines: { web: read } }]
    queues: [{ key: default }, { key: mac, paused: true }]
    pipelines:
      - slug: api
        builds: [{ number: 7, state: passed, commit: "0000000000000000000000000000000000000007" }]
      - slug: web
        repository: git@git.example:acme/web.git
        lifecycle: { policy: timed }
        steps:
          - { command: make test, key: test, label: Test, queue: mac }
          - { wait: true }
          - { trigger: api, key: deploy }
        builds:
          - state: failed
            commit: "9f2c"
            creator: robin@acme.example
            created_at: -2h
            meta_data: { release: true, team: web }
            rebuilt_from: { pipeline: api, number: 7 }
            jobs:
              - { step_key: test, state: failed, exit_status: 1, retried: true }
              - { step_key: test, state: failed, exit_status: 2, log: "boom" }
              - { step_key: deploy, type: trigger, state: passed, triggered_build: { pipeline: api, number: 7 } }
          - { state: running, created_at: -30s, jobs: [{ step_key: test, state: running }] }
    suites: [{ slug: web-unit, name: Unit, tests: [{ scope: Cart, name: adds, location: "cart.test.ts:7", labels: [flaky] }] }]
applications:
  - { kind: device, name: Laptop, client_id: laptop }
  - { kind: device, name: Kiosk, client_id: kiosk, clientType: confidential }
accessTokens:
  - { name: admin, user: robin@acme.example, scopes: [read_builds, write_builds], organizations: [acme] }
  - { name: literal, user: sam@acme.example, scopes: [read_builds], value: local-access-token }
`

describe('a seed document', () => {
  it('may have a wait step without a value, also in a group', async () => {
    const { state } = await seeded({
      yaml: `
organizations:
  - slug: acme
    pipelines:
      - slug: web
        steps:
          - command: make
          - wait:
          - group: Checks
            key: checks
            steps: [{ wait: null, continueOnFailure: null }, { command: test }]
`,
    })
    const { id = '' } = state.find('organizationBySlug', 'acme') ?? {}
    expect(state.find('pipelineBySlug', id, 'web')?.steps).toEqual([
      { command: 'make' },
      { wait: true },
      { group: 'Checks', key: 'checks', steps: [{ wait: true }, { command: 'test' }] },
    ])
  })

  it('becomes records with natural keys resolved', async () => {
    const { state } = await seeded({ yaml: acme })
    const organization = state.find('organizationBySlug', 'acme')
    const robin = state.find('userByEmail', 'robin@acme.example')
    const sam = state.find('userByEmail', 'sam@acme.example')
    expect(robin).toMatchObject({ name: 'Robin', emailVerified: true, active: true })
    expect(sam).toMatchObject({ name: 'Sam', email: 'Sam@acme.example', emailVerified: false })
    expect(state.find('member', organization?.id ?? '', sam?.id ?? '')).toMatchObject({
      role: 'member',
      pipelines: { web: 'read' },
    })
    const mac = state.find('queueByKey', organization?.id ?? '', 'mac')
    expect(mac).toMatchObject({ paused: true })
    const web = state.find('pipelineBySlug', organization?.id ?? '', 'web')
    expect(web).toMatchObject({
      name: 'web',
      default_branch: 'main',
      lifecycle: { policy: 'timed' },
    })
    expect(web?.providerSettings).toMatchObject({ trigger_mode: 'code', repository: 'acme/web' })
    const suite = state.find('suiteBySlug', organization?.id ?? '', 'web-unit')
    expect(state.find('testByName', suite?.id ?? '', 'Cart', 'adds')).toMatchObject({
      location: 'cart.test.ts:7',
      file_name: 'cart.test.ts',
      labels: ['flaky'],
    })
    const build = state.find('buildByNumber', web?.id ?? '', 1)
    expect(build).toMatchObject({
      state: 'failed',
      commit: '9f2c',
      branch: 'main',
      creatorId: robin?.id,
      author: { name: 'Robin', email: 'robin@acme.example' },
      created_at: '2026-03-01T07:00:00.000Z',
      started_at: '2026-03-01T07:00:02.000Z',
      finished_at: '2026-03-01T07:00:32.000Z',
      meta_data: { release: true, team: 'web' },
    })
    const api = state.find('pipelineBySlug', organization?.id ?? '', 'api')
    const seven = state.find('buildByNumber', api?.id ?? '', 7)
    expect(build?.rebuiltFrom).toEqual({ id: seven?.id, number: 7, pipelineId: api?.id })
    const [first, second, trigger] = build?.jobs ?? []
    expect(first).toMatchObject({
      command: 'make test',
      name: 'Test',
      queueId: mac?.id,
      retried: true,
      retried_in_job_id: second?.id,
      retry_type: 'manual',
    })
    expect(second).toMatchObject({
      exit_status: 2,
      log: 'boom',
      retries_count: 1,
      retry_source: { job_id: first?.id, retry_type: 'manual' },
      stepId: first?.stepId,
    })
    expect(trigger).toMatchObject({ type: 'trigger', triggeredBuildId: seven?.id, agent: null })
    expect(seven?.triggeredFrom).toMatchObject({ buildId: build?.id, jobId: trigger?.id })
    expect(state.get('agents', first?.agent ?? '')).toMatchObject({ name: 'agent-1' })
  })

  it('keeps digests and shows generated secrets once', async () => {
    const { state, loaded } = await seeded({ yaml: acme })
    expect(loaded.accessTokens).toEqual({ admin: 'generated-admin', literal: 'local-access-token' })
    expect(loaded.clientSecrets).toEqual({ kiosk: 'secret-of-kiosk' })
    expect(state.find('accessTokenByDigest', digest('local-access-token'))).toMatchObject({
      name: 'literal',
      kind: 'api',
    })
    expect(
      JSON.stringify([...state.values('accessTokens'), ...state.values('applications')]),
    ).not.toMatch(/local-access-token|secret-of|generated-/)
  })

  it('counts on from the highest build number', async () => {
    const { state } = await seeded({
      yaml: 'organizations: [{ slug: acme, pipelines: [{ slug: web, builds: [{ number: 412, state: passed }, { state: passed }] }] }]',
    })
    expect([...state.values('builds')].map(({ number }) => number)).toEqual([412, 413])
  })

  it('drops unknown keys of records of the API with a notice', async () => {
    const { loaded } = await seeded({
      yaml: 'users: [{ email: robin@acme.example, avatar_url: "http://x.example/a.png" }]',
    })
    expect(loaded.notices).toEqual([
      { path: ['users', 0, 'avatar_url'], message: 'is not kept by this server and was dropped' },
    ])
  })

  it('fills a pipeline with builds that are older than the listed ones, and the same every time', async () => {
    const yaml = `
users: [{ email: robin@acme.example }]
organizations:
  - slug: acme
    members: [{ user: robin@acme.example }]
    pipelines:
      - slug: web
        steps: [{ command: make lint, key: lint }, { wait: true }, { command: make test, key: test, parallelism: 2 }, { trigger: web }]
        generate: { builds: 120, days: 21 }
        builds: [{ state: running, created_at: -2h, jobs: [{ step_key: lint, state: running }] }]
`
    const { state } = await seeded({ yaml })
    const builds = [...state.values('builds')]
    expect(builds).toHaveLength(121)
    expect(builds.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 121 }, (_, n) => n + 1),
    )
    const listed = builds.find(({ number }) => number === 121)
    const filler = builds.filter(({ number }) => number !== 121)
    expect(
      filler.every(
        ({ created_at, finished_at }) =>
          created_at < (listed?.created_at ?? '') && finished_at !== null,
      ),
    ).toBe(true)
    expect(new Set(filler.map((build) => build.state))).toEqual(new Set(['passed', 'failed']))
    expect(filler[0]?.jobs.map(({ step_key }) => step_key)).toEqual(['lint', null, 'test', 'test'])
    const again = await seeded({ yaml })
    expect(JSON.stringify([...again.state.values('builds')])).toBe(JSON.stringify(builds))
  })

  it('plays builds from their beginning until now, with what people do to them', async () => {
    const { state } = await seeded({
      yaml: `
users: [{ email: robin@acme.example, name: Robin }]
organizations:
  - slug: acme
    members: [{ user: robin@acme.example }]
    queues: [{ key: mac, paused: -1h }]
    agents: [{ name: mac-1, queue: mac, connection_state: disconnected }, { name: linux-1 }]
    pipelines:
      - slug: web
        nextNumber: 41
        steps:
          - { command: make, key: unit, parallelism: 2, durationMs: 60000 }
          - { command: make app, key: app, queue: mac, durationMs: 60000 }
          - { block: Deploy?, key: gate }
        builds:
          - created_at: -2h
            creator: robin@acme.example
            play:
              steps: [{ key: unit, index: 1, outcome: { exit_status: 3 } }]
              acts: [{ afterMs: 600000, do: rebuild }, { afterMs: 900000, do: unblock }]
          - { created_at: -30m, branch: fix, play: { acts: [{ afterMs: 1000, do: cancel, reason: wrong }] } }
          - { created_at: -10m, state: waiting, play: {} }
          - { created_at: -20m, play: {} }
      - { slug: quiet, nextNumber: 7 }
`,
    })
    const web = [...state.values('builds')].sort((a, b) => a.number - b.number)
    expect(web.map(({ number, state: name }) => `${number} ${name}`)).toEqual([
      '41 failed',
      '42 passed',
      '43 canceled',
      '44 running',
      '45 waiting',
    ])
    expect(web[0]?.jobs.map(({ step_key, exit_status }) => `${step_key} ${exit_status}`)).toContain(
      'unit 3',
    )
    expect(web[1]).toMatchObject({
      rebuiltFrom: { number: 41 },
      blocked: false,
      created_at: '2026-03-01T07:10:00.000Z',
    })
    expect(web[2]).toMatchObject({ cancel_reason: 'wrong', branch: 'fix' })
    const agentOf = (key: string) =>
      state.get('agents', web[1]?.jobs.find((job) => job.step_key === key)?.agent ?? '')
    expect([agentOf('app')?.name, agentOf('unit')?.name]).toEqual(['mac-1', 'linux-1'])
    expect(web[3]?.jobs.map((job) => job.state)).toEqual([
      'passed',
      'passed',
      'scheduled',
      'waiting',
    ])
  })

  it('keeps nothing that a journal would refuse: null in a step or lifecycle means what an absent key means', async () => {
    const { state } = await seeded({
      yaml: `
lifecycle: { policy: timed, speed: null }
organizations:
  - slug: acme
    pipelines:
      - slug: web
        lifecycle: { policy: timed, speed: null }
        steps:
          - { command: make, key: make, queue: null, parallelism: null, onFailure: { log: null } }
          - { group: ends, key: ends, steps: [{ trigger: web, label: null, build: { branch: null } }] }
        builds: [{ created_at: -1d, play: { steps: [{ key: make, outcome: { exit_status: 3, signal: null } }] } }]
`,
    })
    const refused = collections.flatMap((collection) =>
      [...state.values(collection)].filter((record) => !recordFields[collection].is(record)),
    )
    expect(refused).toEqual([])
    expect([...state.values('builds')][0]?.jobs.at(0)).toMatchObject({
      agent_query_rules: [],
      exit_status: 3,
    })
  })

  it('starts numbers where the seed says, and makes builds go the ways that it counts', async () => {
    const { state, store } = await seeded({
      yaml: `
organizations:
  - slug: acme
    pipelines:
      - slug: web
        nextNumber: 100
        steps: [{ command: make, key: make }, { trigger: api, key: next }]
        generate:
          builds: 9
          at: night
          triggers: true
          changes: [{ branch: fix, message: Mend it }]
          ways: [{ builds: 3, branch: side, play: { steps: [{ key: make, outcome: { exit_status: 2 } }] } }, { builds: 6 }]
      - { slug: api, nextNumber: 7 }
      - { slug: quiet, nextNumber: 7 }
`,
    })
    const of = (slug: string) =>
      [...state.values('builds')].filter(
        ({ pipelineId }) => state.get('pipelines', pipelineId)?.slug === slug,
      )
    expect(of('web').map(({ number }) => number)).toEqual(
      Array.from({ length: 9 }, (_, n) => 100 + n),
    )
    expect(
      of('web').filter((build) => build.branch === 'side' && build.state === 'failed'),
    ).toHaveLength(3)
    expect(
      of('web').filter((build) => build.state === 'passed' && build.message === 'Mend it'),
    ).toHaveLength(6)
    expect(new Set(of('web').map((build) => build.created_at.slice(11, 16)))).toEqual(
      new Set(['02:00']),
    )
    expect(of('api').map(({ number, source }) => `${number} ${source}`)[0]).toBe('7 trigger_job')
    const quiet = [...state.values('pipelines')].find(({ slug }) => slug === 'quiet')
    expect(await store.update((tx) => tx.nextNumber(quiet?.id ?? ''))).toBe(7)
  })
})
