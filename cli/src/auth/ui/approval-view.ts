import type { DeviceAuthorization, TokenSet } from '@buildwire/sdk'
import type { Context } from '../../context/context.js'
import { openPage } from '../../io/open.js'
import { blank, type Printable, say } from '../../io/printable.js'
import { spinner } from '../../io/progress.js'
import { cells, shorten } from '../../io/width.js'
import { openScreen } from '../../watch/ui/screen.js'

/**
 * Waits for a login on a terminal and shows the time left, the effect of Enter, and whether the
 * server can be reached.
 */
export async function watchApproval(
  context: Context,
  authorization: DeviceAuthorization,
  page: string | null,
): Promise<TokenSet> {
  const { io, clock, interrupts, notes, signal } = context
  let status: string | null = null
  let isOver = false
  const end = clock.monotonic() + (authorization.expiresAt - clock.now())
  const draw = (tick: number) => {
    if (isOver) return []
    const leftMs = Math.max(0, end - clock.monotonic())
    return [blank, ...approvalLines(context, page !== null, status, leftMs, tick)]
  }
  const screen = openScreen({ stream: io.stderr, draw, onClosed: interrupts.abort })
  const showStatus = (text: string | null) => {
    status = text
    screen.update()
  }
  const open = async () => {
    if (page === null) return
    showStatus('opening the browser')
    const quiet = { ...notes, warn: (text: Printable) => showStatus(String(text)) }
    if (await openPage(io, quiet, page)) showStatus(null)
  }
  const stopKeys = io.stdin.onKeys?.((keys) => {
    if (keys.includes('\u0003')) interrupts.raise('SIGINT')
    else if (keys === '\r' || keys === '\n') void open()
  })
  const restore = () => {
    isOver = true
    stopKeys?.()
    screen.close()
  }
  const removeListener = interrupts.onInterrupt(restore)
  try {
    return await authorization.poll({
      signal,
      onEvent: (event) => {
        if (event.type !== 'device') return
        showStatus(event.kind === 'retrying' ? 'no connection, retrying' : null)
      },
    })
  } finally {
    removeListener()
    restore()
    await screen.end()
  }
}

const GAP = 8

/**
 * The advice, the status and the time left: in one line if the terminal is wide enough, else in
 * two.
 */
function approvalLines(
  { io, looks, stderrPaint: paint }: Context,
  canOpen: boolean,
  status: string | null,
  leftMs: number,
  tick: number,
): Printable[] {
  const width = io.stderr.columns
  const advice = canOpen
    ? say`Enter opens the browser here; any other device works too.`
    : say`Open it on any device.`
  const seconds = Math.ceil(leftMs / 1000)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const right = shorten(say`${status ?? 'waiting'}, ${clock} left`, width - 4, looks)
  const drawn = say`${paint('cyan', spinner(tick, looks.ascii))} ${paint(status === null ? 'plain' : 'yellow', right)}`
  const fits = 2 + cells(advice) + GAP + 2 + cells(right) <= width
  if (fits) return [say`  ${advice}${' '.repeat(GAP)}${drawn}`]
  return [say`  ${shorten(advice, width - 2, looks)}`, say`  ${drawn}`]
}
