import { type DeviceAuthorization, isCiError, type TokenSet } from '@buildwire/sdk'
import { isLoopback } from '../config/server-url.js'
import { type ServerSettings, sameOrigin } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { isNonInteractive } from '../io/io.js'
import { whyNoBrowser } from '../io/open.js'
import { blank, lines, type Printable, say } from '../io/printable.js'
import { wait } from '../io/time.js'
import { wrap } from '../io/width.js'

/** Writes lines on stderr after all pending notes. */
export async function writeLines(
  { io, notes }: Context,
  written: readonly Printable[],
): Promise<void> {
  await notes.flush()
  await io.stderr.write(lines(written)).catch(() => undefined)
}

/** Wraps a sentence into lines that fit stderr, each after `indent`. */
export function wrapped({ io, looks }: Context, text: Printable, indent = ''): Printable[] {
  const width = io.stderr.isTTY ? io.stderr.columns - 2 - indent.length : Number.MAX_SAFE_INTEGER
  return wrap(text, width, looks).map((line) => say`${indent}${line}`)
}

export function codeLines(
  context: Context,
  contextName: string,
  settings: ServerSettings,
  authorization: DeviceAuthorization,
  scopes: readonly string[],
): Printable[] {
  const { looks, stderrPaint: paint } = context
  const { user_code, verification_uri, verification_uri_complete: complete = '' } = authorization
  const dot = looks.ascii ? '-' : '·'
  const title = say`${contextName} at ${settings.baseUrl.value} ${dot} scopes: ${scopes.join(' ')}`
  const ifComplete = (line: Printable) => (complete === '' ? [] : [line])
  const facts = looks.plain
    ? [
        say`code: ${user_code}`,
        say`open: ${verification_uri}`,
        ...ifComplete(say`or directly: ${complete}`),
      ]
    : [
        blank,
        say`  ${paint('dim', 'Your code')}     ${paint('bold', user_code)}`,
        say`  ${paint('dim', 'Open')}          ${paint('cyan', verification_uri)}`,
        ...ifComplete(say`  ${paint('dim', 'or directly')}   ${paint('cyan', complete)}`),
      ]
  return [...wrapped(context, title), ...facts]
}

/**
 * The page that Enter opens; null if no browser is opened here. Warns if the page is on another
 * server, which is never opened.
 */
export function pageToOpen(
  context: Context,
  settings: ServerSettings,
  authorization: DeviceAuthorization,
  noBrowser: boolean,
): string | null {
  const page = authorization.verification_uri_complete ?? authorization.verification_uri
  const isOurs = [settings.authUrl, settings.webUrl].some(({ value }) => sameOrigin(value, page))
  if (!isOurs) {
    context.notes.warn(
      say`the page is on ${new URL(page).origin}, which is another server; ci does not open it`,
    )
    return null
  }
  const isSecure = new URL(page).protocol === 'https:' || isLoopback(page)
  const hasBrowser = !noBrowser && whyNoBrowser(context.io, context.noInput) === null
  return isSecure && hasBrowser ? page : null
}

/** Whether the login is on a terminal that can be redrawn and that sends single keys. */
function canAnswer({ io, noInput, redraws }: Context): boolean {
  return redraws && !isNonInteractive(io, noInput) && io.stdin.onKeys !== undefined
}

/**
 * Waits until the person has approved, and shows the state of the login. Enter opens `page`.
 */
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
  notes.note(
    say`Waiting for approval; the code is valid for ${wait(authorization.expires_in * 1000)}.`,
  )
  let lost = false
  return authorization.poll({
    signal,
    onEvent: (event) => {
      if (event.type !== 'device') return
      if (event.kind === 'retrying' && !lost) notes.note(say`no connection, retrying`)
      lost = event.kind === 'retrying'
    },
  })
}

const END_REASONS: Readonly<Record<string, string>> = {
  access_denied: 'The request was denied.',
  expired_token: 'The code has expired.',
}

/**
 * Offers a new code on a terminal: Enter requests it, any other key ends the login. False for
 * errors that a new code does not solve, and without a terminal.
 */
export async function wantsNewCode(context: Context, error: unknown): Promise<boolean> {
  const { io, interrupts } = context
  const { onKeys } = io.stdin
  const why = isCiError(error, 'device_authorization') ? END_REASONS[error.error] : undefined
  if (why === undefined || !canAnswer(context) || onKeys === undefined) return false
  await io.stderr.write(say`${why} Enter for a new code, any other key to stop. `)
  let stop = () => {}
  const pressed = new Promise<string>((resolve) => {
    stop = onKeys((keys) => (keys === '\u0003' ? interrupts.raise('SIGINT') : resolve(keys)))
  })
  const removeListener = interrupts.onInterrupt(() => stop())
  try {
    const keys = await Promise.race([pressed, interrupts.interrupted])
    await io.stderr.write(say`\n`).catch(() => undefined)
    return keys === '\r' || keys === '\n'
  } finally {
    stop()
    removeListener()
  }
}
