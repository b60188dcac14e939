import type { Exit, FaultTrial, Finding, Judge, Trial } from './judge.js'
import { isAfter } from './judge.js'
import {
  findLeaked,
  findMintedPerCall,
  findPrintedToken,
  findRefusedAgain,
  findRefusedKey,
  findSpentAssertion,
  findSpentRefreshToken,
} from './judges/credentials.js'
import { findLeftUnderWay } from './judges/life.js'
import { findBusyReads, findUnusedScopes } from './judges/notes.js'
import {
  findCircles,
  findCountedPages,
  findFirstPageOnly,
  findShiftedPages,
} from './judges/pages.js'
import { findEarly, findEarlyPoll, findPolledOn, findTooManyAttempts } from './judges/patience.js'
import { findDoubled, findDropped } from './judges/work.js'
import { answerOf, grantTypes, type SeenRequest } from './requests.js'
import type { Row } from './rows.js'

export interface Ended {
  readonly exit: Exit
  readonly how: string
  /** What the client printed; null where that is not known. */
  readonly output: string | null
}

/** One run of a client, and what the server saw. */
export interface Recording extends Ended {
  readonly seen: readonly SeenRequest[]
  readonly durationMs: number
  /** A token of the client is in its output. */
  readonly printsToken?: boolean
}

/** Judges that read every run, the one without a fault included. */
const always: readonly Judge[] = [
  findPrintedToken,
  findLeaked,
  findEarly,
  findEarlyPoll,
  findPolledOn,
  findRefusedAgain,
  findSpentRefreshToken,
  findSpentAssertion,
  findRefusedKey,
  findTooManyAttempts,
]

/** Judges that compare a run with the one without a fault. */
const compared: readonly Judge[] = [findDoubled, findDropped]

const plain: readonly Judge[] = [
  findMintedPerCall,
  findFirstPageOnly,
  findCountedPages,
  findShiftedPages,
  findCircles,
  findLeftUnderWay,
  findBusyReads,
  findUnusedScopes,
]

