import { cancelBuild } from '../../domain/cancel.js'
import { conclude } from '../../domain/conclude.js'
import { applyEvent } from '../../domain/perform.js'
import { rebuildBuild } from '../../domain/rebuild.js'
import { retryFailedJobs, retryStates } from '../../domain/retry.js'
import type { Turn } from '../../domain/turn.js'
import type {
  AgentRecord,
  BuildRecord,
  PipelineRecord,
  QueueRecord,
  SuiteRecord,
  UserRecord,
} from '../../store/records.js'
import type { SeedContext } from '../context.js'
import { createSimulated, type Happening, simulate } from '../simulation.js'
import { reshaped, shapeOf } from './endings.js'
import { pastBuilds } from './history.js'
import type { Person } from './people.js'
import { lastNumbers, type PipelineSlug } from './pipelines.js'
import type { PlannedBuild } from './planned-build.js'
import { recentBuilds } from './recent.js'

const minute = 60_000
/** The mac queue has been paused for two hours. */
const pausedFor = 120 * minute

export interface DemoFacts {
  readonly people: Readonly<Record<Person, UserRecord>>
  readonly pipelines: Readonly<Record<PipelineSlug, PipelineRecord>>
  readonly queues: readonly QueueRecord[]
  readonly agents: readonly AgentRecord[]
  readonly suite: SuiteRecord
}

/** The demo's 320 builds: planned here, and played by the server's own lifecycle. */
export function makeBuilds(context: SeedContext, facts: DemoFacts): readonly BuildRecord[] {
  const planned = [
    ...pastBuilds(context),
    ...recentBuilds.map(({ ago, ...build }): PlannedBuild => ({ ...build, at: context.now - ago })),
  ].sort((one, other) => one.at - other.at)
  const seen = new Map<string, number>()
  const happenings = planned.flatMap((plan) => {
    const kind = `${plan.pipeline} ${plan.ending}`
    const turn = seen.get(kind) ?? 0
    seen.set(kind, turn + 1)
    return happeningsOf(context, facts, plan, turn)
  })
  const mac = facts.queues.find((queue) => queue.paused)?.id
  const pipelines = Object.values(facts.pipelines)
  const linux = facts.agents.filter((agent) => agent.name.startsWith('linux'))
  const macs = facts.agents.filter((agent) => agent.name.startsWith('mac'))
  return simulate(
    context,
    {
      pipelines,
      queues: facts.queues,
      wasPaused: (queueId, at) => queueId === mac && at >= context.now - pausedFor,
      agentId: (job) => {
        const among = job.queueId === mac ? macs : linux
        return among[Math.floor(context.dice(`agent:${job.id}`, 0) * among.length)]?.id ?? ''
      },
      lastNumber: (pipelineId) =>
        lastNumbers[pipelines.find((pipeline) => pipeline.id === pipelineId)?.slug as PipelineSlug] ?? 0,
    },
    happenings.filter(({ at }) => at <= context.now),
  )
}

/** A planned build, and what people do to it later. */
function happeningsOf(context: SeedContext, facts: DemoFacts, plan: PlannedBuild, turn: number): readonly Happening[] {
  const { people, pipelines } = facts
  const pipeline = pipelines[plan.pipeline]
  const creator = plan.creator === null ? null : people[plan.creator]
  let id = ''
  const later = (ms: number, act: (turn: Turn, build: BuildRecord) => void): Happening => ({
    at: plan.at + ms,
    do: (at) => {
      const build = at.build(id)
      if (build !== undefined) act(at, build)
    },
  })
  const make = (at: Turn) =>
    createSimulated(
      at,
      pipeline,
      {
        commit: commitOf(context),
        branch: plan.branch,
        message: plan.message,
        author: plan.author ?? (creator === null ? null : { name: creator.name, email: creator.email }),
        env: turn % 7 === 3 ? { CI_DEBUG: '1' } : {},
        meta_data:
          plan.metaData ??
          (plan.pipeline === 'web' && turn % 5 === 0 ? { 'deploy-target': 'staging', canary: turn % 2 === 0 } : {}),
        pull_request: plan.pullRequest ?? null,
      },
      { source: plan.source ?? 'webhook', creatorId: creator?.id ?? null },
      reshaped(plan.shape ?? shapeOf(plan.pipeline, plan.ending, turn)),
    )
  const first: Happening = {
    at: plan.at,
    do: (at) => {
      const build = make(at)
      if (build === undefined) return
      id = build.id
      if (plan.ending === 'waiting') at.put(heldBack(build))
      if (plan.pipeline === 'web' && turn % 3 === 0)
        at.put({ ...build, testRuns: [{ id: context.uuid('testRun'), suiteId: facts.suite.id }] })
    },
  }
  const acts = [first]
  if (plan.ending === 'skipped') acts.push({ at: plan.at + 900, do: make })
  if (plan.ending === 'canceled') acts.push(later(30_000, (at, build) => cancel(at, build, plan.cancelReason ?? null)))
  if (plan.pipeline === 'web' && (plan.ending === 'passed' || plan.ending === 'failed')) {
    acts.push(later((5 + (turn % 6)) * minute, (at, build) => unblock(at, build, people.mina)))
  }
  if (plan.pipeline === 'infra' && plan.ending === 'passed') {
    for (const ms of [5 * minute, 12 * minute])
      acts.push(later(ms, (at, build) => unblockTriggered(at, build, people.tomas)))
  }
  for (const ms of plan.retryAfterMs ?? []) {
    acts.push(later(ms, (at, build) => at.put(retryFailedJobs(build, retryStates, at).build)))
  }
  if (plan.rebuildAfterMs !== undefined) acts.push(...rebuild(later, plan.rebuildAfterMs, facts))
  return acts
}

type Later = (ms: number, act: (turn: Turn, build: BuildRecord) => void) => Happening

/** Somebody builds a failed build once more, and this time it gets through. */
function rebuild(later: Later, ms: number, { people, pipelines }: DemoFacts): readonly Happening[] {
  let id = ''
  return [
    later(ms, (at, build) => {
      const made = rebuildBuild(at, pipelines.web, build, people.mina)
      if (!made.ok) return
      id = made.value.id
      at.put({ ...made.value, jobs: made.value.jobs.map(reshaped(() => ({ outcome: 'pass' }))) })
    }),
    later(ms + 6 * minute, (at) => {
      const build = at.build(id)
      if (build !== undefined) unblock(at, build, people.mina)
    }),
  ]
}

function cancel(turn: Turn, build: BuildRecord, reason: string | null): void {
  const decision = cancelBuild(build, reason, turn)
  if (decision.ok) conclude(turn, decision.value)
}

function unblock(turn: Turn, build: BuildRecord, by: UserRecord): void {
  const job = build.jobs.find((candidate) => candidate.state === 'blocked' && candidate.type === 'manual')
  if (job !== undefined) applyEvent(turn, build, job.id, { type: 'unblock', user: by.id })
}

function unblockTriggered(turn: Turn, build: BuildRecord, by: UserRecord): void {
  for (const job of build.jobs) {
    const triggered = turn.build(job.triggeredBuildId ?? '')
    if (triggered?.blocked === true) unblock(turn, triggered, by)
  }
}

/** A build that waits for another of its kind to end: a state that no step leads to. */
const heldBack = (build: BuildRecord): BuildRecord => ({
  ...build,
  state: 'waiting',
  jobs: build.jobs.map((job) => ({ ...job, state: 'waiting', runnable_at: null })),
})

const commitOf = (context: SeedContext): string =>
  `${context.uuid('commit')}${context.uuid('commit')}`.replaceAll('-', '').slice(0, 40)
