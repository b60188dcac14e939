import { findLink, parseLinkHeader } from '@buildwire/sdk'
import { sameOrigin } from '../config/settings.js'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/**
 * The URL of the next page by a `Link` header, relative to the page's own; null on the last page.
 *
 * @throws CommandError `unavailable` when the header cannot be read or leads to another origin.
 */
export function nextLink(header: string | null, page: string): string | null {
  if (header === null || header.trim() === '') return null
  let target: string | undefined
  try {
    target = findLink(parseLinkHeader(header), 'next')
  } catch (cause) {
    throw new CommandError('unavailable', say`the answer has a Link header that cannot be read`, { cause })
  }
  if (target === undefined) return null
  const next = new URL(target, page).href
  if (!sameOrigin(next, page)) {
    throw new CommandError('unavailable', say`the next page is on ${new URL(next).origin}; nothing was sent there`)
  }
  return next
}
