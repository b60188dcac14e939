import { type DeviceAuthorization, isCiError, type TokenSet } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { isNonInteractive } from '../io/io.js'
import { say } from '../io/printable.js'
import { wait } from '../io/time.js'

/** Whether a login can be followed and answered by single keys. */
function canAnswer({ io, noInput, redraws }: Context): boolean {
  return redraws && !isNonInteractive(io, noInput) && io.stdin.onKeys !== undefined
}

/** Waits until the person has approved, with a line that says how it stands. `page` is what Enter opens. */
export async function waitForApproval(
  context: Context,
  authorization: DeviceAuthorization,
  page: string | null,
): Promise<TokenSet> {
  if (canAnswer(context)) {
    const { watchApproval } = await import('./ui/approval-view.js')
    return watchApproval(context, authorization, page)
  }
  const { notes, signal } = context
  notes.note(say`Waiting for approval; the code is valid for ${wait(authorization.expires_in * 1000)}.`)
  let lost = false
  return authorization.poll({
    signal,
    onEvent: (event) => {
      if (event.type !== 'device') return
      if (event.kind === 'retrying' && !lost) notes.note(say`no connection, trying again`)
      lost = event.kind === 'retrying'
    },
  })
}

/** Why a login ended without a token, for a person; null for every other error. */
export function endedWithoutToken(error: unknown): string | null {
  if (!isCiError(error, 'device_authorization')) return null
  if (error.error === 'access_denied') return 'The request was denied.'
  return error.error === 'expired_token' ? 'The code has expired.' : null
}

/** Offers a new code on a terminal: Enter takes it, any other key ends. False where nobody can answer. */
export async function wantsNewCode(context: Context, why: string): Promise<boolean> {
  const { io, interrupts } = context
  const { onKeys } = io.stdin
  if (!canAnswer(context) || onKeys === undefined) return false
  await io.stderr.write(say`${why} Enter for a new code, any other key to stop. `)
  let stop = () => {}
  const pressed = new Promise<string>((resolve) => {
    stop = onKeys((keys) => (keys === '\u0003' ? interrupts.raise('SIGINT') : resolve(keys)))
  })
  const forget = interrupts.onInterrupt(() => stop())
  try {
    const keys = await Promise.race([pressed, interrupts.interrupted])
    await io.stderr.write(say`\n`).catch(() => undefined)
    return keys === '\r' || keys === '\n'
  } finally {
    stop()
    forget()
  }
}
