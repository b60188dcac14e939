import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SCOPES } from '@buildwire/sdk/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../../mock-server/src/base/digest.js'
import { buildState } from '../../mock-server/src/domain/build.js'
import type { BuildRecord, Collection, Records } from '../../mock-server/src/records/records.js'
import type { ReadonlyState } from '../../mock-server/src/store/store.js'
import { scratchNow, seeded } from '../support/scratch-store.js'

let state: ReadonlyState
let builds: readonly BuildRecord[]
let acme: string

const all = <C extends Collection>(collection: C): readonly Records[C][] => [
  ...state.values(collection),
]
const shown = (build: BuildRecord) => (build.blocked ? 'blocked' : build.state)
const count = (list: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of list) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

beforeAll(async () => {
  state = (await seeded('demo')).state
  acme = state.find('organizationBySlug', 'acme')?.id ?? ''
  builds = [...state.builds(acme).all].reverse()
})

describe('the demo seed', () => {
  it('has 320 builds over 21 days, and its newest is 40 s old', () => {
    expect(builds).toHaveLength(320)
    const age = (build: BuildRecord | undefined) => scratchNow - Date.parse(build?.created_at ?? '')
    expect(age(builds[0])).toBe(40_000)
    expect(age(builds.at(-1)) / 86_400_000).toBeGreaterThan(18)
    expect(age(builds.at(-1)) / 86_400_000).toBeLessThanOrEqual(21)
  })

  it('has no build that contradicts its jobs', () => {
    for (const build of builds.filter(
      ({ state: name }) => !['waiting', 'skipped', 'canceled'].includes(name),
    )) {
      const implied = buildState(build.jobs, build.started_at !== null)
      expect([build.number, build.state, build.blocked]).toEqual([
        build.number,
        implied.state,
        implied.blocked,
      ])
    }
    const finished = builds.filter((build) =>
      ['passed', 'failed', 'canceled', 'skipped', 'not_run'].includes(build.state),
    )
    for (const build of finished) expect(build.finished_at).not.toBeNull()
    for (const { jobs } of builds)
      for (const job of jobs)
        expect(job.agent === null || state.get('agents', job.agent)).toBeTruthy()
  })

  it('has no time in the future, and all times in order', () => {
    const now = new Date(scratchNow).toISOString()
    for (const build of builds) {
      const order = [
        build.created_at,
        build.started_at,
        build.failing_at,
        build.finished_at,
      ].filter((time) => time !== null)
      expect(order.every((time) => time <= now)).toBe(true)
      if (build.started_at !== null) expect(build.started_at >= build.created_at).toBe(true)
      for (const job of build.jobs) {
        if (job.started_at !== null && job.finished_at !== null)
          expect(job.finished_at >= job.started_at).toBe(true)
      }
    }
  })

  it('contains every case that a client has to handle', () => {
    expect(builds.some((build) => build.rebuiltFrom !== null)).toBe(true)
    const chain = builds
      .flatMap((build) => [...build.jobs])
      .find((job) => (job.retries_count ?? 0) >= 2 && job.retry_source?.retry_type === 'manual')
    expect(chain).toBeDefined()
    const messages = builds.map((build) => build.message ?? '')
    expect(messages.some((message) => /\p{Extended_Pictographic}/u.test(message))).toBe(true)
    expect(messages.some((message) => /[\u0590-\u05ff\u0600-\u06ff]/.test(message))).toBe(true)
    expect(messages.some((message) => message.length === 300)).toBe(true)
    expect(builds.some((build) => build.branch.split('/').length > 2)).toBe(true)
    const values = builds.flatMap((build) => Object.values(build.meta_data))
    expect(new Set(values.map((value) => typeof value))).toEqual(new Set(['string']))
    expect(builds.some((build) => build.testRuns.length > 0)).toBe(true)
    expect(builds.some((build) => build.cancel_reason !== null)).toBe(true)
  })

  it('has a public and a confidential device application and one for token exchange, whose private key is in examples', () => {
    expect(all('applications').map((one) => [one.kind, one.clientType])).toEqual([
      ['device', 'public'],
      ['device', 'confidential'],
      ['token_exchange', 'public'],
    ])
    const key = all('applications')[2]?.jwks?.keys[0]
    const pem = readFileSync(
      new URL('../../examples/keys/demo-token-exchange.private.pem', import.meta.url),
    )
    const { x, y } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' })
    expect(key).toMatchObject({ x, y, kid: 'demo-1', alg: 'ES256' })
  })

  it('has the tokens admin, reader and foreign, each with its rights and its value', () => {
    const token = (name: string) => state.find('accessTokenByName', name)
    expect(token('admin')).toMatchObject({
      scopes: [...SCOPES],
      organizationIds: [acme],
      digest: digest('generated-admin'),
    })
    expect(token('reader')).toMatchObject({
      scopes: ['read_builds', 'read_suites'],
      organizationIds: [acme],
    })
    expect(token('foreign')?.organizationIds).toEqual([
      state.find('organizationBySlug', 'orbit')?.id,
    ])
  })

  it('is the same for the same seed and clock, and valid on every day of the week', async () => {
    const again = (await seeded('demo')).state
    expect([...again.values('builds')]).toEqual(all('builds'))
    for (const hours of [13, 62, 101]) {
      const other = (await seeded('demo', scratchNow + hours * 3_600_000)).state
      const organization = other.find('organizationBySlug', 'acme')?.id ?? ''
      expect(count(other.builds(organization).all.map(shown))).toEqual(count(builds.map(shown)))
    }
  })
})

describe('the large seed', () => {
  it('has N builds over 50 pipelines, 3 jobs each, 12 creators and one common meta_data key', async () => {
    const { state: large, loaded } = await seeded('large:5000')
    expect(loaded.accessTokens).toMatchObject({ admin: 'generated-admin' })
    const made = [...large.values('builds')]
    expect(made).toHaveLength(5_000)
    expect(new Set(made.map((build) => build.pipelineId)).size).toBe(50)
    expect(made.every((build) => build.jobs.length === 3)).toBe(true)
    expect(new Set(made.map((build) => build.creatorId)).size).toBe(12)
    expect(new Set(made.map((build) => build.commit)).size).toBe(5_000)
    expect(made.filter((build) => build.branch === 'main').length).toBe(3_000)
    expect(made.every((build) => 'team' in build.meta_data)).toBe(true)
    expect(new Set(made.map((build) => build.meta_data['change'])).size).toBe(5_000)
    for (const build of made.slice(0, 300)) {
      const implied = buildState(build.jobs, true).state
      if (build.state !== 'canceled') expect(build.state).toBe(implied)
    }
  })
})
