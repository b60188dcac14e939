import { backgroundClock, type Clock } from '../../base/clock.js'
import { once } from '../../base/once.js'
import type { DueSource, Fired, VirtualClock } from '../../base/virtual-clock.js'
import { changedJobs } from '../../domain/changed-jobs.js'
import {
  type DueFacts,
  type DueMove,
  type KnownMoves,
  mayMove,
  nextMove,
} from '../../domain/due.js'
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

/** A build that may still move. */
interface OpenBuild {
  move: DueMove | null
  /** Moves of its jobs, computed under `lifecycle`; they are valid until the rules change. */
  known: KnownMoves
  lifecycle: Lifecycle | null
}

/** Time between a failed write and the next try, in host ms. */
const retryMs = 5_000

/**
 * Moves builds by the policy of each. It computes the moves from the state alone, so a restart
 * finds every move again and runs overdue moves first, each at its own due time.
 */
export function driveLifecycle(
  sandbox: LifecycleSandbox,
  host: Clock = backgroundClock,
): DueSource & { close(): void } {
  const { store, clock, ids } = sandbox
  const queue = new DueQueue()
  const opened = new Map<string, OpenBuild>()
  /** Builds whose next move cannot be stored. They are planned again after another change. */
  const stuck = new WeakSet<BuildRecord>()
  let pause: AbortController | undefined
  /** The due time of the present move; the moves that it makes possible are due no earlier. */
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

  /** A planned move keeps its time. A new move is due no earlier than `floor`. */
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

  const onChange = (changed: readonly Change[]): void => {
    const floor = moving ?? clock.now()
    let haveRulesChanged = false
    for (const { collection, id } of changed) {
      const isParent = collection === 'pipelines' || collection === 'queues'
      const isSetting = id === 'lifecycle' || id === 'settings'
      if (isParent || isSetting) haveRulesChanged = true
      if (collection !== 'builds') continue
      const build = store.state.get('builds', id)
      if (build !== undefined && mayMove(build)) plan(build, floor)
      else forget(id)
    }
    if (haveRulesChanged) replan(floor)
    settle()
  }

  const markStuck = (refused: readonly Change[]): void => {
    for (const { collection, id } of refused) {
      const build = collection === 'builds' ? store.state.get('builds', id) : undefined
      if (build !== undefined) stuck.add(build)
    }
  }

  /** Makes no moves for a while, because the store cannot write at present. */
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
  const unsubscribe = [
    store.onChange(onChange),
    store.onRefusal((_, refused) => markStuck(refused)),
  ]
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

/** Whether the store refused this change alone, or undid it with one; it still stores others. */
function isRefusal(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'unwritable' || isRefusal(error.cause))
}

function sameMove(one: DueMove, other: DueMove): boolean {
  if (one.at !== other.at || one.kind !== other.kind) return false
  return jobIdOf(one) === jobIdOf(other) && eventTypeOf(one) === eventTypeOf(other)
}

function jobIdOf(move: DueMove): string | null {
  return 'jobId' in move ? move.jobId : null
}

function eventTypeOf(move: DueMove): string | null {
  return 'event' in move ? move.event.type : null
}

function firedBy(
  at: number,
  before: BuildRecord | undefined,
  after: BuildRecord | undefined,
): readonly Fired[] {
  if (after === undefined) return []
  const changed = changedJobs(before?.jobs, after.jobs)
  const oldStates = new Map(
    changed.flatMap(({ gone }) => gone.map((job) => [job.id, job.state] as const)),
  )
  const jobs = changed.flatMap(({ come }) =>
    come.filter((job) => oldStates.get(job.id) !== job.state),
  )
  const fired = jobs.map(({ id, state }): Fired => ({ at, kind: 'job', id, state }))
  if (before?.state === after.state && before.blocked === after.blocked) return fired
  return [...fired, { at, kind: 'build', id: after.id, state: after.state }]
}
