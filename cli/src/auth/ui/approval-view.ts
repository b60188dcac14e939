import type { DeviceAuthorization, TokenSet } from '@buildwire/sdk'
import type { Context } from '../../context/context.js'
import { openPage } from '../../io/open.js'
import { blank, type Printable } from '../../io/printable.js'
import { openScreen } from '../../watch/ui/screen.js'
import { approvalLines } from '../approval-lines.js'

/** Follows a pending login on a terminal: the time left, what Enter does, and whether the server can be reached. */
export async function watchApproval(
  context: Context,
  authorization: DeviceAuthorization,
  page: string | null,
): Promise<TokenSet> {
  const { io, clock, interrupts, looks, notes, signal, stderrPaint: paint } = context
  let status: string | null = null
  let over = false
  const end = clock.monotonic() + (authorization.expiresAt - clock.now())
  const draw = (tick: number) => {
    if (over) return []
    const leftMs = Math.max(0, end - clock.monotonic())
    const lines = approvalLines({
      canOpen: page !== null,
      status,
      leftMs,
      tick,
      width: io.stderr.columns,
      ascii: looks.ascii,
      paint,
    })
    return [blank, ...lines]
  }
  const onClosed = (error: unknown) => interrupts.abort(error instanceof Error ? error : new Error(String(error)))
  const screen = openScreen({ stream: io.stderr, draw, onClosed })
  const tell = (text: string | null) => {
    status = text
    screen.update()
  }
  const open = async () => {
    if (page === null) return
    tell('opening the browser')
    const quiet = { ...notes, warn: (text: Printable) => tell(String(text)) }
    if (await openPage(io, quiet, page)) tell(null)
  }
  const stopKeys = io.stdin.onKeys?.((keys) => {
    if (keys.includes('\u0003')) interrupts.raise('SIGINT')
    else if (keys === '\r' || keys === '\n') void open()
  })
  const restore = () => {
    over = true
    stopKeys?.()
    screen.close()
  }
  const forget = interrupts.onInterrupt(restore)
  try {
    return await authorization.poll({
      signal,
      onEvent: (event) => {
        if (event.type === 'device') tell(event.kind === 'retrying' ? 'no connection, trying again' : null)
      },
    })
  } finally {
    forget()
    restore()
    await screen.end()
  }
}