function evidenceOf(seen: SeenRequest, first: SeenRequest) {
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

export type Evidence = ReturnType<typeof evidenceOf>

function shown({ sentence, evidence }: Finding) {
  const [first] = evidence
  const some = evidence.slice(0, 3).map((one) => evidenceOf(one, first ?? one))
  return { sentence, evidence: some }
}

export type ShownFinding = ReturnType<typeof shown>

interface Facts {
  readonly id: string
  readonly fault: string
  readonly target: string | null
  readonly title: string
  readonly cure: string | null
}

export interface Result extends Facts {
  readonly verdict: 'survived' | 'harmed' | 'not used'
  /** What the client did wrong; of a row that was not used, why. */
  readonly reason: string | null
  readonly evidence: readonly Evidence[]
  /** Findings that are no harm. */
  readonly notes: readonly ShownFinding[]
  /** How the command ended; null where the run without a fault is judged. */
  readonly exit: string | null
  /** Whether the command did all the same what it does without a fault. */
  readonly passed: boolean
  readonly output: string | null
  readonly durationMs: number | null
  /** The exit code alone shows the harm: a second run has to confirm it. */
  readonly byExit: boolean
}

const keptOutput = 4_000

function resultOf(facts: Facts, run: Recording, findings: readonly Finding[]): Result {
  const found = findings.find(({ isNote }) => isNote !== true)
  const notes = findings.filter(({ isNote }) => isNote === true).map(shown)
  return Object.assign({}, facts, {
    verdict: found === undefined ? ('survived' as const) : ('harmed' as const),
    reason: found?.sentence ?? null,
    evidence: found === undefined ? [] : shown(found).evidence,
    notes,
    exit: run.how,
    passed: run.exit === 'green',
    output: found && run.output !== null ? run.output.slice(-keptOutput) : null,
    durationMs: run.durationMs,
    byExit: found?.byExit === true,
  })
}

function findingsOf<T extends Trial>(judges: readonly Judge<T>[], trial: T): readonly Finding[] {
  return judges.flatMap((find) => find(trial) ?? [])
}

export const plainId = 'plain'

/** Judges the run without a fault by itself. */
export function judgePlain(base: Recording): Result {
  const facts: Facts = {
    id: plainId,
    fault: plainId,
    target: null,
    title: 'the run without a fault',
    cure: null,
  }
  return resultOf(facts, base, findingsOf([...always, ...plain], trialOf(base, base)))
}

function trialOf(run: Recording, base: Recording): Trial {
  const { exit, output, seen, printsToken = false } = run
  return { exit, output, printsToken, seen, base }
}

/** Judges a run under the fault of a row. */
export function judge(row: Row, base: Recording, run: Recording): Result {
  const { id, fault, use } = row
  const { title, cure } = fault
  const facts: Facts = { id, fault: fault.id, target: use.target, title, cure }
  const struck = run.seen.find(({ isFault, target }) =>
    fault.made.by === 'setting' ? target === use.target : isFault,
  )
  if (struck === undefined) {
    const verdict = 'not used' as const
    const how = run.exit === 'green' ? '' : `, and the command failed: ${run.how}`
    const reason = `this time the client did not come there${how}`
    return Object.assign(resultOf(facts, run, []), { verdict, reason })
  }
  const after = run.seen.filter((request) => isAfter(request, struck))
  const trial: FaultTrial = Object.assign(trialOf(run, base), {
    use,
    aim: row.struck,
    struck,
    after,
  })
  const findings = [
    ...newFindings(always, trial),
    ...findingsOf(fault.isLife === true ? [] : compared, trial),
    ...(run.exit === 'hung' ? [endless(run.how, struck, after)] : []),
    ...findingsOf(fault.judges ?? [], trial),
  ]
  return resultOf(facts, run, findings)
}

/** What the client does without a fault as well is told once, of that run. */
function newFindings(judges: readonly Judge[], trial: Trial): readonly Finding[] {
  const { base } = trial
  const usual: Trial = { exit: 'green', output: null, printsToken: false, seen: base.seen, base }
  return judges.flatMap((find) => (find(usual) === undefined ? (find(trial) ?? []) : []))
}

function endless(how: string, struck: SeenRequest, after: readonly SeenRequest[]): Finding {
  const sentence = `The command did not come to its end: ${how}.`
  return { sentence, evidence: [struck, ...after.slice(0, 1)], byExit: true }
}

export function lineOf(evidence: Evidence): string {
  const { afterMs, method, path, query, grant, status, error, fault } = evidence
  const address = `${method} ${path}${query === '' ? '' : `?${query}`}`
  const what = grant === null ? address : `${address} (${grant})`
  const answer = `${status ?? 'no answer'}${error === null ? '' : ` ${error}`}`
  return `+${(afterMs / 1000).toFixed(3)} s  ${what}  ${answer}${fault ? '  ← the fault' : ''}`
}

/** Judges a fault beside its control; `isSingle`: the client reads one record, once. */
export function besideControl(result: Result, control: Result, isSingle: boolean): Result {
  const { verdict, passed, byExit } = result
  if (verdict === 'harmed' && byExit && !control.passed)
    return Object.assign({}, result, { verdict: 'survived', reason: null, evidence: [] })
  if (verdict !== 'survived' || !passed || control.passed || !isSingle) return result
  const reason =
    'The command fails for a build that failed, and passed for one in a state that it does not know.'
  return Object.assign({}, result, { verdict: 'harmed', reason })
}

/** A harm as text, for a test that fails. */
export function storyOf({ id, title, reason, evidence, cure }: Result): string {
  const lines = [`${id}: ${title}`, reason, ...evidence.map(lineOf)]
  return [...lines, ...(cure === null ? [] : [`Cure: ${cure}`])].join('\n')
}
