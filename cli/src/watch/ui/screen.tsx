import { EventEmitter } from 'node:events'
import { Box, render, Text } from 'ink'
import { every } from '../../io/clock.js'
import type { OutputStream } from '../../io/io.js'
import type { Printable } from '../../io/printable.js'
import { made } from '../../io/printable-maker.js'
import { cells } from '../../io/width.js'

/** Milliseconds between two frames of the spinner, about eight a second. */
const TICK_MS = 120
const MAX_FPS = 10
/**
 * More rows than any frame has. Ink clears the terminal if a frame is taller than the window, and
 * with this height it never does.
 */
const ROWS = 10_000

interface ScreenOptions {
  readonly stream: OutputStream
  /** The lines of a frame; none may be wider than the stream. */
  readonly draw: (tick: number) => readonly Printable[]
  readonly onClosed: (error: unknown) => void
}

export function Frame({ lines }: { readonly lines: readonly Printable[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
        <Text key={at} wrap="truncate-end">
          {String(line) || ' '}
        </Text>
      ))}
    </Box>
  )
}

/**
 * Draws lines with ink at the bottom of the terminal and updates them. Ink neither reads keys nor
 * changes the terminal's modes.
 */
export function openScreen({ stream, draw, onClosed }: ScreenOptions) {
  let tick = 0
  let lines = draw(tick)
  let isOpen = true
  let written: Promise<void> = Promise.resolve()
  const write = (text: string): boolean => {
    // Written at once: a signal may end the program before the next turn of the event loop, and the
    // cursor must be visible again by then.
    const done = stream.write(made(text)).catch(onClosed)
    written = written.then(() => done)
    return true
  }
  /** The stream for ink: a terminal that is never too small. */
  const inkStream = Object.assign(new EventEmitter(), {
    isTTY: true,
    rows: ROWS,
    columns: stream.columns,
    write,
  })
  /** Redraws if the width of the window has changed, also before SIGWINCH; true if it has. */
  const checkSize = (): boolean => {
    stream.refreshSize?.()
    const { columns } = stream
    if (columns === inkStream.columns) return false
    // A narrower terminal wraps the lines of the last frame. Ink counts each of them as one row, so
    // the additional rows are erased here.
    const extra = lines.reduce(
      (sum, line) => sum + Math.max(0, Math.ceil(cells(line) / columns) - 1),
      0,
    )
    if (columns < inkStream.columns && extra > 0) write('\u001b[2K\u001b[1A'.repeat(extra))
    inkStream.columns = columns
    return inkStream.emit('resize')
  }
  const instance = render(<Frame lines={lines} />, {
    stdout: inkStream as unknown as NodeJS.WriteStream,
    stdin: quietInput as unknown as NodeJS.ReadStream,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: MAX_FPS,
  })
  const update = () => {
    if (!isOpen) return
    // A frame of the old width could not be erased in a window of the new width.
    checkSize()
    lines = draw(tick)
    instance.rerender(<Frame lines={lines} />)
  }
  inkStream.on('resize', update)
  const stopResizing = stream.onResize?.(() => checkSize() || inkStream.emit('resize'))
  const stopTicking = every(TICK_MS, () => {
    tick += 1
    update()
  })
  const close = () => {
    if (!isOpen) return
    update()
    isOpen = false
    stopTicking()
    instance.unmount()
  }
  return {
    update,
    /** Keeps the last frame on the terminal and shows the cursor. Safe to call twice. */
    close,
    /** As `close`, and waits until everything is written. */
    async end() {
      close()
      stopResizing?.()
      await written
    },
  }
}

/** Ink needs an input stream, although it reads nothing here. */
const quietInput = {
  isTTY: false,
  on: () => quietInput,
  off: () => quietInput,
  unref: () => quietInput,
}
