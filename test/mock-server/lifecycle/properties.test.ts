import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildState } from '../../../mock-server/src/domain/build.js'
import { isFinished } from '../../../mock-server/src/domain/job.js'
import { jobMoves } from '../../../mock-server/src/domain/job-moves.js'
import {
  legalStates,
  requestTransition,
} from '../../../mock-server/src/domain/request-transition.js'
import type { BuildRecord, JobRecord, Step } from '../../../mock-server/src/records/records.js'
import { Workshop } from './workshop.js'

const stepOf: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      command: fc.constant('make'),
      softFail: fc.constantFrom(false, true),
      retry: fc.record({ automatic: fc.nat(2) }),
      branches: fc.constantFrom('*', '*', '*', '!main'),
      parallelism: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ wait: fc.constant(true as const), continueOnFailure: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      block: fc.constant('Go?'),
      blockedState: fc.constantFrom('passed' as const, 'failed' as const, 'running' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      trigger: fc.constantFrom('web', 'other', 'nowhere'),
      async: fc.boolean(),
    }),
  },
)

/** What a run does next: numbers pick a build, a job and a target out of those there are. */
const actOf = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      build: fc.nat(),
      job: fc.nat(),
      target: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('create' as const, 'cancel' as const, 'retry' as const),
      build: fc.nat(),
    }),
  },
)
type Act = typeof actOf extends fc.Arbitrary<infer T> ? T : never

const allowed = new Map(
  ['script', 'waiter', 'manual', 'trigger'].map((type) => {
    const pairs = jobMoves
      .filter((move) => (move.types as readonly string[]).includes(type))
      .flatMap((move) => move.from.flatMap((from) => move.to.map((to) => [from, to] as const)))
    return [type, pairs] as const
  }),
)

/** Whether a chain of the table's moves leads from one state to another. */
function reachable(job: JobRecord, to: string): boolean {
  const seen = new Set([job.state])
  const open = [job.state]
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const [source, target] of allowed.get(job.type) ?? []) {
      if (source !== from || seen.has(target)) continue
      seen.add(target)
      open.push(target)
    }
  }
  return seen.has(to)
}

function checkStep(before: readonly BuildRecord[], after: readonly BuildRecord[], act: Act): void {
  const known = new Map(before.map((build) => [build.id, build]))
  const numbers = after.map((build) => `${build.pipelineId} ${build.number}`)
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const build of after) {
    checkFields(build)
    const old = known.get(build.id)
    if (old === undefined) continue
    if (old.failing_at !== null) expect(build.failing_at).toBe(old.failing_at)
    if (old.started_at !== null) expect(build.started_at).toBe(old.started_at)
    if (old.state === 'skipped' || old.state === 'not_run') expect(build.state).toBe(old.state)
    const places = build.jobs
      .map((job) => job.id)
      .filter((id) => old.jobs.some((job) => job.id === id))
    expect(places).toEqual(old.jobs.map((job) => job.id))
    for (const job of old.jobs) {
      const next = build.jobs.find((one) => one.id === job.id)
      if (next === undefined) throw new Error('a job was lost')
      expect(next.state === job.state || reachable(job, next.state)).toBe(true)
      if (job.retried) expect(next).toEqual(job)
    }
    if (act.kind === 'retry') expect([build.state, build.blocked]).toEqual([old.state, old.blocked])
  }
}

function checkFields(build: BuildRecord): void {
  const active = build.jobs.some(
    (job) => !job.retried && !isFinished(job) && job.state !== 'waiting' && job.state !== 'blocked',
  )
  if (build.blocked)
    expect(build.jobs.some((job) => job.type === 'manual' && job.state === 'blocked')).toBe(true)
  if (['running', 'failing', 'scheduled'].includes(build.state) && !build.blocked) {
    expect(build.finished_at).toBeNull()
    expect(active).toBe(true)
  }
  if (['passed', 'failed', 'canceled', 'skipped', 'not_run'].includes(build.state))
    expect(build.finished_at).not.toBeNull()
  if (build.state === 'running' || build.state === 'failing')
    expect(build.started_at).not.toBeNull()
  for (const job of build.jobs) {
    if (job.retried)
      expect(build.jobs.find((one) => one.id === job.retried_in_job_id)?.retry_source?.job_id).toBe(
        job.id,
      )
    if (job.state === 'scheduled') expect(job.runnable_at).not.toBeNull()
    if (job.state === 'running' || job.state === 'passed')
      expect(job.type === 'waiter' || job.started_at !== null).toBe(true)
  }
}

/** A build says what its jobs imply, unless a retry has just put new ones beside its end. */
function checkImplied(build: BuildRecord): void {
  if (['canceled', 'canceling', 'skipped'].includes(build.state)) return
  const retriedOnly = build.jobs.some(
    (job) => !job.retried && job.retry_source !== null && job.started_at === null,
  )
  if (retriedOnly) return
  const implied = buildState(build.jobs, build.started_at !== null)
  expect([build.state, build.blocked]).toEqual([implied.state, implied.blocked])
}

describe('any sequence of events', () => {
  it('keeps every law of builds and jobs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf, { minLength: 1, maxLength: 6 }),
        fc.array(stepOf, { minLength: 1, maxLength: 3 }),
        fc.record({
          skip_queued_branch_builds: fc.boolean(),
          cancel_running_branch_builds: fc.boolean(),
        }),
        fc.array(actOf, { maxLength: 60 }),
        async (web, other, pipeline, acts) => {
          const shop = new Workshop({ pipelines: { web, other }, pipeline })
          await shop.create('web')
          const all = () => [...shop.store.state.values('builds')]
          for (const act of acts) {
            const before = all()
            await shop.clock.advance(7)
            await perform(shop, act, before)
            checkStep(before, all(), act)
            for (const build of all()) checkImplied(build)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('refuses what legalStates does not name, and changes nothing by that', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf, { minLength: 1, maxLength: 5 }),
        fc.array(actOf, { maxLength: 30 }),
        async (web, acts) => {
          const shop = new Workshop({ pipelines: { web, other: [] } })
          await shop.create('web')
          for (const act of acts) {
            const builds = [...shop.store.state.values('builds')]
            await perform(shop, act, builds)
            for (const build of builds) {
              for (const job of shop.build(build.id).jobs) {
                const target =
                  ['pending', 'broken', 'waiting_failed', 'blocked_failed', 'nonsense'][
                    act.build % 5
                  ] ?? ''
                const decision = await shop.turn((turn) =>
                  requestTransition(turn, shop.build(build.id), job.id, { state: target }),
                )
                expect(decision).toMatchObject({ ok: false, failure: { code: 'unprocessable' } })
                if (decision.ok) continue
                for (const state of legalStates(job))
                  expect(decision.failure.message).toContain(state)
              }
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

async function perform(shop: Workshop, act: Act, builds: readonly BuildRecord[]): Promise<void> {
  const build = builds[act.build % builds.length]
  if (build === undefined) return
  if (act.kind === 'create') await shop.create('web')
  if (act.kind === 'cancel') await shop.cancel(build.id)
  if (act.kind === 'retry') await shop.retry(build.id)
  if (act.kind !== 'move') return
  const movable = build.jobs.filter((job) => legalStates(job).length > 0)
  const job = movable[act.job % movable.length]
  if (job === undefined) return
  const targets = legalStates(job)
  const target = targets[act.target % targets.length] ?? ''
  const decision = await shop.turn((turn) =>
    requestTransition(turn, shop.build(build.id), job.id, { state: target }),
  )
  expect(decision.ok).toBe(true)
}
