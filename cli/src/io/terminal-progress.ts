import { type Clock, every } from '../clock.js'
import type { OutputStream } from './io.js'
import type { Progress } from './progress.js'
import { sanitize } from './sanitize.js'
import { shorten } from './width.js'

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
