import {
  BodyTooLargeError,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from '@buildwire/sdk'

/** An answer as a test writes it. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
}

/** One request as the test sees it. */
export interface Asked {
  readonly url: string
  readonly form: URLSearchParams
  readonly request: TransportRequest
  readonly options: TransportOptions
  readonly index: number
}

export type Step = Reply | ((asked: Asked) => Reply | Promise<Reply>)

/** More requests than any test makes: a client that never stops must fail, not hang. */
const endless = 1000

/**
 * A transport that answers by a script, whose last step repeats, and remembers what it was asked.
 */
export function scripted(...steps: readonly Step[]): { transport: Transport; asked: Asked[] } {
  const asked: Asked[] = []
  const transport: Transport = async (request, options) => {
    const form = new URLSearchParams(request.body)
    const entry = { url: request.url, form, request, options, index: asked.length }
    asked.push(entry)
    const step = steps[Math.min(entry.index, steps.length - 1)]
    if (step === undefined) throw new Error('the script has no step')
    if (asked.length > endless) throw new Error('the script is asked for ever')
    return response(typeof step === 'function' ? await step(entry) : step)
  }
  return { transport, asked }
}

function response({ status = 200, headers = {}, json, text }: Reply): TransportResponse {
  const body = text ?? JSON.stringify(json ?? {})
  const known = new Map(Object.entries({ 'content-type': 'application/json', ...headers }))
  return {
    status,
    header: (name) => known.get(name),
    entries: () => known.entries(),
    text: async (maxBytes) => {
      if (body.length > maxBytes) throw new BodyTooLargeError(maxBytes)
      return body
    },
    bytes: async () => new TextEncoder().encode(body),
    async *stream() {
      yield new TextEncoder().encode(body)
    },
    discard: async () => {},
  }
}

/** An OAuth refusal. */
export const refusal = (error: string, error_description?: string, status = 400): Reply => ({
  status,
  json: { error, ...(error_description === undefined ? {} : { error_description }) },
})

/** A failure as the network makes it. */
export function netError(code: string, syscall?: string): Error {
  return Object.assign(new Error(`${syscall ?? 'socket'} ${code}`), {
    code,
    ...(syscall ? { syscall } : {}),
  })
}

/** A step that fails instead of answering. */
export const fails = (code: string, syscall?: string) => (): Reply => {
  throw netError(code, syscall)
}

/** A promise that never settles, as a server that accepts and never answers. */
export const never = (): Promise<Reply> => new Promise(() => {})
