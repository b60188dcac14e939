import { once } from '../base/once.js'
import { optional, required } from '../fields/composites.js'
import { flag, text } from '../fields/scalars.js'
import { otherOrigin } from '../present/artifact-link.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { type Calls, ControlError, invalidAt } from './host.js'
import type { Exam } from './prove/exam.js'
import { faults } from './prove/faults.js'
import { type SeenRequest, seenRequest } from './prove/requests.js'
import { examOf, type Row, rowsFor, rulesOf } from './prove/rows.js'
import { usesOf } from './prove/uses.js'
import { judge } from './prove/verdict.js'

/** A proof in a sandbox: the requests of its fault-free run, and the fault that is laid now. */
interface Proof {
  readonly base: readonly SeenRequest[]
  laid?: { readonly row: Row; readonly exam: Exam }
}

const proofs = new WeakMap<Sandbox, Proof>()

function view({ id, fault: { title, cure } }: Row) {
  return { id, title, cure }
}

function proofOf(sandbox: Sandbox): Proof {
  return once(proofs, sandbox, () => {
    const base = sandbox.current.requestLog.list().map((entry) => seenRequest(entry, sandbox.id))
    return { base: base.toSorted((a, b) => a.startedAt - b.startedAt) }
  })
}

/** A fault that is a setting is made by the setting. */
function rowsOf(sandbox: Sandbox): readonly Row[] {
  return rowsFor(faults, usesOf(proofOf(sandbox).base)).filter(
    ({ fault }) => fault.made.by !== 'setting',
  )
}

export function createFaultsControl({ call, plain }: Calls) {
  return {
    /** The faults that a client can meet, by what it has sent so far: that was its fault-free run. */
    list: plain((_, sandbox) => rowsOf(sandbox).map(view)),
    /** Lays one of them over the sandbox, in place of another; it outlives a reset. */
    create: call({ id: required(text({ max: 100 })) }, ({ id }, { urls, clock }, sandbox) => {
      const row = rowsOf(sandbox).find((one) => one.id === id)
      if (row === undefined) throw invalidAt('id', 'is not a fault of GET /_control/faults')
      const exam = examOf(row)
      const { base } = proofOf(sandbox)
      for (const rule of rulesOf(row, base, otherOrigin(urls.baseUrl), clock.now()))
        exam.rules.create(rule)
      sandbox.examine(exam)
      proofOf(sandbox).laid = { row, exam }
      return view(row)
    }),
    /**
     * Whether the client was harmed; `green`, whether it ended as it does without a fault, is true by
     * default.
     */
    judge: call({ green: optional(flag) }, async ({ green }, _, sandbox) => {
      const { laid, base } = proofOf(sandbox)
      if (laid === undefined) throw new ControlError('conflict', 'This sandbox has no fault')
      const { row, exam } = laid
      const ended = { how: '', output: null, durationMs: 0 }
      const plainRun = Object.assign({ exit: 'green' as const, seen: base }, ended)
      const exit = green === false ? ('red' as const) : ('green' as const)
      const run = Object.assign({ exit, seen: await exam.seen() }, ended)
      const { verdict, reason, evidence, notes } = judge(row, plainRun, run)
      return Object.assign(view(row), { verdict, reason, evidence, notes })
    }),
    /** Takes the fault away and forgets the fault-free run. */
    delete: plain((_, sandbox) => {
      sandbox.examine(undefined)
      proofs.delete(sandbox)
    }),
  }
}
