import { writeFile } from 'node:fs/promises'
import { systemClock } from '../../base/clock.js'
import { faults, type Row, rowsFor } from '../../control/prove/faults.js'
import { type Use, usesOf } from '../../control/prove/seen.js'
import type { Recording, Result } from '../../control/prove/verdict.js'
import { childVariables } from '../child-environment.js'
import { exitCodes, UsageError } from '../exit-codes.js'
import type { ProveFlags } from '../flags.js'
import { optionsFrom } from '../start-options.js'
import { untilStopped } from '../stop-signals.js'
import { runCommand } from './child.js'
import { examine, type Laboratory, record } from './examine.js'
import { junit, list, quoted, type Report, text } from './report.js'

interface Streams {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

function isNamed({ id, fault }: Row, names: readonly string[]): boolean {
  return names.includes(id) || names.includes(fault.id)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/**
 * `prove`: a command runs without a fault, then under each that it can meet; replays call the
 * program `as`.
 */
export async function prove(
  flags: ProveFlags,
  as: string,
  { env, stdout, stderr }: Streams,
): Promise<number> {
  const { command, only, except } = flags
  const width = Math.min(stdout.columns ?? 100, 120)
  const unknown = [...only, ...except].find(
    (name) => !faults.some(({ id }) => id === name.split('/', 1)[0]),
  )
  if (unknown !== undefined)
    throw new UsageError(`there is no fault ${JSON.stringify(unknown)}; --list names them all`)
  if (flags.list === true) {
    const facts = faults.map(({ id, title, whom, cure }) => ({ id, title, whom, cure }))
    stdout.write(flags.json === true ? `${JSON.stringify(facts, null, 2)}\n` : list(faults, width))
    return exitCodes.ok
  }
  if (command.length === 0) throw new UsageError('no command is named; it stands after --')

  const startedAt = systemClock.monotonic()
  const stopped = untilStopped(undefined, undefined)
  const lab: Laboratory = {
    server: () => optionsFrom(flags, () => undefined),
    client: (server, limitMs) =>
      runCommand(command, { ...env, ...childVariables(server, env) }, limitMs, stopped.signal),
  }
  /** What is being done: one line of a terminal, over the one before. */
  const show = (line: string) =>
    void (stderr.isTTY && stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`))
  /** What is done: a line where no terminal is. */
  const tell = (line: string) => void (stderr.isTTY || stderr.write(`${line}\n`))
  try {
    show('the run without a fault')
    const base = await record(lab)
    const uses = usesOf(base.seen)
    const complaint = stopped.signal.aborted ? undefined : complaintOf(base, uses)
    if (stopped.signal.aborted || complaint !== undefined) {
      show('')
      if (complaint !== undefined)
        stderr.write(`${base.output.replace(/([^\n])$/, '$1\n')}prove: ${complaint}\n`)
      return stopped.signalCode() ?? exitCodes.unavailable
    }
    const targets = uses.map(({ target }) => target)
    tell(
      `without a fault: ${base.how} after ${seconds(base.durationMs)}, using ${targets.join(', ')}`,
    )
    const rows = rowsFor(faults, uses).filter(
      (row) => (only.length === 0 || isNamed(row, only)) && !isNamed(row, except),
    )
    const results = new Map<Row, Result>()
    const waiting = rows.slice(0, flags.budget.runs)
    const endsAt = systemClock.monotonic() + flags.budget.ms
    const worker = async (): Promise<void> => {
      while (!stopped.signal.aborted && systemClock.monotonic() < endsAt) {
        const row = waiting.shift()
        if (row === undefined) return
        show(`${results.size + 1} of ${rows.length}: ${row.id}`)
        const result = await examine(lab, row, base)
        if (stopped.signal.aborted) return
        results.set(row, result)
        tell(
          `${result.verdict} ${row.id}${result.durationMs === null ? '' : `, ${seconds(result.durationMs)}`}`,
        )
      }
    }
    await Promise.all(Array.from({ length: flags.jobs }, worker))
    show('')
    const count = (wanted: Result['verdict']) =>
      [...results.values()].filter(({ verdict }) => verdict === wanted).length
    const replay = (id: string) =>
      quoted([...as.split(' '), ...flags.serverWords, '--only', id, '--', ...command])
    const report: Report = {
      command,
      base: {
        exit: base.how,
        durationMs: base.durationMs,
        requests: base.seen.length,
        uses: targets,
      },
      summary: { survived: count('survived'), harmed: count('harmed'), notUsed: count('not used') },
      rows: rows
        .flatMap((row) => results.get(row) ?? [])
        .map((result) => ({ ...result, replay: replay(result.id) })),
      unused: faults
        .filter((fault) => only.length === 0 && !uses.some((use) => fault.skip(use) >= 0))
        .map(({ id, whom }) => ({ fault: id, whom })),
      left: rows.filter((row) => !results.has(row)).map(({ id }) => id),
      durationMs: Math.round(systemClock.monotonic() - startedAt),
    }
    if (flags.junit !== undefined) await writeFile(flags.junit, junit(report))
    const color = stdout.isTTY === true && !env['NO_COLOR']
    stdout.write(
      flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : text(report, { color, width }),
    )
    return stopped.signalCode() ?? (report.summary.harmed > 0 ? exitCodes.negative : exitCodes.ok)
  } finally {
    await stopped.dispose()
  }
}

const silent =
  'it sent no request to the server: it has to take the address from BUILDWIRE_BASE_URL and the token from BUILDWIRE_TOKEN'

function complaintOf({ exit, how, seen }: Recording, uses: readonly Use[]): string | undefined {
  const more = seen.length > 0 || how.startsWith('cannot be run') ? '' : `; ${silent}`
  if (exit !== 'green') return `the command fails without any fault: ${how}${more}`
  if (uses.length > 0) return undefined
  return `the command passed, but ${seen.length > 0 ? 'no request of it succeeded' : silent}`
}
