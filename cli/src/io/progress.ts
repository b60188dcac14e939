import { type Clock, every } from './clock.js'
import type { OutputStream } from './io.js'
import { blank, type Printable, say } from './printable.js'
import { shorten } from './width.js'

/** Shows a person that work takes longer than a second; programs see nothing. */
export interface Progress {
  /** After one second shows `text(seconds)` on one line, each second again, until `stop`. */
  start(text: (seconds: number) => Printable): { stop(): void }
}

export const silentProgress: Progress = { start: () => ({ stop: () => undefined }) }

/** Progress on a terminal's stderr: one line, redrawn each second and cleared at the end. */
export function terminalProgress(stderr: OutputStream, clock: Clock): Progress {
  return {
    start(text) {
      const started = clock.monotonic()
      let shown = false
      const draw = (line: Printable) =>
        void stderr.write(say`\r\u001b[K${line}`).catch(() => undefined)
      const stop = every(1000, () => {
        shown = true
        draw(shorten(text(Math.round((clock.monotonic() - started) / 1000)), stderr.columns - 1))
      })
      return {
        stop() {
          stop()
          if (shown) draw(blank)
          shown = false
        },
      }
    },
  }
}

const TURNS = { unicode: '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', ascii: '|/-\\' }

/** One frame of a turning mark, one cell wide. */
export function spinner(tick: number, ascii: boolean): string {
  const turns = ascii ? TURNS.ascii : TURNS.unicode
  return turns.charAt(tick % turns.length)
}
