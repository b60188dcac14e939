import { backgroundClock, type Clock } from '../../base/clock.js'
import type { DueSource, Fired, VirtualClock } from '../../base/virtual-clock.js'
import { type DueFacts, type DueMove, type KnownMoves, mayMove, nextMove } from '../../domain/due.js'
import { changedJobs } from '../../domain/job-list.js'
import { DueQueue } from '../../domain/order.js'
import { perform } from '../../domain/perform.js'
import type { BuildRecord, Lifecycle } from '../../records/records.js'
import type { SandboxContext } from '../../request/exchange.js'
import { StoreError } from '../../store/errors.js'
import type { Change } from '../../store/store.js'
import { turnOf } from '../../store/turn.js'

export type LifecycleSandbox = Pick<SandboxContext, 'store' | 'ids' | 'settings' | 'lifecycle'> & {
  readonly clock: VirtualClock
}

interface Open {
  move: DueMove | null
  /** What was computed of its jobs, by this lifecycle; it holds until the rules change. */
  known: KnownMoves
  lifecycle: Lifecycle | null
}

/** How long it waits after a store refused to write, in host ms. */
const retryMs = 5_000

/**
 * Moves builds by themselves, as the policy of each says. All that it knows comes from the state, so a restart finds
 * every move again and runs overdue ones first, each at its own due time.
 */
export class LifecycleDriver implements DueSource {
  readonly #sandbox: LifecycleSandbox
  readonly #host: Clock
  readonly #queue = new DueQueue()
  readonly #open = new Map<string, Open>()
  /** Builds as they are, whose next move can never be stored: not planned again until somebody else touches them. */
  readonly #stuck = new WeakSet<BuildRecord>()
  readonly #unsubscribe: readonly (() => void)[]
  #pause: AbortController | undefined
  /** The due time of the move being made: what follows from it happens no earlier. */
  #moving: number | undefined
  #wakeAsked = false

  constructor(sandbox: LifecycleSandbox, host: Clock = backgroundClock) {
    this.#sandbox = sandbox
    this.#host = host
    for (const build of sandbox.store.state.values('builds')) {
      if (mayMove(build)) this.#plan(build, Number.NEGATIVE_INFINITY)
    }
    this.#unsubscribe = [
      sandbox.store.onChange((changed) => this.#heard(changed)),
      sandbox.store.onRefusal((_, changed) => this.#giveUp(changed)),
    ]
    this.#wakeIfDue()
  }

  nextDueAt(): number | null {
    return this.#pause === undefined ? (this.#queue.first()?.at ?? null) : null
  }

  runDue(): readonly Fired[] {
    const due = this.#queue.first()
    const build = due === undefined ? undefined : this.#sandbox.store.state.get('builds', due.id)
    const open = due === undefined ? undefined : this.#open.get(due.id)
    if (due === undefined || build === undefined || !open?.move) return []
    const { move } = open
    this.#queue.set(due.id, null)
    open.move = null
    return this.#make(move, build, due.at)
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#pause?.abort()
  }

  #make(move: DueMove, build: BuildRecord, at: number): readonly Fired[] {
    const before = new Map<string, BuildRecord | undefined>()
    const { store } = this.#sandbox
    this.#moving = at
    const committed = store.update((tx) => {
      const turn = turnOf(tx, this.#sandbox, at)
      const put = (next: BuildRecord): void => {
        if (!before.has(next.id)) before.set(next.id, turn.build(next.id))
        turn.put(next)
      }
      perform({ ...turn, put }, build, move)
    })
    this.#moving = undefined
    committed.catch((error: unknown) => {
      if (!isRefusal(error)) this.#holdOff()
    })
    return [...before].flatMap(([id, old]) => firedBy(at, old, store.state.get('builds', id)))
  }

  #giveUp(refused: readonly Change[]): void {
    for (const { collection, id } of refused) {
      const build = collection === 'builds' ? this.#sandbox.store.state.get('builds', id) : undefined
      if (build !== undefined) this.#stuck.add(build)
    }
  }

