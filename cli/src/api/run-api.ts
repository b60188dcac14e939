import { type CiClient, findLink, parseLinkHeader } from '@buildwire/sdk'
import { isJsonObject } from '../config/json-file.js'
import { sameOrigin } from '../config/settings.js'
import type { Context } from '../context/context.js'
import { CommandError, usageError } from '../io/command-error.js'
import { exitCodeName, exitCodeOfStatus } from '../io/exit-codes.js'
import { bytes as machine } from '../io/machine.js'
import { blank, joined, lines, say, whole } from '../io/printable.js'
import { type ApiFlags, apiBody, apiHeaders } from './body.js'
import { apiPath } from './path.js'

type Response = Awaited<ReturnType<CiClient['request']>>['response']

interface ApiRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

const MAX_PAGES = 10_000

/** Sends the request of `ci api` and prints the response; an error status sets the exit code. */
export async function runApi(context: Context, typed: string, flags: ApiFlags): Promise<void> {
  const path = await apiPath(context, typed)
  const body = await apiBody(context.io, flags)
  const isGraphql = /^\/?graphql$/u.test(typed)
  const method = (flags.method ?? (body === undefined && !isGraphql ? 'GET' : 'POST')).toUpperCase()
  if (!/^[A-Z]+$/u.test(method))
    throw usageError(say`${JSON.stringify(flags.method)} is not an HTTP method`)
  const request = {
    method,
    headers: apiHeaders(flags.header),
    ...(body === undefined ? {} : { body }),
  }
  if (flags.paginate === true) {
    if (method !== 'GET') throw usageError(say`--paginate reads pages, so it needs GET`)
    return paginate(context, path, request, flags)
  }
  const answered = await send(context, path, request, flags)
  await printBody(context, answered.bytes, flags)
}

/** Sends one request and prints its head for `--include`; throws if the status is an error. */
async function send(context: Context, path: string, request: ApiRequest, flags: ApiFlags) {
  const { io } = context
  const ci = await context.ci()
  const answer = await ci.request({ ...request, path }, { signal: context.signal })
  const { status, headers } = answer.response
  const bytes = await answer.bytes()
  const failed = exitCodeOfStatus(status) !== 0
  if (flags.include === true && (failed || flags.paginate !== true)) {
    const head = [...headers].map(([name, value]) => say`${name}: ${value}`)
    await io.stdout.write(lines([say`HTTP ${status}`, ...head, blank]))
  }
  if (failed) {
    await printBody(context, bytes, flags, null)
    throw refusal(request.method, path, answer.response, bytes)
  }
  return { bytes, link: headers.get('link') }
}

async function printBody(
  { io, out, interrupts }: Context,
  bytes: Uint8Array,
  flags: ApiFlags,
  jq = out.jq,
): Promise<void> {
  if (flags.silent === true) return
  if (jq !== null) {
    const { runJq } = await import('../io/jq.js')
    const json = new TextDecoder().decode(bytes)
    const text = await interrupts.unguarded(() => runJq(json, jq))
    return io.stdout.write(io.stdout.isTTY ? whole(text) : machine(text))
  }
  if (!io.stdout.isTTY) return io.stdout.write(bytes)
  const text = new TextDecoder().decode(bytes)
  await io.stdout.write(say`${whole(text)}${text === '' || text.endsWith('\n') ? blank : say`\n`}`)
}

function refusal(
  method: string,
  path: string,
  { status, requestId }: Response,
  bytes: Uint8Array,
): CommandError {
  const exitCode = exitCodeOfStatus(status)
  const parts = [serverMessage(bytes), requestId && `request ${requestId}`].filter(
    (part) => part != null,
  )
  return new CommandError(exitCodeName(exitCode), say`${method} ${path} answered ${status}`, {
    exitCode,
    lines: parts.length === 0 ? [] : [joined(parts, say` · `)],
  })
}

function serverMessage(bytes: Uint8Array): string | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isJsonObject(value) && typeof value.message === 'string' ? value.message : null
  } catch {
    return null
  }
}

/** Follows `rel="next"` and prints the arrays of all pages as one. */
async function paginate(
  context: Context,
  path: string,
  request: ApiRequest,
  flags: ApiFlags,
): Promise<void> {
  const { baseUrl } = await context.settings()
  const seen = new Set<string>()
  const items: string[] = []
  for (let next: string | null = path; next !== null; ) {
    if (seen.has(next) || seen.size >= MAX_PAGES) {
      throw new CommandError('unavailable', say`the pages form a circle, so nothing is printed`)
    }
    seen.add(next)
    const { bytes, link } = await send(context, next, request, flags)
    items.push(arrayInside(bytes, next))
    next = nextLink(link, /^https?:/iu.test(next) ? next : `${baseUrl.value}${next}`)
  }
  const all = `[${items.filter((text) => text.trim() !== '').join(',')}]`
  await printBody(context, new TextEncoder().encode(all), flags)
}

/** The text between the brackets of a JSON array, unchanged. */
function arrayInside(bytes: Uint8Array, path: string): string {
  const text = new TextDecoder().decode(bytes).trim()
  try {
    if (Array.isArray(JSON.parse(text))) return text.slice(1, -1)
  } catch {
    // The error below names the path.
  }
  throw new CommandError(
    'unavailable',
    say`${path} did not return a JSON array, so its pages cannot be joined`,
  )
}

/**
 * The URL of the next page by a `Link` header, relative to the page's own; null on the last page.
 */
function nextLink(header: string | null, page: string): string | null {
  if (header === null || header.trim() === '') return null
  let target: string | undefined
  try {
    target = findLink(parseLinkHeader(header), 'next')
  } catch (cause) {
    throw new CommandError('unavailable', say`the response has a Link header that cannot be read`, {
      cause,
    })
  }
  if (target === undefined) return null
  const next = new URL(target, page).href
  if (!sameOrigin(next, page)) {
    throw new CommandError(
      'unavailable',
      say`the next page is on ${new URL(next).origin}; nothing was sent there`,
    )
  }
  return next
}
