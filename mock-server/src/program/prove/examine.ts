import { systemClock } from '../../base/clock.js'
import { type Row, rulesOf } from '../../control/prove/faults.js'
import { createExam } from '../../control/prove/seen.js'
import { type Ended, judge, type Recording, type Result } from '../../control/prove/verdict.js'
import { otherOrigin } from '../../present/artifact-link.js'
import type { Rule } from '../../rules/rule.js'
import type { MockServerOptions } from '../../sandbox/options.js'
import { MockServerHost, type ReadyInfo } from '../../server/mock-server.js'

export interface Laboratory {
  /** Made anew for each server. */
  readonly server: () => MockServerOptions
  /** Runs the client once beside a server, to its end or its limit. */
  readonly client: (server: ReadyInfo, limitMs: number) => Promise<Ended>
}

/** Real time passes between polls: a short interval, and a server that is content with it. */
const interval: Rule = {
  id: 'prove:interval',
  match: { operation: 'oauth.deviceAuthorization' },
  actions: [{ patchResponse: { json: { interval: 1 } } }],
}

const pollGraceMs = 4_100
const firstLimitMs = 300_000
const leastLimitMs = 30_000

/** Runs the client beside a fresh server, under one fault or none. */
export async function record(
  lab: Laboratory,
  row: Row | null = null,
  limitMs = firstLimitMs,
): Promise<Recording> {
  const exam = createExam([interval], row?.fault.react)
  const host = new MockServerHost({ pollGraceMs, ...lab.server(), ...row?.fault.settings }, exam)
  try {
    const { url } = await host.listen()
    const ready = await host.ready()
    for (const rule of row === null ? [] : rulesOf(row, otherOrigin(url))) exam.rules.create(rule)
    const startedAt = systemClock.monotonic()
    const ended = await lab.client(ready, limitMs)
    return {
      ...ended,
      seen: await exam.seen(),
      durationMs: Math.round(systemClock.monotonic() - startedAt),
    }
  } finally {
    await host.close()
  }
}

/** Runs the client under a row's fault and judges it by what the server saw. */
export async function examine(lab: Laboratory, row: Row, base: Recording): Promise<Result> {
  const { actions, settings, takesMs = 5_000 } = row.fault
  if (actions === undefined && settings === undefined) return judge(row, base, null)
  const limitMs = Math.max(leastLimitMs, 6 * base.durationMs) + takesMs
  const run = await record(lab, row, limitMs)
  const result = judge(row, base, run)
  // An exit code may be somebody else's doing: a busy machine, a test that is not steady. Twice, it
  // is the fault's.
  return result.verdict === 'harmed' && run.exit !== 'green'
    ? judge(row, base, await record(lab, row, limitMs))
    : result
}
