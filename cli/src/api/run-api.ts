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

type Answer = Awaited<ReturnType<CiClient['request']>>

const MAX_PAGES = 10_000

/** Sends the request of `ci api` and prints what comes back; a status that is no success decides the exit code. */
export async function runApi(context: Context, typed: string, flags: ApiFlags): Promise<void> {
  const { out } = context
  if (out.fields !== null) throw usageError(say`ci api takes no --json=FIELDS; filter with --jq`)
  const path = await apiPath(context, typed)
  const body = await apiBody(context.io, flags)
  const isGraphql = /^\/?graphql$/u.test(typed)
  const method = (flags.method ?? (body === undefined && !isGraphql ? 'GET' : 'POST')).toUpperCase()
  if (!/^[A-Z]+$/u.test(method)) throw usageError(say`${JSON.stringify(flags.method)} is no HTTP method`)
  const request = { method, headers: apiHeaders(flags.header), ...(body === undefined ? {} : { body }) }
  if (flags.paginate === true) {
    if (method !== 'GET') throw usageError(say`--paginate reads pages, so it goes with GET only`)
    return paginate(context, path, request, flags)
  }
  const ci = await context.ci()
  const answer = await ci.request({ ...request, path }, { signal: context.signal })
  const bytes = await answer.bytes()
  await printAnswer(context, answer, bytes, flags)
  refuse(method, path, answer, bytes)
}

async function printAnswer(context: Context, answer: Answer, bytes: Uint8Array, flags: ApiFlags): Promise<void> {
  const { io, out } = context
  if (flags.include === true) {
    const headers = [...answer.response.headers].map(([name, value]) => say`${name}: ${value}`)
    await io.stdout.write(lines([say`HTTP ${answer.response.status}`, ...headers, blank]))
  }
  if (flags.silent === true) return
  const succeeded = exitCodeOfStatus(answer.response.status) === 0
  if (out.jq !== null && succeeded) {
    const { runJq } = await import('../io/jq.js')
    const text = await runJq(new TextDecoder().decode(bytes), out.jq)
    return io.stdout.write(io.stdout.isTTY ? whole(text) : machine(text))
  }
  if (!io.stdout.isTTY) return io.stdout.write(bytes)
  const text = new TextDecoder().decode(bytes)
  await io.stdout.write(say`${whole(text)}${text === '' || text.endsWith('\n') ? blank : say`\n`}`)
}

/** @throws CommandError with the exit code of the status, when it is no success. */
function refuse(method: string, path: string, answer: Answer, bytes: Uint8Array): void {
  const { status, requestId } = answer.response
  const exitCode = exitCodeOfStatus(status)
  if (exitCode === 0) return
  const request = requestId === undefined ? null : `request ${requestId}`
  const said = [serverMessage(bytes), request].filter((part) => part !== null)
  throw new CommandError(exitCodeName(exitCode), say`${method} ${path} answered ${status}`, {
    exitCode,
    lines: said.length === 0 ? [] : [joined(said, say` · `)],
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
  request: { method: string; headers: Record<string, string> },
  flags: ApiFlags,
): Promise<void> {
  const ci = await context.ci()
  const seen = new Set<string>()
  const items: string[] = []
  let next: string | null = path
  while (next !== null) {
    if (seen.has(next) || seen.size >= MAX_PAGES) {
      throw new CommandError('unavailable', say`the pages lead in a circle; what was read is not printed`)
    }
    seen.add(next)
    const answer: Answer = await ci.request({ ...request, path: next }, { signal: context.signal })
    const bytes = await answer.bytes()
    if (exitCodeOfStatus(answer.response.status) !== 0) {
      await printAnswer(context, answer, bytes, flags)
      refuse(request.method, next, answer, bytes)
    }
    items.push(arrayInside(bytes, next))
    next = nextLink(answer.response.headers.get('link'), await absolute(context, next))
  }
  const all = `[${items.filter((text) => text.trim() !== '').join(',')}]`
  await printAnswer(context, emptyAnswer, new TextEncoder().encode(all), { ...flags, include: false })
}

const emptyAnswer = { response: { status: 200 } } as Answer

async function absolute(context: Context, path: string): Promise<string> {
  const { baseUrl } = await context.settings()
  return /^https?:/iu.test(path) ? path : `${baseUrl.value}${path}`
}

/** The text between the brackets of a JSON array, bytes as they came. */
function arrayInside(bytes: Uint8Array, path: string): string {
  const text = new TextDecoder().decode(bytes).trim()
  try {
    if (Array.isArray(JSON.parse(text))) return text.slice(1, -1)
  } catch {
    // Told below, with the path.
  }
  throw new CommandError('unavailable', say`${path} did not answer with a JSON array, so its pages cannot be joined`)
}

/** The URL of the next page by a `Link` header, relative to the page's own; null on the last page. */
function nextLink(header: string | null, page: string): string | null {
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
