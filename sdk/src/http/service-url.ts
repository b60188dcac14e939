import { must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'

/** The URL of a service as its requests use it: without a trailing slash. */
export interface ServiceUrl {
  readonly origin: string
  /** Origin and path prefix: `http://127.0.0.1:4010/s/3f2a`. */
  readonly href: string
  /** The path prefix alone: `/s/3f2a`, or empty. */
  readonly prefix: string
}

/** Whether plain http may carry a secret there: the machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/s.test(hostname)
}

/** A configured URL: https, or http to this machine; no userinfo, query or fragment. @throws ConfigError without its secrets. */
export function serviceUrl(option: string, value: string | URL, allowInsecure = false): ServiceUrl {
  const text = String(value)
  if (!URL.canParse(text)) throw must(option, 'be an absolute URL, such as https://api.ci.example')
  const url = new URL(text)
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
    throw new ConfigError(option, `${what}: use https://, or allowInsecure: true in a network you trust`)
  }
  const prefix = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, href: url.origin + prefix, prefix }
}
