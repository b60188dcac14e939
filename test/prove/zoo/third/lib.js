/**
 * What the clients of this folder have in common: everything but their way to send a request, and their
 * mistake.
 */
import { randomUUID } from 'node:crypto'

export const {
  BUILDWIRE_BASE_URL: base,
  BUILDWIRE_TOKEN: token,
  BUILDWIRE_ORG: org = 'acme',
} = process.env
export const pipelines = `${base}/v2/organizations/${org}/pipelines`
export const deadline = 6_000
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export class Refused extends Error {
  constructor({ status, text }) {
    super(`the service answered ${status}: ${text.slice(0, 120)}`)
    this.status = status
  }
}

/** How long the service wants us to wait, in seconds or as a date of its own clock; else a growing pause. */
function delay({ status, headers } = {}, tried) {
  const said = headers?.['retry-after'] ?? (status === 429 ? headers['ratelimit-reset'] : undefined)
  if (said === undefined) return 200 * 2 ** tried
  const now = Date.parse(headers.date ?? '') || Date.now()
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now
  return ms > 0 ? ms : 1000
}

const passing = (status) => status === undefined || [429, 500, 502, 503, 504].includes(status)

/** Tries up to four times until `use` can use an answer. Where a repetition could do harm, `again` narrows it. */
export async function call(once, use, again = passing) {
  for (let tried = 1; ; tried++) {
    let answer
    try {
      answer = await once()
      if (answer.status < 200 || answer.status > 299) throw new Refused(answer)
      return use(answer)
    } catch (error) {
      const refused = error instanceof Refused
      const ms = delay(refused ? answer : undefined, tried)
      if (tried === 4 || ms > 60_000 || !again(refused ? error.status : undefined)) throw error
      await pause(ms)
    }
  }
}

/** The JSON of an answer. */
export function json({ headers, text }) {
  if (!/json/.test(headers['content-type'] ?? '')) throw new Error('the answer is not JSON')
  return JSON.parse(text)
}

export function asBuild(answer) {
  const build = json(answer)
  if (!Number.isInteger(build?.number) || !build.state) throw new Error('the answer is no build')
  return build
}

export function asList(answer) {
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error('the answer is no list')
  return list
}

/** The link to the next page, which must lie on the same service: the token goes with it. */
export function nextOf({ headers }) {
  const next = /<([^>]*)>;\s*rel="?next"?/.exec(headers.link ?? '')?.[1]
  if (next && new URL(next).origin !== new URL(base).origin)
    throw new Error('the next page lies elsewhere')
  return next
}

const ends = ['passed', 'failed', 'canceled', 'skipped', 'not_run', 'waiting_failed']

/** Waits until a build is over, which it is not at a gate. */
export async function over(url, read) {
  for (const until = Date.now() + 90_000; Date.now() < until; await pause(1000)) {
    const build = await read(`${url}?exclude_jobs=true`)
    if (build.blocked) throw new Error(`build ${build.number} waits at a gate for a person`)
    if (ends.includes(build.state) || build.finished_at) return build
  }
  throw new Error('the build is not over after 90 seconds')
}

/** The calls that most clients make, over a way to send a request. */
export function clientOf(send) {
  const getBuild = (url) => call(() => send('GET', url), asBuild)
  const getList = (url) => call(() => send('GET', url), asList)

  /** Starts one build. If the answer is lost, it looks for that build by its own mark and starts no other. */
  async function start(pipeline, fields) {
    const request = randomUUID()
    const builds = `${pipelines}/${pipeline}/builds`
    const body = { commit: 'HEAD', branch: 'main', ...fields, meta_data: { request } }
    try {
      return await call(
        () => send('POST', builds, body),
        asBuild,
        (status) => status === 429,
      )
    } catch (error) {
      if (error instanceof Refused && error.status < 500) throw error
      const [found] = await getList(`${builds}?meta_data[request]=${request}&exclude_jobs=true`)
      if (found) return found
      throw new Error(`${error.message}; whether a build was started is not known`)
    }
  }

  /** Cancels a build. When the answer is lost or a refusal, the build itself says whether it is done. */
  async function cancel(url) {
    try {
      await call(() => send('PUT', `${url}/cancel`), asBuild)
    } catch (error) {
      const { state } = await getBuild(`${url}?exclude_jobs=true`)
      if (state !== 'canceled' && state !== 'canceling') throw error
    }
  }

  return { getBuild, getList, start, cancel }
}

/** Runs the twin that the first argument names. */
export async function runTwin(twins) {
  const twin = twins[process.argv[2]]
  if (!twin) throw new Error('Say careless or careful')
  try {
    await twin()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
