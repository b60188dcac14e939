import { open, writeFile } from 'node:fs/promises'
import { systemClock } from '../base/clock.js'
import { examine, type Laboratory, recordPlain } from '../control/prove/examine.js'
import { faults } from '../control/prove/faults.js'
import { junit, list, quoted, type Report, text } from '../control/prove/report.js'
import { type Row, rowsFor } from '../control/prove/rows.js'
import { type Use, usesOf } from '../control/prove/uses.js'
import { judgePlain, plainId, type Recording, type Result } from '../control/prove/verdict.js'
import { childVariables } from './child-environment.js'
import { exitCodes, UsageError } from './exit-codes.js'
import type { ProveFlags } from './flags.js'
import { createLaboratory } from './laboratory.js'
import { createProgress, type Progress } from './prove-progress.js'
import { runCommand } from './run-command.js'
import { optionsFrom } from './start-options.js'
import { untilStopped } from './stop-signals.js'

interface Streams {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

function isNamed(id: string, names: readonly string[]): boolean {
  return names.includes(id) || names.includes(id.split('/', 1)[0] ?? id)
}

function checkNames({ only, except }: ProveFlags): void {
  const known = [plainId, ...faults.map(({ id }) => id)]
  const unknown = [...only, ...except].find(
    (name) => !known.some((id) => id === name.split('/', 1)[0]),
  )
  if (unknown !== undefined)
    throw new UsageError(`there is no fault ${JSON.stringify(unknown)}; --list names them all`)
}

/** Refuses at once a file that cannot be written at the end. */
async function tryFile(path: string | undefined): Promise<void> {
  if (path === undefined) return
  try {
    await (await open(path, 'a')).close()
  } catch (error) {
    throw new UsageError(`--junit ${path} cannot be written: ${(error as Error).message}`)
  }
}

/** What came of the rows, as far as they were run. */
interface Outcome {
  readonly base: Recording
  readonly uses: readonly Use[]
  readonly results: readonly Result[]
  readonly left: readonly string[]
  readonly complaint: string | null
  /** Runs that could not be made. The report of the others is printed before their error. */
  readonly broken: readonly PromiseRejectedResult[]
}

/**
 * `prove`: a command runs without a fault, then under each that it can meet; replays call the
 * program `as`.
 */
export async function prove(flags: ProveFlags, as: string, streams: Streams): Promise<number> {
  const { env, stdout, stderr } = streams
  const { command } = flags
  const width = Math.min(stdout.columns ?? 100, 120)
  checkNames(flags)
  if (flags.list === true) {
    const facts = faults.map(({ id, title, whom, cure }) => ({ id, title, whom, cure }))
    stdout.write(flags.json === true ? `${JSON.stringify(facts, null, 2)}\n` : list(faults, width))
    return exitCodes.ok
  }
  if (command.length === 0) throw new UsageError('the command is missing; write it after --')
  await tryFile(flags.junit)

  const startedAt = systemClock.monotonic()
  const stopped = untilStopped(undefined, undefined)
  const progress = createProgress(stderr)
  try {
    const lab = createLaboratory(
      () => optionsFrom(flags, () => undefined),
      async (server, limitMs) => {
        const childEnv = Object.assign({}, env, childVariables(server, env))
        return runCommand(command, childEnv, limitMs, stopped.signal)
      },
      flags.limit,
    )
    const outcome = await tryRows(flags, lab, progress, stopped.signal)
    progress.end()
    const replay = (id: string) =>
      id === plainId
        ? ''
        : quoted([...as.split(' '), ...flags.serverWords, '--only', id, '--', ...command])
    const durationMs = Math.round(systemClock.monotonic() - startedAt)
    const report = reportOf(flags, outcome, durationMs, replay)
    const signalCode = stopped.signalCode()
    if (report.complaint !== null && signalCode === undefined) {
      stderr.write(`${(outcome.base.output ?? '').replace(/([^\n])$/, '$1\n')}`)
      stderr.write(`prove: ${report.complaint}\n`)
    }
    const color = stdout.isTTY === true && !env['NO_COLOR']
    if (flags.json === true) stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else if (report.rows.length > 0 || report.left.length > 0)
      stdout.write(text(report, { color, width }))
    if (flags.junit !== undefined) await writeFile(flags.junit, junit(report))
    const [broken] = outcome.broken
    if (broken !== undefined) throw broken.reason
    return signalCode ?? codeOf(report)
  } finally {
    await stopped.dispose()
  }
}

function codeOf({ complaint, summary }: Report): number {
  if (complaint !== null) return exitCodes.unavailable
  return summary.harmed > 0 ? exitCodes.negative : exitCodes.ok
}

function reportOf(
  { command, only }: ProveFlags,
  { base, uses, results, left, complaint }: Outcome,
  durationMs: number,
  replay: (id: string) => string,
): Report {
  const count = (wanted: Result['verdict']) =>
    results.filter(({ verdict }) => verdict === wanted).length
  const unmet = faults.filter(
    (fault) => only.length === 0 && !uses.some((use) => fault.struck(use) !== undefined),
  )
  return {
    command,
    complaint,
    base: {
      exit: base.how,
      durationMs: base.durationMs,
      requests: base.seen.length,
      uses: uses.map(({ target }) => target),
    },
    summary: { survived: count('survived'), harmed: count('harmed'), notUsed: count('not used') },
    rows: results.map((result) => Object.assign({}, result, { replay: replay(result.id) })),
    unused: complaint === null ? unmet.map(({ id, whom }) => ({ fault: id, whom })) : [],
    left,
    durationMs,
  }
}

/** Runs the command without a fault and then under its rows, a few at a time. */
async function tryRows(
  flags: ProveFlags,
  lab: Laboratory,
  progress: Progress,
  stop: AbortSignal,
): Promise<Outcome> {
  const { only, except, budget } = flags
  progress.beginsPlain(flags.limit)
  const base = await recordPlain(lab)
  const uses = usesOf(base.seen)
  const nothing: Outcome = { base, uses, results: [], left: [], complaint: null, broken: [] }
  if (stop.aborted) return nothing
  const complaint = complaintOf(base, uses)
  if (complaint !== undefined) return Object.assign(nothing, { complaint })
  progress.endsPlain(base, uses)

  const isWanted = (id: string) => (only.length === 0 || isNamed(id, only)) && !isNamed(id, except)
  const plain = isWanted(plainId) ? [judgePlain(base)] : []
  const rows = rowsFor(faults, uses).filter(({ id }) => isWanted(id))
  const results = new Map<Row, Result>()
  const waiting = rows.slice(0, budget.runs)
  progress.has(waiting.length)
  const endsAt = systemClock.monotonic() + budget.ms
  const worker = async (): Promise<void> => {
    while (!stop.aborted && systemClock.monotonic() < endsAt) {
      const row = waiting.shift()
      if (row === undefined) return
      progress.begins(row.id)
      const result = await examine(lab, row, base)
      if (stop.aborted) return
      results.set(row, result)
      progress.ends(result)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: flags.jobs }, worker))
  const outcome: Outcome = {
    base,
    uses,
    results: [...plain, ...rows.flatMap((row) => results.get(row) ?? [])],
    left: rows.filter((row) => !results.has(row)).map(({ id }) => id),
    complaint: null,
    broken: workers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[],
  }
  if (stop.aborted || outcome.broken.length > 0) return outcome
  return Object.assign(outcome, { complaint: await doubtOf(outcome, flags, lab) })
}

