import { backgroundClock, type Clock } from '../../base/clock.js'
import { once } from '../../base/once.js'
import type { DueSource, Fired, VirtualClock } from '../../base/virtual-clock.js'
import {
  type DueFacts,
  type DueMove,
  type KnownMoves,
  mayMove,
  nextMove,
} from '../../domain/due.js'
import { changedJobs } from '../../domain/job-list.js'
import { DueQueue } from '../../domain/order.js'
import { perform } from '../../domain/perform.js'
import type { BuildRecord, Lifecycle } from '../../records/records.js'
import type { SandboxContext } from '../../request/exchange.js'
import { StoreError } from '../../store/errors.js'
import type { Change } from '../../store/store.js'
import { turnOf } from '../../store/turn.js'

type LifecycleSandbox = Pick<SandboxContext, 'store' | 'ids' | 'settings' | 'lifecycle'> & {
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
 * Moves builds by themselves, as the policy of each says. All that it knows comes from the state,
 * so a restart finds every move again and runs overdue ones first, each at its own due time.
 */
export function driveLifecycle(
  sandbox: LifecycleSandbox,
  host: Clock = backgroundClock,
): DueSource & { close(): void } {
  const { store, clock, ids } = sandbox
  const queue = new DueQueue()
  const opened = new Map<string, Open>()
  /**
   * Builds as they are, whose next move can never be stored: not planned again until somebody else
   * touches them.
   */
  const stuck = new WeakSet<BuildRecord>()
  let pause: AbortController | undefined
  /** The due time of the move being made: what follows from it happens no earlier. */
  let moving: number | undefined
  let wakeAsked = false

  const nextDueAt = (): number | null => (pause === undefined ? (queue.first()?.at ?? null) : null)

  const wakeIfDue = (): void => {
    const due = nextDueAt()
    if (wakeAsked || due === null || due > clock.now()) return
    wakeAsked = true
    queueMicrotask(() => {
      wakeAsked = false
      clock.runOverdue()
    })
  }

  const settle = (): void => {
    clock.reschedule()
    wakeIfDue()
  }

  const factsOf = ({ lifecycle, pipelineId }: BuildRecord): DueFacts => ({
    lifecycle:
      lifecycle ?? store.state.get('pipelines', pipelineId)?.lifecycle ?? sandbox.lifecycle,
    jobExpiryMs: sandbox.settings.jobExpiryMs,
    isPaused: (queueId) => store.state.get('queues', queueId)?.paused === true,
    dice: (jobId) => ids.dice(`duration:${jobId}`, 0),
  })

  /**
   * A move planned before keeps its time; a new one is due no earlier than what made it possible.
   */
  const plan = (build: BuildRecord, floor: number): void => {
    const { lifecycle } = build
    const open = once(opened, build.id, () => ({ move: null, known: new WeakMap(), lifecycle }))
    if (open.lifecycle !== lifecycle) Object.assign(open, { known: new WeakMap(), lifecycle })
    const move = stuck.has(build) ? null : nextMove(build, factsOf(build), open.known)
    if (move !== null && open.move !== null && sameMove(move, open.move)) return
    open.move = move
    queue.set(build.id, move === null ? null : Math.max(move.at, floor))
  }

  const forget = (id: string): void => {
    opened.delete(id)
    queue.set(id, null)
  }

  const replan = (floor: number): void => {
    for (const [id, open] of opened) {
      const build = store.state.get('builds', id)
      open.known = new WeakMap()
      if (build === undefined) forget(id)
      else plan(build, floor)
    }
  }

  const heard = (changed: readonly Change[]): void => {
    const floor = moving ?? clock.now()
    let rules = false
    for (const { collection, id } of changed) {
      if (
        collection === 'pipelines' ||
        collection === 'queues' ||
        id === 'lifecycle' ||
        id === 'settings'
      )
        rules = true
      if (collection !== 'builds') continue
      const build = store.state.get('builds', id)
      if (build !== undefined && mayMove(build)) plan(build, floor)
      else forget(id)
    }
    if (rules) replan(floor)
    settle()
  }

  const giveUp = (refused: readonly Change[]): void => {
    for (const { collection, id } of refused) {
      const build = collection === 'builds' ? store.state.get('builds', id) : undefined
      if (build !== undefined) stuck.add(build)
    }
  }

  /** The store is read-only or gone: nothing moves until it writes again. */
  const holdOff = (): void => {
    if (pause !== undefined) return
    pause = new AbortController()
    const resume = () => {
      pause = undefined
      replan(Number.NEGATIVE_INFINITY)
      settle()
    }
    host.sleep(retryMs, pause.signal).then(resume, () => undefined)
  }

  const make = (move: DueMove, build: BuildRecord, at: number): readonly Fired[] => {
    const before = new Map<string, BuildRecord | undefined>()
    moving = at
    const committed = store.update((tx) => {
      const turn = turnOf(tx, sandbox, at)
      const put = (next: BuildRecord): void => {
        if (!before.has(next.id)) before.set(next.id, turn.build(next.id))
        turn.put(next)
      }
      perform({ ...turn, put }, build, move)
    })
    moving = undefined
    committed.catch((error: unknown) => {
      if (!isRefusal(error)) holdOff()
    })
    return [...before].flatMap(([id, old]) => firedBy(at, old, store.state.get('builds', id)))
  }

  for (const build of store.state.values('builds'))
    if (mayMove(build)) plan(build, Number.NEGATIVE_INFINITY)
  const unsubscribe = [store.onChange(heard), store.onRefusal((_, changed) => giveUp(changed))]
  wakeIfDue()
  return {
    nextDueAt,
    runDue() {
      const due = queue.first()
      const build = due && store.state.get('builds', due.id)
      const open = due && opened.get(due.id)
      if (due === undefined || build === undefined || !open?.move) return []
      const { move } = open
      queue.set(due.id, null)
      open.move = null
      return make(move, build, due.at)
    },
    close() {
      for (const stop of unsubscribe) stop()
      pause?.abort()
    },
  }
}

/**
 * A change that can never be stored, or one that was undone with it: others can be stored all the
 * while.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'unwritable' || isRefusal(error.cause))
}

function sameMove(one: DueMove, other: DueMove): boolean {
  return (
    one.at === other.at &&
    one.kind === other.kind &&
    ('jobId' in one ? one.jobId : null) === ('jobId' in other ? other.jobId : null) &&
    ('event' in one ? one.event.type : null) === ('event' in other ? other.event.type : null)
  )
}

function firedBy(
  at: number,
  before: BuildRecord | undefined,
  after: BuildRecord | undefined,
): readonly Fired[] {
  if (after === undefined) return []
  const changed = changedJobs(before?.jobs, after.jobs)
  const known = new Map(
    changed.flatMap(({ gone }) => gone.map((job) => [job.id, job.state] as const)),
  )
  const jobs = changed.flatMap(({ come }) => come.filter((job) => known.get(job.id) !== job.state))
  const fired = jobs.map(({ id, state }): Fired => ({ at, kind: 'job', id, state }))
  if (before?.state === after.state && before.blocked === after.blocked) return fired
  return [...fired, { at, kind: 'build', id: after.id, state: after.state }]
}
