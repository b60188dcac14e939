/** How waits grow from one failure to the next, in milliseconds. */
export interface BackoffRule {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * The wait before repetition number `retry`, from 0: doubled up to the longest; with `random` from
 * zero to that (full jitter).
 */
export function backoff(
  { firstMs, longestMs }: BackoffRule,
  retry: number,
  random: () => number = () => 1,
): number {
  return random() * Math.min(longestMs, firstMs * 2 ** Math.min(retry, 50))
}
