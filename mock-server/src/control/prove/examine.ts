import { systemClock } from '../../base/clock.js'
import { otherOrigin } from '../../present/artifact-link.js'
import type { Examiner } from '../../request/overlay.js'
import type { Rule } from '../../rules/rule.js'
import type { Settings } from '../../seed/settings.js'
import { createExam } from './exam.js'
import type { Making } from './fault.js'
import { keyOf, type SeenRequest } from './requests.js'
import { examOf, type Row, rulesOf } from './rows.js'
import { besideControl, type Ended, judge, type Recording, type Result } from './verdict.js'

/** A server of one run. */
export interface RunServer {
  readonly url: string
  /** Runs the client beside the server, to its end or its limit. */
  readonly run: (limitMs: number) => Promise<Ended>
  readonly close: () => Promise<void>
}

/** What starts a server and runs the client: a process for the program, a function for vitest. */
export interface Laboratory {
  readonly start: (examiner: Examiner, settings: Partial<Settings>) => Promise<RunServer>
  /** How long the run without a fault may take, ms. */
  readonly firstLimitMs: number
}

/** Real time passes between polls: the server asks for a short interval and is content with it. */
const interval: Rule = {
  id: 'prove:interval',
  match: { operation: 'oauth.deviceAuthorization' },
  actions: [{ patchResponse: { json: { interval: 1 } } }],
}

const leastLimitMs = 30_000
const usualExtraMs = 5_000

async function record(
  lab: Laboratory,
  limitMs: number,
  row: Row | null,
  everything: readonly SeenRequest[],
): Promise<Recording> {
  const exam = row === null ? createExam() : examOf(row)
  const settings = row?.fault.made.by === 'setting' ? row.fault.made.settings : {}
  const server = await lab.start(exam, settings)
  try {
    exam.rules.create(interval)
    const rules =
      row === null ? [] : rulesOf(row, everything, otherOrigin(server.url), systemClock.now())
    for (const rule of rules) exam.rules.create(rule)
    const startedAt = systemClock.monotonic()
    const ended = await server.run(limitMs)
    const durationMs = Math.round(systemClock.monotonic() - startedAt)
    const printsToken = exam.showsToken(ended.output ?? '')
    return Object.assign(ended, { seen: await exam.seen(), durationMs, printsToken })
  } finally {
    await server.close()
  }
}

/** Runs the client beside a fresh server without a fault. */
export function recordPlain(lab: Laboratory): Promise<Recording> {
  return record(lab, lab.firstLimitMs, null, [])
}

/** Runs the client under the fault of a row and judges it by what the server saw. */
export async function examine(lab: Laboratory, row: Row, base: Recording): Promise<Result> {
  const { takesMs = usualExtraMs } = row.fault
  const limitMs = Math.max(leastLimitMs, 6 * base.durationMs) + takesMs
  const control = row.fault.control
  if (control !== undefined) return controlled(lab, row, base, limitMs, control)
  const attempt = async () => judge(row, base, await record(lab, limitMs, row, base.seen))
  const result = await attempt()
  // An exit code may come from a busy machine or a test that is not steady: twice, it is the
  // fault's. What the log shows needs no second run.
  const isDoubtful = result.byExit || result.verdict === 'not used'
  return isDoubtful ? attempt() : result
}

async function controlled(
  lab: Laboratory,
  row: Row,
  base: Recording,
  limitMs: number,
  control: Making,
): Promise<Result> {
  const run = await record(lab, limitMs, row, base.seen)
  const result = judge(row, base, run)
  if (result.verdict === 'not used') return result
  const known: Row = Object.assign({}, row, {
    fault: Object.assign({}, row.fault, { made: control }),
  })
  const knownRun = await record(lab, limitMs, known, base.seen)
  const { struck, use } = row
  const readsOf = (requests: readonly SeenRequest[]) =>
    requests.filter((one) => keyOf(one) === keyOf(struck)).length
  // A client that reads the record again after the odd answer decides by a later one.
  const isReadOnce = readsOf(use.requests) === 1 && readsOf(run.seen) === 1
  const isSingle = isReadOnce && struck.records.length === 1
  return besideControl(result, judge(known, base, knownRun), isSingle)
}
