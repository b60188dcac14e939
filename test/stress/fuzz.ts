import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { type Control, createMockServer } from '@buildwire/mock-server'
import { type Operation, operations } from '@buildwire/sdk/contract'
import fc from 'fast-check'
import { type FuzzRequest, type FuzzWorld, fuzzRequest, rawBytes } from './fuzz-requests.js'
import type { StressTask } from './task.js'

interface FuzzResponse {
  readonly status: number
  readonly type: string
  readonly body: string
}

function send(
  agent: Agent,
  port: number,
  { method, path, headers, body }: FuzzRequest,
): Promise<FuzzResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { agent, host: '127.0.0.1', port, method, path, headers, timeout: 20_000 },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: text,
          }),
        )
        response.on('error', reject)
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer within 20 s')))
    request.on('error', reject)
    request.on('continue', () => undefined)
    request.end(body)
  })
}

/** Sends bytes on a new socket. Resolves when the server has answered or closed the connection. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes, 'latin1'))
    socket.setTimeout(20_000, () => socket.destroy(new Error('no end within 20 s')))
    socket.on('data', (part) => {
      text += part.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(text) : reject(error),
    )
    socket.on('close', () => resolve(text))
  })
}

/** The error of a response, or null. */
export function fault(
  request: Pick<FuzzRequest, 'method'>,
  { status, type, body }: FuzzResponse,
): string | null {
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  if (status < 200) return `status ${status}`
  if (request.method === 'HEAD' || status === 204 || status === 303)
    return body === '' ? null : `a body beside status ${status}`
  if (type.startsWith('application/json')) {
    try {
      JSON.parse(body)
      return null
    } catch {
      return `broken JSON with status ${status}: ${body.slice(0, 200)}`
    }
  }
  const known = ['text/html', 'text/plain', 'text/css', 'image/svg+xml'].some((name) =>
    type.startsWith(name),
  )
  if (!known) return `content type ${JSON.stringify(type)} with status ${status}`
  return status >= 400 && body === '' ? `an empty body with status ${status}` : null
}

const batch = 250
const scopes = [
  ...new Set(Object.values<Operation>(operations).flatMap(({ scope }) => scope ?? [])),
]

/** Each batch gets new tokens, because the fuzzer revokes those that it has. */
const freshTokens = (control: Control): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const granted = index === 0 ? [] : index < 4 ? ['read_builds'] : scopes
      const made = await control.accessTokens.create({
        user: 'robin@acme.example',
        scopes: granted,
        expires_in: 3600,
      })
      return made.access_token
    }),
  )

/**
 * No input may cause a 5xx, a hang, an empty error, or a response whose body does not match its
 * content type.
 */
export const run: StressTask = async ({ within, seed, requests = 20_000, log }) => {
  const server = createMockServer({
    seed: 'demo',
    strict: false,
    lifecycle: { policy: 'immediate' },
  })
  const { port } = await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const jobs = await fetch(`${server.baseUrl}/v2/organizations/acme/builds?per_page=5`, {
    headers: { authorization: `Bearer ${accessTokens['admin']}` },
  }).then(async (answer) => (await answer.json()) as { number: number; jobs: { id: string }[] }[])
  const world: Omit<FuzzWorld, 'tokens'> = {
    controlToken: server.controlToken,
    names: {
      org_slug: ['acme', 'acme', 'acme', 'acme', 'acme', 'acme', 'orbit', 'nobody'],
      pipeline_slug: ['web', 'api', 'mobile', 'infra', 'docs', 'nightly', 'nothing'],
      suite_slug: ['web-unit', 'nothing'],
      number: [...jobs.map(({ number }) => String(number)), '1', '0', '999999'],
      job_id: [...jobs.flatMap((build) => build.jobs.map(({ id }) => id)).slice(0, 10), 'x'],
      test_id: ['00000000-0000-4000-8000-000000000000', 'x'],
    },
  }
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  const statuses = new Map<string, number>()
  let sent = 0
  let raw = 0
  let failure: string | undefined
  try {
    while (failure === undefined && sent < requests && within()) {
      const tokens = await freshTokens(server.control)
      const wave = fc.sample(fuzzRequest({ ...world, tokens }), {
        seed: seed + sent,
        numRuns: Math.min(batch, requests - sent),
      })
      const answers = await Promise.allSettled(wave.map((request) => send(agent, port, request)))
      for (const [index, answer] of answers.entries()) {
        const request = wave[index]
        if (request === undefined) continue
        const what =
          answer.status === 'rejected'
            ? isUnsendable(answer.reason)
              ? null
              : String(answer.reason)
            : fault(request, answer.value)
        if (what !== null) failure ??= `${what}\n    ${JSON.stringify(request).slice(0, 1500)}`
        const status = answer.status === 'fulfilled' ? String(answer.value.status) : 'not sent'
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      sent += wave.length
      for (const bytes of fc.sample(rawBytes, { seed: seed + sent, numRuns: 5 })) {
        const text = await sendRaw(port, bytes)
        raw += 1
        if (/^HTTP\/1\.1 5/.test(text))
          failure ??= `${text.slice(0, 200)}\n    raw ${JSON.stringify(bytes)}`
      }
      if (sent % 5000 === 0) log(`${sent} requests`)
    }
    const { internalErrors } = await server.control.info.get()
    if (internalErrors > 0) failure ??= `${internalErrors} internal errors counted by the server`
    if (rejections.length > 0) failure ??= `unhandled rejection: ${String(rejections[0])}`
  } finally {
    process.off('unhandledRejection', onRejection)
    agent.destroy()
    await server.close()
  }
  return {
    figures: { requests: sent, 'raw sockets': raw, ...Object.fromEntries(statuses) },
    failure,
  }
}

/**
 * Node's client refuses some of the generated requests (a lone surrogate in a header, a reset after
 * an early refusal).
 */
function isUnsendable(reason: unknown): boolean {
  const code = (reason as NodeJS.ErrnoException | null)?.code
  return (
    code === 'ERR_INVALID_CHAR' ||
    code === 'ERR_UNESCAPED_CHARACTERS' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE'
  )
}
