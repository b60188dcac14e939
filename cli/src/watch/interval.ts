import { isLoopback } from '../config/server-url.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

const MIN_INTERVAL_MS = 2000
const MIN_LOOPBACK_INTERVAL_MS = 100

/** The interval a person fixed: from 2 s, or 100 ms for a server on this machine. */
export function checkInterval(ms: number | undefined, baseUrl: string): number | undefined {
  if (ms === undefined) return undefined
  const min = isLoopback(baseUrl) ? MIN_LOOPBACK_INTERVAL_MS : MIN_INTERVAL_MS
  if (ms < min) throw usageError(say`--interval must be at least ${min / 1000}s here`)
  return ms
}