  /** The store is read-only or gone: nothing moves until it writes again. */
  #holdOff(): void {
    if (this.#pause !== undefined) return
    this.#pause = new AbortController()
    this.#host.sleep(retryMs, this.#pause.signal).then(
      () => {
        this.#pause = undefined
        this.#replan(Number.NEGATIVE_INFINITY)
      },
      () => undefined,
    )
  }

  #heard(changed: readonly { readonly collection: string; readonly id: string }[]): void {
    const floor = this.#moving ?? this.#sandbox.clock.now()
    let rules = false
    for (const { collection, id } of changed) {
      if (collection === 'pipelines' || collection === 'queues' || id === 'lifecycle' || id === 'settings') rules = true
      if (collection !== 'builds') continue
      const build = this.#sandbox.store.state.get('builds', id)
      if (build !== undefined && mayMove(build)) this.#plan(build, floor)
      else this.#forget(id)
    }
    if (rules) this.#replan(floor)
    this.#sandbox.clock.reschedule()
    this.#wakeIfDue()
  }

  #replan(floor: number): void {
    for (const [id, open] of this.#open) {
      const build = this.#sandbox.store.state.get('builds', id)
      open.known = new WeakMap()
      if (build === undefined) this.#forget(id)
      else this.#plan(build, floor)
    }
    this.#sandbox.clock.reschedule()
    this.#wakeIfDue()
  }

  /** A move planned before keeps its time; a new one is due no earlier than what made it possible. */
  #plan(build: BuildRecord, floor: number): void {
    const { lifecycle } = build
    const open = this.#open.get(build.id) ?? { move: null, known: new WeakMap(), lifecycle }
    if (open.lifecycle !== lifecycle) Object.assign(open, { known: new WeakMap(), lifecycle })
    this.#open.set(build.id, open)
    const move = this.#stuck.has(build) ? null : this.#nextMove(build, open.known)
    if (move !== null && open.move !== null && sameMove(move, open.move)) return
    open.move = move
    this.#queue.set(build.id, move === null ? null : Math.max(move.at, floor))
  }

  #forget(id: string): void {
    this.#open.delete(id)
    this.#queue.set(id, null)
  }

  #nextMove(build: BuildRecord, known: KnownMoves): DueMove | null {
    const { store, ids, settings, lifecycle } = this.#sandbox
    const facts: DueFacts = {
      lifecycle: build.lifecycle ?? store.state.get('pipelines', build.pipelineId)?.lifecycle ?? lifecycle,
      jobExpiryMs: settings.jobExpiryMs,
      isPaused: (queueId) => store.state.get('queues', queueId)?.paused === true,
      dice: (jobId) => ids.dice(`duration:${jobId}`, 0),
    }
    return nextMove(build, facts, known)
  }

  #wakeIfDue(): void {
    const due = this.nextDueAt()
    if (this.#wakeAsked || due === null || due > this.#sandbox.clock.now()) return
    this.#wakeAsked = true
    queueMicrotask(() => {
      this.#wakeAsked = false
      this.#sandbox.clock.runOverdue()
    })
  }
}

/** A change that can never be stored, or one that was undone with it: others can be stored all the while. */
const isRefusal = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'unwritable' || isRefusal(error.cause))

const sameMove = (one: DueMove, other: DueMove): boolean =>
  one.at === other.at &&
  one.kind === other.kind &&
  ('jobId' in one ? one.jobId : null) === ('jobId' in other ? other.jobId : null) &&
  ('event' in one ? one.event.type : null) === ('event' in other ? other.event.type : null)

function firedBy(at: number, before: BuildRecord | undefined, after: BuildRecord | undefined): readonly Fired[] {
  if (after === undefined) return []
  const changed = changedJobs(before?.jobs, after.jobs)
  const known = new Map(changed.flatMap(({ gone }) => gone.map((job) => [job.id, job.state] as const)))
  const jobs = changed.flatMap(({ come }) => come.filter((job) => known.get(job.id) !== job.state))
  const fired = jobs.map(({ id, state }): Fired => ({ at, kind: 'job', id, state }))
  if (before?.state === after.state && before.blocked === after.blocked) return fired
  return [...fired, { at, kind: 'build', id: after.id, state: after.state }]
}
