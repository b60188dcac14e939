import type { Failure } from '../domain/decision.js'
import { isPlainObject } from '../fields/field.js'
import { failureAnswer } from '../http/failure.js'
import type { PathKind } from '../http/target.js'
import type { AnswerPatch, CannedAnswer, Preset } from './rule.js'

const bodiless = new Set([204, 205, 304])
const jsonType = 'application/json; charset=utf-8'

function bodyOf({ json, text, base64 }: CannedAnswer) {
  if (json !== undefined) return { type: jsonType, body: JSON.stringify(json) }
  if (typeof text === 'string') return { type: 'text/plain; charset=utf-8', body: text }
  return {
    type: 'application/octet-stream',
    body: typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null,
  }
}

export function cannedResponse(canned: CannedAnswer): Response {
  const { type, body } = bodiless.has(canned.status) ? { type: '', body: null } : bodyOf(canned)
  const headers = new Headers(canned.headers ?? {})
  if (body !== null && !headers.has('content-type')) headers.set('content-type', type)
  return new Response(body, { status: canned.status, headers })
}

const waitSeconds = 1

/** A refusal as the server answers it. */
function refusal(kind: PathKind, failure: Failure): CannedAnswer {
  const { status, headers, body } = failureAnswer(failure, kind)
  const caching = kind === 'oauth' && { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
  return { status, headers: { ...headers, ...caching }, json: body }
}

function rateLimited(kind: PathKind, retryAfter?: string): CannedAnswer {
  const limit = kind === 'oauth' ? 60 : 200
  return refusal(kind, {
    code: 'rate_limited',
    message: `You have exceeded your API rate limit. Please wait ${waitSeconds} seconds before making more requests.`,
    body: { scope: 'rest', limit, current: limit + 1, reset: waitSeconds },
    headers: {
      ...(kind !== 'oauth' && { 'RateLimit-Scope': 'rest' }),
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': String(waitSeconds),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    },
  })
}

const badGateway: CannedAnswer = {
  status: 502,
  headers: { 'Content-Type': 'text/html' },
  text: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
}

/**
 * The presets that replace the answer of the server. `now` is the time of the sandbox clock. The
 * other presets damage the server's answer.
 */
export const presetAnswers: {
  readonly [P in Preset]?: (kind: PathKind, now: number) => CannedAnswer
} = {
  rateLimited: (kind) => rateLimited(kind),
  rateLimitedSeconds: (kind) => rateLimited(kind, String(waitSeconds)),
  // An HTTP date has whole seconds. It is rounded up, so that it is not in the past.
  rateLimitedHttpDate: (kind, now) =>
    rateLimited(kind, new Date(Math.ceil(now / 1000 + waitSeconds) * 1000).toUTCString()),
  unavailable: (kind) => refusal(kind, { code: 'unavailable', message: 'Service unavailable' }),
  badGatewayHtml: () => badGateway,
}

async function withBody(
  response: Response,
  change: (body: string) => string,
  type?: string,
): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  if (type !== undefined) headers.set('content-type', type)
  const body = bodiless.has(response.status) ? null : change(await response.text())
  return new Response(body, { status: response.status, headers })
}

const spoils: { readonly [P in Preset]?: (response: Response) => Promise<Response> } = {
  truncatedJson: (response) =>
    withBody(response, (body) => body.slice(0, Math.floor(body.length / 2))),
  wrongContentType: (response) => withBody(response, (body) => body, 'text/html; charset=utf-8'),
  emptyBody: (response) => withBody(response, () => ''),
}

export async function spoil(preset: Preset, response: Response): Promise<Response> {
  return spoils[preset]?.(response) ?? response
}

/** Applies a JSON merge patch (RFC 7396): null removes a member, objects merge, others replace. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch
  const merged = new Map(Object.entries(isPlainObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

function patchedJson(text: string, patch: Readonly<Record<string, unknown>>): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Text that is not JSON is replaced, as a merge patch replaces any value but an object.
    return JSON.stringify(mergePatch(undefined, patch))
  }
  return JSON.stringify(
    Array.isArray(value) ? value.map((item) => mergePatch(item, patch)) : mergePatch(value, patch),
  )
}

/** Patches status, headers and JSON of the server's answer. Of a list, each record is patched. */
export async function patchResponse(
  response: Response,
  { status, headers, json }: AnswerPatch,
): Promise<Response> {
  const patched = json ? await withBody(response, (body) => patchedJson(body, json)) : response
  const changed = new Headers(patched.headers)
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  const code = status ?? patched.status
  return new Response(bodiless.has(code) ? null : patched.body, { status: code, headers: changed })
}
