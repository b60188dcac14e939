import { writeFile } from 'node:fs/promises'
import { systemClock } from '../../base/clock.js'
import { type Row, rowsFor } from '../../control/prove/fault.js'
import { faults } from '../../control/prove/faults.js'
import { type Use, usesOf } from '../../control/prove/uses.js'
import type { Recording, Result } from '../../control/prove/verdict.js'
import { childVariables } from '../child-environment.js'
import { exitCodes, UsageError } from '../exit-codes.js'
import type { ProveFlags } from '../flags.js'
import { optionsFrom } from '../start-options.js'
import { untilStopped } from '../stop-signals.js'
import { runCommand } from './child.js'
import { examine, type Laboratory, recordBase } from './examine.js'
import { isHarmed, json, junit, list, text } from './report.js'

interface Streams {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

const isNamed = ({ id, fault }: Row, names: readonly string[]): boolean =>
  names.includes(id) || names.includes(fault.id)

/**
 * The program's `prove`: a command runs beside a server without a fault, then once under each fault that it can meet.
 *
 * @param as How this program is called, for replays.
 * @returns The exit code. @throws UsageError
 */
export async function prove(flags: ProveFlags, as: string, { env, stdout, stderr }: Streams): Promise<number> {
  const { command, only, except } = flags
  const width = Math.min(stdout.columns ?? 100, 120)
  const unknown = [...only, ...except].find((name) => !faults.some(({ id }) => id === name.split('/', 1)[0]))
  if (unknown !== undefined) throw new UsageError(`there is no fault ${JSON.stringify(unknown)}; --list names them all`)
  if (flags.list === true) {
    const facts = faults.map(({ id, title, whom, cure }) => ({ id, title, whom, cure }))
    stdout.write(flags.json === true ? `${JSON.stringify(facts, null, 2)}\n` : list(faults, width))
    return exitCodes.ok
  }
  if (command.length === 0) throw new UsageError('no command is named; it stands after --')

  const startedAt = systemClock.monotonic()
  const stopped = untilStopped(undefined, undefined)
  const stop = new AbortController()
  void stopped.first.then(() => stop.abort())
  const laboratory: Laboratory = {
    server: () => optionsFrom(flags, () => undefined),
    client: (server, limitMs) =>
      runCommand({ command, env: { ...env, ...childVariables(server, env) }, limitMs, signal: stop.signal }),
  }
  const progress = makeProgress(stderr)
  try {
    progress.show('the run without a fault')
    const base = await recordBase(laboratory)
    const uses = usesOf(base.seen)
    const complaint = stop.signal.aborted ? null : complaintOf(base, uses)
    if (stop.signal.aborted || complaint !== null) {
      progress.show('')
      if (complaint !== null) stderr.write(`${base.output.replace(/([^\n])$/, '$1\n')}prove: ${complaint}\n`)
      return stopped.signalCode() ?? exitCodes.unavailable
    }
    const used = uses.map(({ target }) => target).join(', ')
    progress.tell(`without a fault: ${base.how} after ${seconds(base.durationMs)}, using ${used}`)
    const rows = rowsFor(faults, uses).filter(
      (row) => (only.length === 0 || isNamed(row, only)) && !isNamed(row, except),
    )
    const results = await examineAll(laboratory, rows, base, { ...flags, signal: stop.signal, progress })
    progress.show('')
    const report = {
      command,
      program: [...as.split(' '), ...flags.serverWords],
      base,
      uses,
      results: rows.flatMap((row) => results.get(row) ?? []),
      unused: only.length > 0 ? [] : faults.filter((fault) => !uses.some((use) => fault.appliesTo(use))),
      left: rows.filter((row) => !results.has(row)).map(({ id }) => id),
      durationMs: Math.round(systemClock.monotonic() - startedAt),
    }
    if (flags.junit !== undefined) await writeFile(flags.junit, junit(report))
    const color = stdout.isTTY === true && !env['NO_COLOR']
    stdout.write(flags.json === true ? json(report) : text(report, { color, width }))
    return stopped.signalCode() ?? (isHarmed(report) ? exitCodes.negative : exitCodes.ok)
  } finally {
    await stopped.dispose()
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Why nothing can be proven of a command; null when it can. */
const complaintOf = ({ exit, how, seen }: Recording, uses: readonly Use[]): string | null => {
  if (exit !== 'green') return `the command fails without any fault: ${how}`
  if (uses.length > 0) return null
  return seen.length > 0
    ? 'the command passed, but no request of it succeeded'
    : 'the command passed, but sent no request to the server: it has to take the address from BUILDWIRE_BASE_URL and the token from BUILDWIRE_TOKEN'
}

interface Course extends Pick<ProveFlags, 'jobs' | 'budget'> {
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Examines rows, some at a time, until they or the budget end, or the signal comes. */
async function examineAll(
  laboratory: Laboratory,
  rows: readonly Row[],
  base: Recording,
  { jobs, budget, signal, progress }: Course,
): Promise<ReadonlyMap<Row, Result>> {
  const results = new Map<Row, Result>()
  const waiting = rows.slice(0, budget.runs)
  const endsAt = systemClock.monotonic() + budget.ms
  const worker = async (): Promise<void> => {
    for (;;) {
      const row = signal.aborted || systemClock.monotonic() >= endsAt ? undefined : waiting.shift()
      if (row === undefined) return
      progress.show(`${results.size + 1} of ${rows.length}: ${row.id}`)
      const result = await examine(laboratory, row, base)
      if (signal.aborted) return
      results.set(row, result)
      progress.tell(`${result.verdict} ${row.id}${result.run === null ? '' : `, ${seconds(result.run.durationMs)}`}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return results
}

interface Progress {
  /** What is being done: one line of a terminal, over the one before. */
  show(line: string): void
  /** What is done: a line where no terminal is. */
  tell(line: string): void
}

const makeProgress = (stderr: NodeJS.WriteStream): Progress => ({
  show: (line) => void (stderr.isTTY && stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`)),
  tell: (line) => void (stderr.isTTY || stderr.write(`${line}\n`)),
})
