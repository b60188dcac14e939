const SHORT_MS = 2000
const LONG_MS = 10_000
const HUGE_MS = 30_000
const HUGE_BYTES = 5 * 1024 * 1024
const LINE_FEED = 0x0a

/** How much of a growing log is known. */
export interface Growth {
  /** Bytes that were handed out: whole lines. */
  readonly known: number
  /** Bytes of the last answer. */
  readonly size: number
  readonly delayMs: number
}

/** What an answer brought. */
export interface Grown {
  readonly growth: Growth
  /** New whole lines. */
  readonly fresh: Uint8Array
  /** The text is shorter than what was known: it starts anew. */
  readonly restarted: boolean
  readonly grew: boolean
}

/** A log of which nothing is known. */
export const noGrowth: Growth = { known: 0, size: 0, delayMs: SHORT_MS }

/** Takes what is new of a log: whole lines only, so that no escape and no character is split. */
export function grow(before: Growth, bytes: Uint8Array): Grown {
  const restarted = bytes.length < before.known
  const from = restarted ? 0 : before.known
  const end = bytes.lastIndexOf(LINE_FEED) + 1
  const known = Math.max(from, end)
  const grew = bytes.length !== before.size
  const calm = Math.min(LONG_MS, Math.round(before.delayMs * 1.5))
  const delayMs = bytes.length > HUGE_BYTES ? HUGE_MS : grew ? SHORT_MS : calm
  return { growth: { known, size: bytes.length, delayMs }, fresh: bytes.subarray(from, known), restarted, grew }
}

/** The unfinished last line. */
export function rest(growth: Growth, bytes: Uint8Array): Uint8Array {
  return bytes.subarray(Math.min(growth.known, bytes.length))
}