/** Why the results prove nothing; null where they do. */
async function doubtOf(
  { results, left }: Outcome,
  { only }: ProveFlags,
  lab: Laboratory,
): Promise<string | null> {
  if (results.every(({ verdict }) => verdict === 'not used')) {
    if (results.length > 0) return 'nothing was tried: no run came to the request of its row again'
    if (left.length > 0) return 'nothing was tried: the budget ended before the first row'
    return only.length > 0
      ? 'nothing was tried: the command meets no row that --only and --except leave'
      : 'nothing was tried: --except leaves no row'
  }
  if (!results.some(({ byExit }) => byExit)) return null
  const again = await recordPlain(lab)
  if (again.exit === 'green') return null
  return `the command passed without a fault, and failed when it ran so again: ${again.how}; what its exit code shows proves nothing`
}

const silent = `it sent no request to the server: it has to take the address from BUILDWIRE_BASE_URL and the token from BUILDWIRE_TOKEN; a program that calls them otherwise is started by sh -c 'MY_URL=$BUILDWIRE_BASE_URL MY_TOKEN=$BUILDWIRE_TOKEN exec my-program'`

function complaintOf({ exit, how, seen }: Recording, uses: readonly Use[]): string | undefined {
  const isSilent = seen.length === 0 && !how.startsWith('cannot be run')
  const limit =
    exit === 'hung' ? '; --limit gives it more time, and --speed 20 makes builds quick' : ''
  if (exit !== 'green')
    return `the command fails without any fault: ${how}${limit}${isSilent ? `; ${silent}` : ''}`
  if (uses.length > 0) return undefined
  return `the command passed, but ${seen.length > 0 ? 'no request of it succeeded' : silent}`
}
