import { systemClock } from '../../base/clock.js'
import { Exam } from '../../control/prove/exam.js'
import { type Row, rulesOf } from '../../control/prove/fault.js'
import { type Ended, judge, type Recording, type Result } from '../../control/prove/verdict.js'
import { otherOrigin } from '../../present/artifact-link.js'
import type { Rule } from '../../rules/rule.js'
import type { MockServerOptions } from '../../sandbox/options.js'
import { MockServerHost } from '../../server/mock-server.js'
import type { ReadyInfo } from '../../server/ready-info.js'

/** Runs the client once beside a server, to its end or its limit. */
export type Client = (server: ReadyInfo, limitMs: number) => Promise<Ended>

export interface Laboratory {
  /** Made anew for each server. */
  readonly server: () => MockServerOptions
  readonly client: Client
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
async function record({ server, client }: Laboratory, row: Row | null, limitMs: number): Promise<Recording> {
  const exam = new Exam(row?.fault.react)
  const host = new MockServerHost({ pollGraceMs, ...server(), ...row?.fault.settings }, exam)
  try {
    const { url } = await host.listen()
    const ready = await host.ready()
    for (const rule of [interval, ...(row === null ? [] : rulesOf(row, otherOrigin(url)))]) exam.rules.create(rule)
    const startedAt = systemClock.monotonic()
    const ended = await client(ready, limitMs)
    return { ...ended, seen: await exam.seen(), durationMs: Math.round(systemClock.monotonic() - startedAt) }
  } finally {
    await host.close()
  }
}

/** The fault-free run. */
export const recordBase = (laboratory: Laboratory): Promise<Recording> => record(laboratory, null, firstLimitMs)

const limitOf = ({ fault }: Row, base: Recording): number => Math.max(leastLimitMs, 6 * base.durationMs) + fault.takesMs

/** Runs the client under a row's fault and judges it by what the server saw. */
export async function examine(laboratory: Laboratory, row: Row, base: Recording): Promise<Result> {
  if (row.fault.times === 0 && row.fault.settings === undefined) return judge(row, base, null)
  const limitMs = limitOf(row, base)
  const result = judge(row, base, await record(laboratory, row, limitMs))
  // An exit code may be somebody else's doing: a busy machine, a test that is not steady. Twice, it is the fault's.
  if (result.verdict !== 'harmed' || result.run?.exit === 'green') return result
  return judge(row, base, await record(laboratory, row, limitMs))
}
