/** Answers that a second attempt may change. */
const transient = new Set([408, 425, 429, 500, 502, 503, 504])

export function isTransient(status: number): boolean {
  return transient.has(status)
}

/** Whether the server may have done the work although the status is an error; 429 says that it has not. */
export function isAmbiguous(status: number): boolean {
  return status === 408 || status === 425 || status >= 500
}

/** A redirect that may lead to what was asked for (RFC 9110 §15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/** Our own wait before a request is sent again. */
export const retryRule = { firstMs: 500, longestMs: 8_000 } as const

/**
 * What `Retry-After` asks for in milliseconds, or 0: seconds, or an HTTP date against the answer's
 * own `Date`.
 */
export function retryAfter(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number {
  if (value === undefined) return 0
  const seconds = largest(value)
  if (seconds !== undefined) return wait(seconds * 1_000)
  return wait(Date.parse(httpDate(value.trim())) - serverNow(date, now))
}

/**
 * What a reset header or field asks for in milliseconds, or 0: seconds left, or an epoch when it is
 * that large.
 */
export function resetWait(value: unknown, date: string | undefined, now: number): number {
  const text = typeof value === 'number' ? String(value) : value
  const seconds = typeof text === 'string' ? largest(text) : undefined
  if (seconds === undefined) return 0
  if (seconds <= 1e9) return wait(seconds * 1_000)
  // Some services count in milliseconds: as seconds, these would be past the year 5000.
  return wait((seconds > 1e11 ? seconds : seconds * 1_000) - serverNow(date, now))
}

/** The number in a header; the largest of a repeated header, such as `30, 30`. */
function largest(text: string): number | undefined {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every((part) => /^\d+(\.\d+)?$/.test(part))
    ? Math.max(...parts.map(Number))
    : undefined
}

function serverNow(date: string | undefined, now: number): number {
  const server = date === undefined ? Number.NaN : Date.parse(httpDate(date))
  return Number.isNaN(server) ? now : server
}

/**
 * Only the forms of RFC 9110 §5.6.7: `Date.parse` alone would read almost any word with a number in
 * it.
 */
function httpDate(text: string): string {
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(text)) return ''
  return text.endsWith('GMT') ? text : `${text} GMT`
}

function wait(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}
