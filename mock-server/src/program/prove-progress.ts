import { systemClock } from '../base/clock.js'
import type { Use } from '../control/prove/uses.js'
import type { Recording, Result } from '../control/prove/verdict.js'

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** A time that is left: minutes, or seconds below two of them. */
function about(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

export type Progress = ReturnType<typeof createProgress>

/**
 * Shows how far a proof is: one line over the one before on a terminal, and else a line for each
 * row that ends.
 */
export function createProgress(stderr: NodeJS.WriteStream) {
  const width = (stderr.columns ?? 80) - 1
  const show = (line: string) =>
    void (stderr.isTTY && stderr.write(`\r\u001b[K${line.slice(0, width)}`))
  const print = (line: string) => void (stderr.isTTY || stderr.write(`${line}\n`))
  const startedAt = systemClock.monotonic()
  let total = 0
  let begun = 0
  let ended = 0
  const left = () => {
    if (ended === 0) return ''
    const spent = systemClock.monotonic() - startedAt
    return `, about ${about((spent / (ended + 1)) * (total - ended))} left`
  }
  return {
    beginsPlain(limitMs: number) {
      show('the run without a fault')
      print(`the run without a fault, at most ${seconds(limitMs)}`)
    },
    endsPlain({ how, durationMs }: Recording, uses: readonly Use[]) {
      const targets = uses.map(({ target }) => target).join(', ')
      print(`without a fault: ${how} after ${seconds(durationMs)}, using ${targets}`)
    },
    has(rows: number) {
      total = rows
    },
    begins(id: string) {
      begun += 1
      show(`${begun} of ${total}${left()}: ${id}`)
    },
    ends({ verdict, id, durationMs }: Result) {
      ended += 1
      print(`${ended} of ${total}${left()}: ${verdict} ${id}, ${seconds(durationMs ?? 0)}`)
    },
    end() {
      show('')
    },
  }
}
