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
  return wait(httpDate(value.trim(), now) - serverNow(date, now))
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
  const server = date === undefined ? Number.NaN : httpDate(date, now)
  return Number.isNaN(server) ? now : server
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const shortDay = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const time = '(?<time>\\d\\d:\\d\\d:\\d\\d)'
const month = `(?<month>${months.join('|')})`
/** The three forms of RFC 9110 §5.6.7: IMF-fixdate, RFC 850, asctime. */
const httpDates = [
  `${shortDay}, (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT`,
  `${shortDay} ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`,
  // Bound: texts of fixed length, which take linear time on any input.
].map((form) => new RegExp(`^${form}$`))

/** An HTTP date in epoch milliseconds; NaN for any other text and for a day that does not exist. */
function httpDate(text: string, now: number): number {
  const { groups } = httpDates.map((form) => form.exec(text)).find((match) => match !== null) ?? {}
  if (groups === undefined) return Number.NaN
  const { day = '', month: name = '', year = '', time: clock = '' } = groups
  const moment = new Date(
    `${fullYear(year, now)}-${padded(months.indexOf(name) + 1)}-${padded(Number(day))}T${clock}Z`,
  )
  // `Date` reads 31 February as a day of March.
  return moment.getUTCDate() === Number(day) ? moment.getTime() : Number.NaN
}

/** Two digits are a year of the past if they would be more than 50 years in the future. */
function fullYear(year: string, now: number): string {
  if (year.length === 4) return year
  const thisYear = new Date(now).getUTCFullYear()
  const sameCentury = Math.floor(thisYear / 100) * 100 + Number(year)
  return String(sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury)
}

function padded(number: number): string {
  return String(number).padStart(2, '0')
}

function wait(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}
