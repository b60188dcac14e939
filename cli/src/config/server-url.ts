import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u

/** Whether a URL leads to this machine, where http is as safe as https. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname)
}

/** Checks a server's URL and returns it as it is stored, without a slash at its end. */
export function serverUrl(typed: string, flag: string, insecureHttp: boolean): string {
  const fault = serverUrlFault(typed, insecureHttp)
  if (fault === UNENCRYPTED) throw usageError(say`${flag}: ${fault}, or add --insecure-http`)
  if (fault !== null) throw usageError(say`${flag}: ${fault}`)
  return trimmedUrl(typed)
}

/** Why a text cannot be a server's URL; null if it can. */
export function serverUrlFault(typed: string, insecureHttp: boolean): string | null {
  if (!URL.canParse(typed)) return 'this is not a URL; write https://HOST'
  const url = new URL(typed)
  if (url.username !== '' || url.password !== '') return 'a URL with a user or password is refused'
  if (url.search !== '' || url.hash !== '') return "a server's URL has no query and no fragment"
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'only https and http are possible'
  return url.protocol === 'http:' && !insecureHttp && !isLoopback(typed) ? UNENCRYPTED : null
}

export const UNENCRYPTED = 'http sends tokens in the clear; write https'

/** A checked URL in its usual spelling, without a slash at its end. */
export function trimmedUrl(checked: string): string {
  return new URL(checked).href.replace(/(?<!\/)\/+$/u, '')
}
