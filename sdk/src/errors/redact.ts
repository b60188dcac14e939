import { parseUrl } from './parse-url.js'

/** Replaces a secret. */
const redacted = '[redacted]'

/** How much of a server's text an error repeats. */
const longestText = 500

/** How deep a body is kept in an error. */
const deepest = 64
const tooDeep = '[too deep]'

const deepestCause = 3

/** As in `805C…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/…:350:` */
const opensslText = /(?<!\w)\w+:error:\w+:[^:]*:[^:]*:([^:]+):\S*\s*/g

// Characters that drive a terminal, break a line or turn text around: a log must show what is
// there.
const unprintable = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** A shorter secret may be part of any word: it is hidden where it stands alone. */
const longSecret = 8

/** Replaces every secret, as it is and as a URL or form would spell it. */
function redactSecrets(text: string, secrets: Iterable<string>): string {
  let clean = text
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret === '') continue
    for (const spelling of spellings(secret)) {
      clean = clean.replaceAll(
        secret.length < longSecret ? standingAlone(spelling) : spelling,
        redacted,
      )
    }
  }
  return clean
}

function standingAlone(text: string): RegExp {
  // Bound: a fixed text, which takes linear time on any input.
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}_])`,
    'gu',
  )
}

/**
 * What may be hidden in a word that programs decide by, such as the name of a field: nothing that
 * is as short as one.
 */
export function wireWord(secrets: readonly string[]): string[] {
  return secrets.filter((secret) => secret.length >= 2 * longSecret)
}

/** Headers for an error: without secrets, cookies, and the query and fragment of `location`. */
export function redactHeaders(
  entries: Iterable<readonly [string, string]>,
  secrets: readonly string[],
): Headers {
  const headers = new Headers()
  for (const [name, value] of entries) {
    headers.append(name, redactSecrets(shownHeader(name, value), secrets))
  }
  return headers
}

function shownHeader(name: string, value: string): string {
  if (name.includes('cookie')) return redacted
  return name === 'location' ? value.replace(/[?#].*|\/\/[^/@]*@/gs, redacted) : value
}

/**
 * A server's text as an error may show it: no secret, no control character, at most 500 characters.
 */
export function serverText(text: string, secrets: Iterable<string>): string {
  const clean = redactSecrets(text, secrets).replace(unprintable, '\ufffd')
  const characters = [...clean.slice(0, 2 * longestText)]
  return characters.length > longestText || clean.length > 2 * longestText
    ? `${characters.slice(0, longestText).join('')}…`
    : clean
}

/**
 * A parsed JSON body without the secrets of this call, in keys and values, as a new value of
 * bounded depth.
 */
export function redactJson(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return redactSecrets(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  // 64 KiB of brackets would overflow the stack here, and again where the error is printed.
  if (depth === deepest) return tooDeep
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const hidden =
        (key === 'field' || key === 'code') && typeof item === 'string'
          ? wireWord(secrets)
          : secrets
      return [redactSecrets(key, secrets), redactJson(item, hidden, depth + 1)]
    }),
  )
}

/** A URL for an error: without userinfo, query and fragment. A text that is not a URL is not shown. */
export function redactUrl(url: string | URL): string {
  const parsed = parseUrl(url)
  if (parsed === undefined) return redacted
  const { protocol, host, pathname } = parsed
  return `${protocol}//${host}${pathname}`
}

/**
 * A foreign error as a `cause` may keep it: the original may hold headers or a key. A fault in code
 * keeps where it happened.
 */
export function safeCause(error: unknown, secrets: Iterable<string>, traced = false): Error {
  const copy = new Error(serverText(withoutUrlSecrets(messageOf(error)), secrets))
  copy.name = isError(error) ? error.name : typeof error
  const stack = traced && isError(error) ? error.stack : undefined
  if (stack === undefined) delete copy.stack
  else copy.stack = redactSecrets(withoutUrlSecrets(stack), secrets)
  const code = codeOf(error)
  return code === undefined ? copy : Object.assign(copy, { code })
}

/** Whether it is an error, also of another realm: Jest runs tests in a realm of their own. */
export function isError(value: unknown): value is Error {
  const tag = Object.prototype.toString.call(value)
  return value instanceof Error || tag === '[object Error]' || tag === '[object DOMException]'
}

/** Whether it is an `AggregateError`, also of another realm. */
export function isAggregate(error: unknown): error is AggregateError {
  return isError(error) && 'errors' in error && Array.isArray(error.errors)
}

/** The `code` of an error, or of the first of its causes that has one, such as `ECONNRESET`. */
export function codeOf(error: unknown): string | undefined {
  for (
    let seen = 0, current = error;
    seen < 5 && typeof current === 'object' && current !== null;
    seen++
  ) {
    if ('code' in current && typeof current.code === 'string') return current.code
    current = 'cause' in current ? current.cause : undefined
  }
  return undefined
}

/** What an event calls a foreign error: its code, else its name. */
export function codeOrName(error: unknown): string {
  return codeOf(error) ?? (isError(error) ? error.name : 'unknown')
}

function spellings(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1)
  const form = new URLSearchParams({ s: secret }).toString().slice(2)
  return new Set([secret, json, form, form.replaceAll('+', '%20')])
}

/**
 * The message and those of its causes: `fetch failed` alone says nothing, and two refused addresses
 * have none of their own.
 */
function messageOf(error: unknown, depth = 0): string {
  if (!isError(error)) return 'no message'
  if (
    isAggregate(error) &&
    error.message === '' &&
    error.errors.length > 0 &&
    depth < deepestCause
  ) {
    return error.errors.map((one) => messageOf(one, depth + 1)).join(', ')
  }
  const own =
    error.message === ''
      ? (codeOf(error) ?? 'no message')
      : error.message.replace(opensslText, '$1 (TLS)')
  const { cause } = error
  return isError(cause) && depth < deepestCause ? `${own}: ${messageOf(cause, depth + 1)}` : own
}

function withoutUrlSecrets(text: string): string {
  return text.replace(
    /\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]*@)?([^\s?#'"]*)([?#][^\s'"]*)?/gi,
    '$1$3',
  )
}
