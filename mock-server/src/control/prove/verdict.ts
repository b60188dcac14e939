import type { Row } from './faults.js'
import { answerOf, type Exit, type Harm } from './judges.js'
import { grantTypes, type Seen } from './seen.js'

export interface Ended {
  readonly exit: Exit
  readonly how: string
  readonly output: string
}

/** One run of a client, and what the server saw. */
export interface Recording extends Ended {
  readonly seen: readonly Seen[]
  readonly durationMs: number
}

type Evidence = ReturnType<typeof evidenceOf>

function evidenceOf(seen: Seen, first: Seen) {
  return {
    at: seen.at,
    afterMs: Math.round(seen.startedAt - first.startedAt),
    method: seen.method,
    host: seen.request.headers['host'] ?? null,
    path: seen.path,
    query: seen.query,
    grant: Object.hasOwn(grantTypes, seen.target ?? '') ? seen.target : null,
    status: seen.status,
    error: answerOf(seen).error ?? null,
    fault: seen.isFault,
  }
}

export type Result = ReturnType<typeof judge>

/** Judges a row by one run under its fault; null where the fault-free run itself is judged. */
export function judge({ id, fault, use }: Row, base: Recording, run: Recording | null) {
  const { seen, exit, how } = run ?? base
  const struck = seen.find(({ isFault, target }) =>
    fault.actions === undefined ? target === use.target : isFault,
  )
  const after = struck === undefined ? [] : seen.slice(seen.indexOf(struck) + 1)
  const findHarm = (): Harm | undefined => {
    if (struck === undefined) return ['this time the client did not come there']
    if (exit === 'hung')
      return [`The command did not come to its end: ${how}.`, struck, ...after.slice(0, 1)]
    const trial = { use, base: base.seen, seen, struck, after, exit }
    return fault.judges.map((find) => find(trial)).find((harm) => harm !== undefined)
  }
  const [reason, ...shown] = findHarm() ?? [null]
  const outcome = reason === null ? 'survived' : 'harmed'
  const verdict = struck === undefined ? 'not used' : outcome
  return {
    id,
    fault: fault.id,
    target: use.target,
    title: fault.title,
    verdict: verdict as 'survived' | 'harmed' | 'not used',
    /** What the client did wrong; of a row that was not used, why. */
    reason,
    cure: fault.cure,
    evidence: shown.slice(0, 3).map((one) => evidenceOf(one, shown[0] ?? one)),
    exit: run?.how ?? null,
    output: verdict === 'harmed' && run && exit !== 'green' ? run.output.slice(-2_000) : null,
    durationMs: run?.durationMs ?? null,
  }
}

export function lineOf({
  afterMs,
  method,
  path,
  query,
  grant,
  status,
  error,
  fault,
}: Evidence): string {
  const search = query === '' ? '' : `?${query}`
  const grantNote = grant === null ? '' : ` (${grant})`
  const errorNote = error === null ? '' : ` ${error}`
  const faultNote = fault ? '  ← the fault' : ''

  const request = `${method} ${path}${search}${grantNote}`
  const answer = `${status ?? 'no answer'}${errorNote}`
  return `+${(afterMs / 1000).toFixed(3)} s  ${request}  ${answer}${faultNote}`
}

export function telling({ id, title, reason, evidence, cure }: Result): string {
  return [`${id}: ${title}`, reason, ...evidence.map(lineOf), `Cure: ${cure}`].join('\n')
}
