import { type Clock, every } from './clock.js'
import type { OutputStream } from './io.js'
import { blank, type Printable, say } from './printable.js'
import type { Progress } from './progress.js'
import { shorten } from './width.js'

/** Progress on a terminal's stderr: one line, redrawn each second and cleared at the end. */
export function terminalProgress(stderr: OutputStream, clock: Clock): Progress {
  return {
    start(text) {
      const started = clock.monotonic()
      let shown = false
      const draw = (line: Printable) => void stderr.write(say`\r\u001b[K${line}`).catch(() => undefined)
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
