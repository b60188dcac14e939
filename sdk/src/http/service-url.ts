import { must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'
import { parseUrl } from '../errors/parse-url.js'

/** Whether the host is this machine, where plain http may carry a secret. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/s.test(hostname)
}

/** A configured URL in parts, without a slash at the end. */
export interface ServiceUrl {
  readonly origin: string
  /** The origin and the path. */
  readonly href: string
  /** The path. */
  readonly prefix: string
}

/**
 * Reads a configured URL: https, or http to this machine; no userinfo, query or fragment. @throws
 * ConfigError `config`, without the secrets of the URL.
 */
export function serviceUrl(option: string, value: string | URL, allowInsecure = false): ServiceUrl {
  const text = String(value)
  const url = parseUrl(text)
  if (url === undefined) throw must(option, 'be an absolute URL, such as https://api.ci.example')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw must(option, `start with https:// (or http:// on this machine)`)
  }
  if (url.username !== '' || url.password !== '') {
    throw must(option, `not hold a user name or password; tokens belong into auth`)
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw must(option, `end with its path: no "?" and no "#"`)
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    const what = `${option} would send tokens unencrypted to ${url.host}`
    throw new ConfigError(
      option,
      `${what}: use https://, or allowInsecure: true in a network you trust`,
    )
  }
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, '')
  return { origin: url.origin, href: url.origin + prefix, prefix }
}
