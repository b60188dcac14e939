import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settleJobs } from '../../../mock-server/src/domain/build.js'
import { changedJobs } from '../../../mock-server/src/domain/changed-jobs.js'
import { type DueFacts, type KnownMoves, nextMove } from '../../../mock-server/src/domain/due.js'
import { JobList } from '../../../mock-server/src/domain/job-list.js'
import { jobMoves } from '../../../mock-server/src/domain/job-moves.js'
import { planJobs } from '../../../mock-server/src/domain/plan-jobs.js'
import { transition } from '../../../mock-server/src/domain/transition.js'
import type { BuildRecord, JobRecord, Step } from '../../../mock-server/src/records/records.js'
import { aBuild } from '../../support/records.js'

const at = '2026-03-01T09:00:00.000Z'
const now = Date.parse(at)
const facts: DueFacts = {
  lifecycle: { policy: 'timed' },
  jobExpiryMs: 86_400_000,
  isPaused: () => false,
  dice: (id) => Number(id.slice(1)) / 1_000_000,
}

/** Some parts' worth of jobs, with barriers at the ends of parts and inside them. */
const steps: readonly Step[] = [
  { command: 'a', parallelism: 32, retry: { automatic: 1 } },
  { wait: true },
  { command: 'b', parallelism: 40 },
  { block: 'Go?' },
  { command: 'c', parallelism: 22, softFail: true },
  { wait: true, continueOnFailure: true },
  { command: 'd', parallelism: 20 },
]

const planned = (): { build: BuildRecord; uuid: (noun: string) => string } => {
  let ids = 0
  const uuid = () => `j${ids++}`
  const jobs = planJobs({ steps, branch: 'main', at, uuid, queueId: () => null })
  return { build: settleJobs(aBuild({ id: 'b1', number: 1, jobs }), now), uuid }
}

const eventOf = (job: JobRecord, fails: boolean) => {
  const move = jobMoves.find(
    ({ types, from }) => types.includes(job.type) && from.some((state) => state === job.state),
  )
  if (job.state === 'running') return { type: 'exit', exit_status: fails ? 1 : 0 } as const
  if (job.state === 'blocked') return { type: 'unblock', user: null } as const
  return { type: move?.event ?? 'accept', agent: 'agent', graceful: false } as never
}

const act = fc.record({ pick: fc.nat(), burst: fc.integer({ min: 1, max: 40 }), fails: fc.nat(15) })

describe('a list of many jobs', () => {
  it('gives the same results as a list that keeps nothing', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 25 }), (acts) => {
        const { build: first, uuid } = planned()
        let build = first
        const known: KnownMoves = new WeakMap()
        expect(build.jobs).toBeInstanceOf(JobList)
        for (const { pick, burst, fails } of acts) {
          for (let n = 0; n < burst; n++) {
            const open = build.jobs.filter(
              (job) =>
                !job.retried &&
                ['scheduled', 'assigned', 'accepted', 'running', 'blocked'].includes(job.state),
            )
            const job = open[(pick + n * 7) % Math.max(open.length, 1)]
            if (job === undefined) break
            const event = eventOf(job, fails === 0)
            const ids = { now: now + pick, uuid }
            const plain = { ...build, jobs: [...build.jobs] }
            const moved = transition(build, job.id, event, ids)
            if (!moved.ok) continue
            const afresh = transition(plain, job.id, event, {
              ...ids,
              uuid: () =>
                moved.value.jobs.find(({ retry_source }) => retry_source?.job_id === job.id)?.id ??
                '',
            })
            expect(JSON.stringify(moved.value)).toBe(JSON.stringify(afresh.ok && afresh.value))
            const next = moved.value
            expect(nextMove(next, facts, known)).toEqual(
              nextMove({ ...next, jobs: [...next.jobs] }, facts),
            )
            const replayed = [...build.jobs]
            for (const { at: place, gone, come } of changedJobs(build.jobs, next.jobs)) {
              const removed = replayed.splice(place, gone.length, ...come)
              expect(removed.every((job, n) => job === gone[n])).toBe(true)
            }
            expect(replayed.length).toBe(next.jobs.length)
            expect(replayed.every((job, n) => job === next.jobs.at(n))).toBe(true)
            build = next
          }
        }
      }),
      // A run takes a tenth of a second, so that shrinking would take hours.
      { numRuns: 5, endOnFailure: true },
    )
  })

  it('shares all parts except the changed ones', () => {
    const { build, uuid } = planned()
    const moved = transition(build, 'j1', { type: 'assign', agent: 'agent' }, { now, uuid })
    const next = JobList.of(moved.ok ? moved.value.jobs : [])
    expect(next.parts.filter((part, n) => part !== JobList.of(build.jobs).parts[n])).toHaveLength(1)
  })
})
