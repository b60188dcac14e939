import { Box, render, Text } from 'ink'
import { every } from '../../io/clock.js'
import { InkStream } from '../../io/ink-stream.js'
import type { OutputStream } from '../../io/io.js'
import type { Printable } from '../../io/printable.js'

/** Redraws per second of the spinner; ink's own cap is above it. */
const TICK_MS = 120
const MAX_FPS = 10

export interface ScreenOptions {
  readonly stream: OutputStream
  /** The lines of a frame, none wider than the stream. */
  readonly draw: (tick: number) => readonly Printable[]
  /** The terminal went away. */
  readonly onClosed: (error: unknown) => void
}

export function Frame({ lines }: { readonly lines: readonly Printable[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, at) => (
        // Lines have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the key
        <Text key={at} wrap="truncate-end">
          {String(line) || ' '}
        </Text>
      ))}
    </Box>
  )
}

/** Opens lines that ink keeps up to date at the bottom of the terminal; it neither reads keys nor touches the terminal's modes. */
export function openScreen({ stream, draw, onClosed }: ScreenOptions) {
  let tick = 0
  let lines = draw(tick)
  let open = true
  const out = new InkStream(stream, onClosed, () => lines)
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
    out.checkSize()
    lines = draw(tick)
    instance.rerender(<Frame lines={lines} />)
  }
  out.on('resize', update)
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
      await out.end()
    },
  }
}

/** ink wants an input stream even where it reads nothing. */
const quietInput = { isTTY: false, on: () => quietInput, off: () => quietInput, unref: () => quietInput }
