import { usageError } from '../io/command-error.js'

/**
 * A server's URL as it is stored: checked, without a slash at its end.
 *
 * @throws CommandError `usage` for anything but https, or http to this machine, and for userinfo, query or fragment.
 */
export function serverUrl(typed: string, flag: string, insecureHttp: boolean): string {
  if (!URL.canParse(typed)) throw usageError(`${flag}: this is no URL; write https://HOST`)
  const url = new URL(typed)
  if (url.username !== '' || url.password !== '') throw usageError(`${flag}: a URL with a user or password is refused`)
  if (url.search !== '' || url.hash !== '') throw usageError(`${flag}: a server's URL has no query and no fragment`)
  if (url.protocol === 'http:' && !insecureHttp && !isThisMachine(url.hostname)) {
    throw usageError(`${flag}: http sends tokens in the clear; write https, or add --insecure-http`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw usageError(`${flag}: only https and http are possible`)
  return url.href.replace(/\/+$/u, '')
}

/** Whether a host name means this machine. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./u.test(hostname)
}
