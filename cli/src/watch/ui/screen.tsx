import { EventEmitter } from 'node:events'
import { Box, render, Text } from 'ink'
import { every } from '../../io/clock.js'
import type { OutputStream } from '../../io/io.js'
import type { Printable } from '../../io/printable.js'
import { made } from '../../io/printable-maker.js'
import { cells } from '../../io/width.js'

/** Redraws per second of the spinner; ink's own cap is above it. */
const TICK_MS = 120
const MAX_FPS = 10
/**
 * More rows than any frame has: a window that got smaller than the last frame must not make ink
 * clear the terminal.
 */
const ROWS = 10_000

interface ScreenOptions {
  readonly stream: OutputStream
  /** The lines of a frame, none wider than the stream. */
  readonly draw: (tick: number) => readonly Printable[]
  readonly onClosed: (error: unknown) => void
}

export function Frame({ lines }: { readonly lines: readonly Printable[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the key
        <Text key={at} wrap="truncate-end">
          {String(line) || ' '}
        </Text>
      ))}
    </Box>
  )
}

/**
 * Opens lines that ink keeps up to date at the bottom of the terminal; it neither reads keys nor
 * touches the terminal's modes.
 */
export function openScreen({ stream, draw, onClosed }: ScreenOptions) {
  let tick = 0
  let lines = draw(tick)
  let open = true
  let written: Promise<void> = Promise.resolve()
  const write = (text: string): boolean => {
    // Written at once: a signal may end the program before the next turn, and the cursor must be
    // back by then.
    const done = stream.write(made(text)).catch(onClosed)
    written = written.then(() => done)
    return true
  }
  /** The stream as ink knows it: a terminal that is never too small. */
  const out = Object.assign(new EventEmitter(), {
    isTTY: true,
    rows: ROWS,
    columns: stream.columns,
    write,
  })
  /** Follows a window that changed its width, also before its signal has come; whether it did. */
  const checkSize = (): boolean => {
    stream.refreshSize?.()
    const { columns } = stream
    if (columns === out.columns) return false
    // Terminals wrap the lines of a frame that became too wide; ink counts each of them as one and
    // would leave the rest.
    const extra = lines.reduce(
      (sum, line) => sum + Math.max(0, Math.ceil(cells(line) / columns) - 1),
      0,
    )
    if (columns < out.columns && extra > 0) write('\u001b[2K\u001b[1A'.repeat(extra))
    out.columns = columns
    return out.emit('resize')
  }
  const instance = render(<Frame lines={lines} />, {
    stdout: out as unknown as NodeJS.WriteStream,
    stdin: quietInput as unknown as NodeJS.ReadStream,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: MAX_FPS,
  })
  const update = () => {
    if (!open) return
    // A frame of the old width in a window of the new one could not be erased any more.
    checkSize()
    lines = draw(tick)
    instance.rerender(<Frame lines={lines} />)
  }
  out.on('resize', update)
  const stopResizing = stream.onResize?.(() => checkSize() || out.emit('resize'))
  const stopTicking = every(TICK_MS, () => {
    tick += 1
    update()
  })
  const close = () => {
    if (!open) return
    update()
    open = false
    stopTicking()
    instance.unmount()
  }
  return {
    update,
    /** Leaves the last frame, shows the cursor again. Safe to call twice. */
    close,
    /** As `close`, and waits until the terminal has it all. */
    async end() {
      close()
      stopResizing?.()
      await written
    },
  }
}

/** ink wants an input stream even where it reads nothing. */
const quietInput = {
  isTTY: false,
  on: () => quietInput,
  off: () => quietInput,
  unref: () => quietInput,
}
