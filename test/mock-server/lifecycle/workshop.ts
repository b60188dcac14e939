import { RETRY_STATES, type RetryState } from '@buildwire/sdk/contract'
import type { Clock } from '../../../mock-server/src/base/clock.js'
import { seededIds } from '../../../mock-server/src/base/ids.js'
import { VirtualClock } from '../../../mock-server/src/base/virtual-clock.js'
import { cancelBuild } from '../../../mock-server/src/domain/cancel.js'
import { type BuildRequest, createBuild } from '../../../mock-server/src/domain/create-build.js'
import type { Decision } from '../../../mock-server/src/domain/decision.js'
import type { JobEvent } from '../../../mock-server/src/domain/job-moves.js'
import { triggerBuild } from '../../../mock-server/src/domain/perform.js'
import { retryFailedJobs, retryJob } from '../../../mock-server/src/domain/retry.js'
import { applyEvent } from '../../../mock-server/src/domain/transition.js'
import type { Turn } from '../../../mock-server/src/domain/turn.js'
import { merge } from '../../../mock-server/src/fields/merge.js'
import type {
  BuildRecord,
  CommandStep,
  JobRecord,
  Lifecycle,
  OrganizationRecord,
  PipelineRecord,
  Step,
} from '../../../mock-server/src/records/records.js'
import { driveLifecycle } from '../../../mock-server/src/sandbox/lifecycle/lifecycle.js'
import {
  pipelineTable,
  providerSettingsTable,
} from '../../../mock-server/src/seed/pipeline-tables.js'
import { defaultSettings, type Settings } from '../../../mock-server/src/seed/settings.js'
import { type Committer, createCommitter } from '../../../mock-server/src/store/committer.js'
import { lowdbMemory } from '../../../mock-server/src/store/lowdb.js'
import { MemoryStore } from '../../../mock-server/src/store/memory-store.js'
import { putInto } from '../../../mock-server/src/store/open-store.js'
import { State } from '../../../mock-server/src/store/state.js'
import { turnOf } from '../../../mock-server/src/store/turn.js'

export const start = Date.parse('2026-03-02T09:00:00.000Z')

const acme: OrganizationRecord = {
  id: '00000000-0000-4000-8000-00000000000a',
  slug: 'acme',
  name: 'Acme Rockets',
  tokenExchangeEnabled: true,
  jtiRequired: false,
  created_at: '2026-01-01T00:00:00.000Z',
}

/** A step whose command is its key, and a block step. */
export const step = (
  key: string,
  more: Omit<Partial<CommandStep>, 'key' | 'command'> = {},
): CommandStep => ({
  command: key,
  key,
  ...more,
})
export const gate = { block: 'Go?', key: 'go' } as const

export interface WorkshopOptions {
  readonly settings?: Partial<Settings>
  readonly lifecycle?: Lifecycle
  readonly pipelines?: Readonly<Record<string, readonly Step[]>>
  readonly pipeline?: Partial<PipelineRecord>
  readonly committer?: Committer
}

/**
 * A store with pipelines in it, a clock that stands still, and the server's own way of moving
 * builds.
 */
export class Workshop {
  readonly clock: VirtualClock
  readonly state = new State()
  readonly store: MemoryStore
  readonly ids = seededIds(1, this.state.counters)
  readonly settings: Settings
  lifecycle: Lifecycle
  #driver: ReturnType<typeof driveLifecycle> | undefined
  #detach: (() => void) | undefined

  constructor(options: WorkshopOptions = {}) {
    this.clock = new VirtualClock({ now: start })
    this.store = new MemoryStore(this.state, options.committer ?? createCommitter(lowdbMemory()))
    this.settings = { ...defaultSettings, ...options.settings }
    this.lifecycle = options.lifecycle ?? { policy: 'manual' }
    const queue = (key: string, paused: boolean) => ({
      id: `queue-${key}`,
      organizationId: acme.id,
      clusterId: 'cluster',
      key,
      paused,
    })
    putInto(this.state, 'organizations', acme)
    putInto(this.state, 'queues', queue('default', false))
    putInto(this.state, 'queues', queue('mac', true))
    for (const [slug, steps] of Object.entries(options.pipelines ?? {})) {
      const defaults = {
        id: () => this.ids.uuid('pipeline'),
        name: () => slug,
        repository: () => '',
        created_at: () => '',
      }
      putInto(this.state, 'pipelines', {
        ...merge(
          pipelineTable,
          { slug, steps, created_at: acme.created_at },
          undefined,
          defaults,
          start,
        ),
        slug,
        organizationId: acme.id,
        providerId: 'git',
        providerSettings: merge(providerSettingsTable, {}, undefined, {}, start),
        webhookKey: this.ids.uuid('webhook'),
        ...options.pipeline,
      })
    }
  }

