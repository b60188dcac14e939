import { keyOf, type SeenRequest } from './requests.js'
import type { Use } from './uses.js'

export type Exit = 'green' | 'red' | 'hung'

/** A run of the client under a fault or without one, and the run without a fault beside it. */
export interface Trial {
  readonly exit: Exit
  /** What the client printed; null where that is not known. */
  readonly output: string | null
  /** A token of the client is in its output. */
  readonly printsToken: boolean
  readonly seen: readonly SeenRequest[]
  readonly base: { readonly seen: readonly SeenRequest[]; readonly output: string | null }
}

/** A trial in which a request met the fault of a row. */
export interface FaultTrial extends Trial {
  readonly use: Use
  /** The request of the run without a fault whose like is struck. */
  readonly aim: SeenRequest
  readonly struck: SeenRequest
  /** The requests that came after the client had the response of the struck one. */
  readonly after: readonly SeenRequest[]
}

/** What the client did wrong, and the requests that show it. */
export interface Finding {
  readonly sentence: string
  readonly evidence: readonly SeenRequest[]
  /** A note is no harm: the client may have handled it where the server does not see it. */
  readonly isNote?: boolean
  /** The exit code alone shows it, so that a busy machine may be the cause. */
  readonly byExit?: boolean
}

export type Judge<T extends Trial = Trial> = (trial: T) => Finding | undefined

export function harm(sentence: string, ...evidence: readonly SeenRequest[]): Finding {
  return { sentence, evidence }
}

export function note(sentence: string, ...evidence: readonly SeenRequest[]): Finding {
  return { sentence, evidence, isNote: true }
}

/** A client sleeps by its own clock, and timers may fire a little early. */
export const slackMs = 100

export function longest(lists: Iterable<readonly SeenRequest[]>): readonly SeenRequest[] {
  return [...lists].reduce((best, list) => (list.length > best.length ? list : best), [])
}

/** Whether a request was sent after the client had the other's response. */
export function isAfter(request: SeenRequest, other: SeenRequest): boolean {
  return request.startedAt >= other.answeredAt && request !== other
}

/**
 * Whether several parts of the client ask for the same: at one time, or in turns. Requests that
 * leave at one time may arrive one after the other.
 */
export function hasLanes(requests: readonly SeenRequest[]): boolean {
  const following = requests.slice(1)
  const overlaps = following.some((one, index) => !isAfter(one, requests[index] ?? one))
  const gaps = following
    .map((one, index) => one.startedAt - (requests[index] ?? one).startedAt)
    .toSorted((a, b) => a - b)
  const [shortest = 0] = gaps
  const longest = gaps.at(-1) ?? 0
  const middle = gaps[gaps.length >> 1] ?? 0
  const areBursts = shortest <= slackMs && longest >= 4 * slackMs
  return overlaps || areBursts || (gaps.length > 3 && shortest < middle / 2)
}

export function isSame(one: SeenRequest, other: SeenRequest): boolean {
  return keyOf(one) === keyOf(other)
}

/** A response that the client cannot have used. */
export function isBad({ isSpoilt, status, outcome }: SeenRequest): boolean {
  const isRefused = status !== null && (status === 401 || status === 429 || status >= 500)
  return isSpoilt || isRefused || outcome === 'faulted'
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
}
