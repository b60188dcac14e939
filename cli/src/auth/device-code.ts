import type { DeviceAuthorization } from '@buildwire/sdk'
import { isLoopback } from '../config/server-url.js'
import type { Settings } from '../config/settings.js'
import { sameOrigin } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { whyNoBrowser } from '../io/open.js'
import { blank, lines, type Printable, say } from '../io/printable.js'
import { wrap } from '../io/width.js'

/** Writes lines on stderr behind everything that was noted before. */
export async function writeLines(
  { io, notes }: Pick<Context, 'io' | 'notes'>,
  said: readonly Printable[],
): Promise<void> {
  await notes.flush()
  await io.stderr.write(lines(said)).catch(() => undefined)
}

/** Lines of a sentence that fit stderr, each behind `indent`. */
export function wrapped({ io, looks }: Pick<Context, 'io' | 'looks'>, text: Printable, indent = ''): Printable[] {
  const width = io.stderr.isTTY ? io.stderr.columns - 2 - indent.length : Number.MAX_SAFE_INTEGER
  return wrap(text, width, looks).map((line) => say`${indent}${line}`)
}

export function codeLines(
  context: Context,
  contextName: string,
  settings: Settings,
  found: DeviceAuthorization,
  scopes: readonly string[],
): Printable[] {
  const paint = context.stderrPaint
  const dot = context.looks.ascii ? '-' : '·'
  const place = say`${contextName} at ${settings.baseUrl.value} ${dot} scopes: ${scopes.join(' ')}`
  const complete = found.verification_uri_complete
  if (context.looks.plain) {
    return [
      ...wrapped(context, place),
      say`code: ${found.user_code}`,
      say`open: ${found.verification_uri}`,
      ...(complete === undefined ? [] : [say`or directly: ${complete}`]),
    ]
  }
  return [
    ...wrapped(context, place),
    blank,
    say`  ${paint('dim', 'Your code')}     ${paint('bold', found.user_code)}`,
    say`  ${paint('dim', 'Open')}          ${paint('cyan', found.verification_uri)}`,
    ...(complete === undefined ? [] : [say`  ${paint('dim', 'or directly')}   ${paint('cyan', complete)}`]),
  ]
}

/** The page that Enter opens; null when nothing is opened here. Warns about a page of another server. */
export function pageToOpen(
  context: Context,
  settings: Settings,
  found: DeviceAuthorization,
  noBrowser: boolean,
): string | null {
  const page = found.verification_uri_complete ?? found.verification_uri
  const isOurs = [settings.authUrl, settings.webUrl].some(({ value }) => sameOrigin(value, page))
  if (!isOurs) {
    context.notes.warn(
      say`the page is on ${new URL(page).origin}, not on the server that was asked; it is not opened for you`,
    )
    return null
  }
  if (new URL(page).protocol !== 'https:' && !isLoopback(page)) return null
  return noBrowser || whyNoBrowser(context.io, context.noInput) !== null ? null : page
}