  /** Starts what moves builds by itself, as a process does when it opens the store. */
  drive(host?: Clock): void {
    this.#driver = driveLifecycle(this, host)
    this.#detach = this.clock.attach(this.#driver)
  }

  /** Stops it, as the end of a process does. */
  halt(): void {
    this.#detach?.()
    this.#driver?.close()
  }

  pipeline(slug: string): PipelineRecord {
    const pipeline = this.state.find('pipelineBySlug', acme.id, slug) as PipelineRecord | undefined
    if (pipeline === undefined) throw new Error(`no pipeline ${slug}`)
    return pipeline
  }

  turn<T>(act: (turn: Turn) => Decision<T>, now = this.clock.now()): Promise<Decision<T>> {
    return this.store.update((tx) => act(turnOf(tx, this, now)))
  }

  /** As `turn`, for what must be allowed. */
  async must<T>(act: (turn: Turn) => Decision<T>): Promise<T> {
    const decision = await this.turn(act)
    if (!decision.ok) throw new Error(decision.failure.message)
    return decision.value
  }

  create(slug: string, request: Partial<BuildRequest> = {}): Promise<BuildRecord> {
    return this.must((turn) =>
      createBuild(
        turn,
        this.pipeline(slug),
        {
          commit: 'HEAD',
          branch: 'main',
          message: null,
          author: null,
          env: {},
          meta_data: {},
          pull_request: null,
          clean_checkout: false,
          ignore_pipeline_branch_filters: false,
          ...request,
        },
        { source: 'api', creatorId: null },
      ),
    )
  }

  build(id: string): BuildRecord {
    const build = this.state.get('builds', id)
    if (build === undefined) throw new Error(`no build ${id}`)
    return build
  }

  /** The latest execution with this step key, or the n-th job. */
  job(buildId: string, key: string | number): JobRecord {
    const { jobs } = this.build(buildId)
    const job =
      typeof key === 'number'
        ? jobs.at(key)
        : jobs.find((one) => one.step_key === key && !one.retried)
    if (job === undefined) throw new Error(`no job ${key}`)
    return job
  }

  event(buildId: string, key: string | number, event: JobEvent): Promise<Decision<BuildRecord>> {
    const job = this.job(buildId, key)
    return this.turn((turn) => applyEvent(turn, this.build(buildId), job.id, event))
  }

  /** Takes a scheduled job to an agent and starts it. */
  async run(buildId: string, key: string | number): Promise<void> {
    for (const event of [
      { type: 'assign', agent: 'agent' },
      { type: 'accept' },
      { type: 'start' },
    ] as const) {
      const decision = await this.event(buildId, key, event)
      if (!decision.ok) throw new Error(decision.failure.message)
    }
  }

  async finish(buildId: string, key: string | number, exit_status = 0): Promise<void> {
    await this.run(buildId, key)
    const decision = await this.event(buildId, key, { type: 'exit', exit_status })
    if (!decision.ok) throw new Error(decision.failure.message)
  }

  cancel(buildId: string, reason: string | null = null): Promise<Decision<BuildRecord>> {
    return this.turn((turn) => cancelBuild(turn, this.build(buildId), reason))
  }

  retry(buildId: string, states: readonly RetryState[] = RETRY_STATES): Promise<number> {
    return this.must((turn) => ({
      ok: true,
      value: retryFailedJobs(turn, this.build(buildId), states).count,
    }))
  }

  retryOne(buildId: string, jobId: string): Promise<Decision<BuildRecord>> {
    return this.turn((turn) => retryJob(turn, this.build(buildId), jobId))
  }

  trigger(buildId: string, key: string | number): Promise<Decision<BuildRecord>> {
    const job = this.job(buildId, key)
    return this.turn((turn) => triggerBuild(turn, this.build(buildId), job.id))
  }

  /** States of all jobs, in pipeline order, retried ones included. */
  states(buildId: string): readonly string[] {
    return this.build(buildId).jobs.map((job) => job.state)
  }
}

/** A workshop of these options, or of a pipeline with these steps, and a first build of `web`. */
export async function openShop(
  given: WorkshopOptions | readonly Step[],
): Promise<{ shop: Workshop; id: string }> {
  const shop = new Workshop('at' in given ? { pipelines: { web: given } } : given)
  const { id } = await shop.create('web')
  return { shop, id }
}
