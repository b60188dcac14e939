import type { Clock } from '../clock.js'
import { every } from '../clock.js'
import type { OutputStream } from './io.js'
import { sanitize } from './sanitize.js'
import { shorten } from './width.js'

/** Tells a person who watches that something lasts longer than a second, and nothing to a program. */
export interface Progress {
  /** Shows `text(seconds)` on one line from the second second on, until `stop`. */
  start(text: (seconds: number) => string): { stop(): void }
}

/** Progress that nobody sees. */
export const silentProgress: Progress = { start: () => ({ stop: () => undefined }) }

/** Progress on a terminal's stderr: one line, redrawn each second and cleared at the end. */
export function terminalProgress(stderr: OutputStream, clock: Clock): Progress {
  return {
    start(text) {
      const started = clock.monotonic()
      let shown = false
      const draw = (line: string) => void stderr.write(`\r\u001b[K${line}`).catch(() => undefined)
      const stop = every(1000, () => {
        shown = true
        draw(shorten(sanitize(text(Math.round((clock.monotonic() - started) / 1000))), stderr.columns - 1))
      })
      return {
        stop() {
          stop()
          if (shown) draw('')
          shown = false
        },
      }
    },
  }
}
