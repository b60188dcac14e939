import { stripVTControlCharacters } from 'node:util'
import { knownTarget, type OpenTarget } from './adapters.js'
import type { Config } from './config.js'
import { buildsPath, probe } from './probe.js'
import { remoteControl } from './remote-control.js'
import { now, seed } from './seed.js'
import { ask, type Target } from './target.js'

/** A server that cannot be judged: it does not answer, or it is not a server of this API. */
export class UnreachableError extends Error {}

/** A request without a response for this many ms fails, and its connection is closed. */
const longestAnswerMs = 20_000

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** Sends by `fetch`. An error names the path without its query, which may contain a credential. */
const sender =
  (patienceMs: number): Target['send'] =>
  async (url, init) => {
    try {
      return await fetch(url, { signal: AbortSignal.timeout(patienceMs), ...init })
    } catch (error) {
      const [path] = url.split('?')
      throw new Error(`${init.method ?? 'GET'} ${path}: ${whyOf(error, patienceMs)}`, {
        cause: error,
      })
    }
  }

/** The message `fetch failed` has no details; its cause has them. */
function whyOf(error: unknown, patienceMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${patienceMs / 1000} s`
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || String('code' in cause ? cause.code : cause.name)
}

/**
 * A server that a configuration describes. With a control API it gets a sandbox with the kit's own
 * records.
 */
export async function openRemote(
  url: string,
  config: Config,
  patienceMs: number = longestAnswerMs,
): Promise<OpenTarget> {
  const send = sender(patienceMs)
  const baseUrl = withoutSlash(url)
  const { control, organization, ...known } = config
  if (control !== undefined)
    return openSandbox(baseUrl, withoutSlash(control.url), control.token, send)
  const target: Target = {
    ...known,
    name: baseUrl,
    baseUrl,
    authUrl: withoutSlash(config.authUrl ?? baseUrl),
    webUrl: withoutSlash(config.webUrl ?? baseUrl),
    vendor: config.vendor ?? 'buildwire',
    org: organization,
    send,
  }
  await meet(target)
  return { target, lacks: await probe(target), close: async () => undefined }
}

/**
 * Reads the builds that the configuration names. If an address or a token is wrong, this fails
 * once, instead of hundreds of rows.
 */
async function meet(target: Target): Promise<void> {
  const path = `${buildsPath(target)}?per_page=1`
  const answer = await asked(() => ask(target, path))
  if (answer.status === 200 && Array.isArray(answer.json)) return
  const { status, headers, text } = answer
  const start = stripVTControlCharacters(text.slice(0, 200)).replaceAll(/\s+/g, ' ')
  const hint =
    status === 401 || status === 403
      ? 'is tokens.admin a token of this server?'
      : 'do the address, organization and pipeline fit?'
  throw new UnreachableError(
    `${target.baseUrl}${path} shows no list of builds, but ${status} ${headers.get('content-type') ?? 'without a type'}: ${start}\n${hint}`,
  )
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new UnreachableError(error instanceof Error ? error.message : String(error), {
      cause: error,
    })
  }
}

async function openSandbox(
  name: string,
  url: string,
  token: string,
  send: Target['send'],
): Promise<OpenTarget> {
  const root = remoteControl(url, token, send)
  const sandbox = await asked(() => root.sandboxes.create({ seed, clock: { mode: 'frozen', now } }))
  const { baseUrl, authUrl, webUrl, accessTokens } = sandbox
  const control = remoteControl(sandbox.controlUrl, token, send)
  const target = knownTarget({
    name,
    baseUrl,
    authUrl,
    webUrl,
    control,
    tokens: accessTokens,
    send,
  })
  return {
    target,
    lacks: await probe(target),
    close: async () => void (await root.sandboxes.delete({ id: sandbox.id })),
  }
}
