import { mergePatch } from './merge-patch.js'
import type { AnswerPatch, CannedAnswer, Preset } from './rule.js'

/** The dialect that a preset's error speaks. */
export type Dialect = 'rest' | 'oauth' | 'graphql' | 'page'

const bodiless = new Set([204, 205, 304])
const jsonType = 'application/json; charset=utf-8'

const bodyOf = ({
  json,
  text,
  base64,
}: CannedAnswer): { body: string | Uint8Array<ArrayBuffer>; type: string } | null => {
  if (json !== undefined) return { body: JSON.stringify(json), type: jsonType }
  if (typeof text === 'string') return { body: text, type: 'text/plain; charset=utf-8' }
  return typeof base64 === 'string'
    ? { body: Uint8Array.from(Buffer.from(base64, 'base64')), type: 'application/octet-stream' }
    : null
}

export const cannedResponse = (canned: CannedAnswer): Response => {
  const content = bodiless.has(canned.status) ? null : bodyOf(canned)
  const headers = new Headers(canned.headers ?? {})
  if (content && !headers.has('content-type')) headers.set('content-type', content.type)
  return new Response(content?.body ?? null, { status: canned.status, headers })
}

const waitSeconds = 1

const rateLimited = (dialect: Dialect, retryAfter: string | null): CannedAnswer => {
  const limit = dialect === 'oauth' ? 60 : 200
  const headers: Record<string, string> = {
    ...(dialect !== 'oauth' && { 'RateLimit-Scope': 'rest' }),
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': String(waitSeconds),
    ...(retryAfter !== null && { 'Retry-After': retryAfter }),
    ...(dialect === 'oauth' && { 'Cache-Control': 'no-store', Pragma: 'no-cache' }),
  }
  const json =
    dialect === 'oauth'
      ? { error: 'temporarily_unavailable', error_description: 'Too many token requests' }
      : {
          message: `You have exceeded your API rate limit. Please wait ${waitSeconds} seconds before making more requests.`,
          scope: 'rest',
          limit,
          current: limit + 1,
          reset: waitSeconds,
        }
  return { status: 429, headers, json }
}

const unavailable = (dialect: Dialect): CannedAnswer => ({
  status: 503,
  headers: { 'Retry-After': '5', ...(dialect === 'oauth' && { 'Cache-Control': 'no-store', Pragma: 'no-cache' }) },
  json:
    dialect === 'oauth'
      ? { error: 'server_error', error_description: 'The service is temporarily unavailable' }
      : { message: 'Service unavailable' },
})

const badGateway: CannedAnswer = {
  status: 502,
  headers: { 'Content-Type': 'text/html' },
  text: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
}

/** Presets that answer in place of the server; the others spoil its answer. */
const answers: { readonly [P in Preset]?: (dialect: Dialect, now: number) => CannedAnswer } = {
  rateLimited: (dialect) => rateLimited(dialect, null),
  rateLimitedSeconds: (dialect) => rateLimited(dialect, String(waitSeconds)),
  // An HTTP date has whole seconds: rounded up, it never says "now".
  rateLimitedHttpDate: (dialect, now) =>
    rateLimited(dialect, new Date(Math.ceil(now / 1000 + waitSeconds) * 1000).toUTCString()),
  unavailable,
  badGatewayHtml: () => badGateway,
}

/** `now` is the sandbox clock's. */
export const presetAnswer = (preset: Preset, dialect: Dialect, now: number): CannedAnswer | null =>
  answers[preset]?.(dialect, now) ?? null

const withBody = async (response: Response, change: (body: string) => string, type?: string): Promise<Response> => {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  if (type !== undefined) headers.set('content-type', type)
  const body = bodiless.has(response.status) ? null : change(await response.text())
  return new Response(body, { status: response.status, headers })
}

const spoils: { readonly [P in Preset]?: (response: Response) => Promise<Response> } = {
  truncatedJson: (response) => withBody(response, (body) => body.slice(0, Math.floor(body.length / 2))),
  wrongContentType: (response) => withBody(response, (body) => body, 'text/html; charset=utf-8'),
  emptyBody: (response) => withBody(response, () => ''),
}

/** The server's answer, spoilt as a preset says. */
export const spoil = async (preset: Preset, response: Response): Promise<Response> =>
  spoils[preset]?.(response) ?? response

const patchedJson = (text: string, patch: Readonly<Record<string, unknown>>): string => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What is no JSON is replaced, as a merge patch on anything but an object does.
    return JSON.stringify(mergePatch(undefined, patch))
  }
  return JSON.stringify(Array.isArray(value) ? value.map((item) => mergePatch(item, patch)) : mergePatch(value, patch))
}

/** The server's answer with a patch on status, headers and JSON; the records of a list are patched one by one. */
export const patchResponse = async (response: Response, { status, headers, json }: AnswerPatch): Promise<Response> => {
  const patched = json ? await withBody(response, (body) => patchedJson(body, json)) : response
  const changed = new Headers(patched.headers)
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  const code = status ?? patched.status
  return new Response(bodiless.has(code) ? null : patched.body, { status: code, headers: changed })
}
