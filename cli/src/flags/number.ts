import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** A build as typed: its number or the newest, and the typed part of its address. */
export interface BuildReference {
  readonly org_slug?: string | undefined
  readonly pipeline_slug?: string | undefined
  readonly number: number | 'latest'
}

/** The bases that build URLs may have: those of the context, without a slash at the end. */
export interface UrlBases {
  readonly baseUrl: string
  readonly webUrl: string
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu
const SLUG = '[A-Za-z0-9][A-Za-z0-9._-]*'
// Bound: an argument that the user typed.
const REFERENCE = new RegExp(`^(?:(?:(${SLUG})/)?(${SLUG})#)?#?(\\d{1,16}|@latest)$`, 'u')
const FORMS = say`A build is 42, #42, web#42, acme/web#42, @latest, or its URL`

/** Reads a build reference; a URL must begin with one of the context's bases. */
export function parseBuildReference(text: string, bases: UrlBases | null): BuildReference {
  if (/^https?:\/\//iu.test(text)) return fromUrl(text, bases)
  if (UUID.test(text))
    throw usageError(say`builds are addressed by number, not by id`, { lines: [FORMS] })
  const match = REFERENCE.exec(text)
  if (match === null)
    throw usageError(say`${JSON.stringify(text)} is not a build`, { lines: [FORMS] })
  const [, org_slug, pipeline_slug, number = ''] = match
  return { org_slug, pipeline_slug, number: number === '@latest' ? 'latest' : safeNumber(number) }
}

function safeNumber(digits: string): number {
  const number = Number(digits)
  if (number < 1 || !Number.isSafeInteger(number)) {
    throw usageError(
      say`${digits} is not a build number; numbers go from 1 to ${Number.MAX_SAFE_INTEGER}`,
    )
  }
  return number
}

function fromUrl(text: string, bases: UrlBases | null): BuildReference {
  if (bases === null)
    throw usageError(say`a URL names a build only when a server is configured`, { lines: [FORMS] })
  const match =
    under(
      text,
      `${bases.baseUrl}/v2/organizations`,
      `(${SLUG})/pipelines/(${SLUG})/builds/(\\d{1,16})`,
    ) ?? under(text, bases.webUrl, `(${SLUG})/(${SLUG})/builds/(\\d{1,16})`)
  if (match === null) {
    throw usageError(say`${JSON.stringify(text)} is not a build of ${bases.webUrl}`, {
      lines: [FORMS],
    })
  }
  const [, org_slug, pipeline_slug, number = ''] = match
  return { org_slug, pipeline_slug, number: safeNumber(number) }
}

/** The id of the job that a typed URL of a build names behind `#`. */
export function jobOfUrl(typed: string | undefined): string | undefined {
  if (typed === undefined || !URL.canParse(typed)) return undefined
  const id = new URL(typed).hash.slice(1)
  return UUID.test(id) ? id.toLowerCase() : undefined
}

/** The words of a command line that name a build, a job or both. */
export interface TypedTarget {
  readonly number?: string | undefined
  readonly job?: string | undefined
}

/** The build and the job that a command line names. The URL of a job names both. */
export function typedTarget({ number, job }: TypedTarget) {
  return {
    build: number ?? (jobOfUrl(job) === undefined ? undefined : job),
    word: job ?? jobOfUrl(number),
  }
}

/** Reads a test record's API or web URL, which must begin with one of the context's bases. */
export function parseTestUrl(
  text: string,
  bases: UrlBases,
): { org_slug: string; suite_slug: string; test_id: string } {
  const tests = `suites/(${SLUG})/tests/([^/]+)`
  const match =
    under(text, `${bases.baseUrl}/v2/analytics/organizations`, `(${SLUG})/${tests}`) ??
    under(text, bases.webUrl, `organizations/(${SLUG})/analytics/${tests}`)
  if (match === null)
    throw usageError(say`${JSON.stringify(text)} is not a test of ${bases.webUrl}`)
  const [, org_slug = '', suite_slug = '', test_id = ''] = match
  return { org_slug, suite_slug, test_id }
}

/**
 * Matches a pattern against the path of a URL after `base`, without query and fragment; null if the
 * URL does not begin with `base`.
 */
function under(text: string, base: string, pattern: string): RegExpExecArray | null {
  if (!URL.canParse(text) || !URL.canParse(base)) return null
  const url = new URL(text)
  const root = new URL(base)
  const prefix = root.pathname.replace(/\/$/u, '')
  if (url.origin !== root.origin || !url.pathname.startsWith(`${prefix}/`)) return null
  // Bound: a URL that the user typed.
  return new RegExp(`^/${pattern}/?$`, 'u').exec(url.pathname.slice(prefix.length))
}

export function parsePipelineReference(text: string): {
  org_slug?: string | undefined
  pipeline_slug: string
} {
  // Bound: an argument that the user typed.
  const match = new RegExp(`^(?:(${SLUG})/)?(${SLUG})$`, 'u').exec(text)
  if (match === null)
    throw usageError(say`${JSON.stringify(text)} is not a pipeline; write SLUG or ORG/SLUG`)
  const [, org_slug, pipeline_slug = ''] = match
  return { org_slug, pipeline_slug }
}

export function parseSlug(text: string): string {
  // Bound: an argument that the user typed.
  if (!new RegExp(`^${SLUG}$`, 'u').test(text))
    throw usageError(say`${JSON.stringify(text)} is not a slug`)
  return text
}
