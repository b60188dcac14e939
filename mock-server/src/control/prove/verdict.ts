import { faultRuleId, isGrant, type Seen } from './exam.js'
import type { Row } from './fault.js'
import { type Exit, told } from './judges.js'

/** How a client ended. */
export interface Ended {
  readonly exit: Exit
  /** `exit code 1`, `no end within 20 s`. */
  readonly how: string
  /** The end of what it printed. */
  readonly output: string
}

/** One run of a client, and what the server saw. */
export interface Recording extends Ended {
  readonly seen: readonly Seen[]
  readonly durationMs: number
}

export type Verdict = 'survived' | 'harmed' | 'not used'

/** What became of one row. */
export interface Result {
  readonly row: Row
  readonly verdict: Verdict
  /** What the client did wrong; of a row that was not used, why. */
  readonly reason: string | null
  readonly evidence: readonly Seen[]
  readonly run: Recording | null
}

/** Requests, as a report shows them. */
export const evidenceOf = (all: readonly Seen[]) =>
  all.map((seen) => {
    const { at, method, path, query, status, ruleId, request } = seen.entry
    return {
      at,
      afterMs: Math.round(seen.startedAt - (all[0] ?? seen).startedAt),
      method,
      host: request.headers['host'] ?? null,
      path,
      query,
      grant: seen.target !== null && isGrant(seen.target) ? seen.target : null,
      status,
      error: told(seen).error ?? null,
      fault: ruleId === faultRuleId,
    }
  })
export type Evidence = ReturnType<typeof evidenceOf>[number]

/** `run` is null where the fault-free run itself is judged. */
export function judge(row: Row, base: Recording, run: Recording | null): Result {
  const { fault, use } = row
  const { seen, exit, how } = run ?? base
  const struck = seen.find((one) => (fault.times === 0 ? one.target === use.target : one.entry.ruleId === faultRuleId))
  if (struck === undefined) {
    return { row, verdict: 'not used', reason: 'this time the client did not come there', evidence: [], run }
  }
  const after = seen.slice(seen.indexOf(struck) + 1)
  const found =
    exit === 'hung'
      ? { harm: `The command did not come to its end: ${how}.`, evidence: [struck, ...after.slice(0, 1)] }
      : fault.judge({ use, base: base.seen, seen, struck, after, exit })
  if (found === undefined) return { row, verdict: 'survived', reason: null, evidence: [], run }
  return { row, verdict: 'harmed', reason: found.harm, evidence: found.evidence.slice(0, 3), run }
}

/** A request in a line. */
export const lineOf = ({ afterMs, method, path, query, grant, status, error, fault }: Evidence): string => {
  const answer = [status ?? 'no answer', error ?? ''].join(' ').trim()
  const what = `${method} ${path}${query === '' ? '' : `?${query}`}${grant === null ? '' : ` (${grant})`}`
  return `+${(afterMs / 1000).toFixed(3)} s  ${what}  ${answer}${fault ? '  ← the fault' : ''}`
}

/** What happened to a row, in plain lines. */
export const telling = ({ row, reason, evidence }: Result): string =>
  [`${row.id}: ${row.fault.title}`, reason, ...evidenceOf(evidence).map(lineOf), `Cure: ${row.fault.cure}`].join('\n')
