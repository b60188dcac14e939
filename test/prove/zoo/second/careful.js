// What the careful twins share: a deadline for each request, a few tries of what may be tried
// again, an honest end.
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'

const { BUILDWIRE_BASE_URL, BUILDWIRE_TOKEN, BUILDWIRE_ORG = 'acme' } = process.env
export const api = `${BUILDWIRE_BASE_URL}/v2`
export const org = `${api}/organizations/${BUILDWIRE_ORG}`
export const authorization = `Bearer ${BUILDWIRE_TOKEN}`
export const deadline = 6_000
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs the twin that the command line names. An error ends it with a message and exit code 1. */
export const main = async (twins) => {
  const twin = twins[process.argv[2]]
  if (!twin) throw new Error('Say careless or careful')
  await twin().catch((error) => {
    console.error(`${basename(process.argv[1])}: ${error.message}`)
    process.exitCode = 1
  })
}

/** A refusal by the service: the request arrived, and was not carried out or failed. */
export class Refused extends Error {
  constructor(status, text) {
    super(`The service answered ${status}: ${text.slice(0, 200)}`)
    this.status = status
  }
}

const passing = [429, 500, 502, 503, 504]
const longest = 60_000

/** How long to wait after an answer: as it says, in seconds or as a date of its own clock. */
const waitAfter = (headers, tried) => {
  const said = headers?.get('retry-after') ?? headers?.get('ratelimit-reset')
  if (!said) return 200 * 2 ** (tried - 1)
  if (/^\d+$/.test(said)) return Number(said) * 1000
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return Math.max(0, Date.parse(said) - now) || 1000
}

/**
 * Calls `send` up to four times until `use` can use its answer `{ status, headers, text }`.
 * Only for requests that do no harm when they arrive twice, unless `again` narrows it down.
 */
export async function patiently(
  send,
  use,
  again = (status) => !status || passing.includes(status),
) {
  for (let tried = 1; ; tried++) {
    let answer
    try {
      answer = await send()
      if (answer.status >= 200 && answer.status < 300) return await use(answer)
      throw new Refused(answer.status, answer.text)
    } catch (error) {
      const refused = error instanceof Refused ? error.status : undefined
      if (tried === 4 || !again(refused)) throw error
      const wait = waitAfter(refused && answer.headers, tried)
      if (wait > longest)
        throw new Error(`${error.message} (it wants ${wait / 1000} s of patience)`)
      await pause(wait)
    }
  }
}

export const asJson = ({ headers, text }) => {
  if (!/json/.test(headers.get('content-type') ?? '')) throw new Error('The answer is not JSON')
  return JSON.parse(text)
}
export const asList = (answer) => {
  const list = asJson(answer)
  if (!Array.isArray(list)) throw new Error('The answer is not a list')
  return list
}
export const asBuild = (answer) => {
  const build = asJson(answer)
  if (!Number.isInteger(build?.number) || !build.state) throw new Error('The answer is no build')
  return build
}

/** The page after this one, which must lie on the same service. */
export const nextPage = (headers) => {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  if (next && !next.startsWith(`${api}/`)) throw new Error('The next page lies elsewhere')
  return next
}

/** One request by fetch, answer and all, within the deadline. */
const request = async (url, init) => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(deadline) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
export const once = (url, init = {}) =>
  request(url, { ...init, headers: { authorization, accept: 'application/json', ...init.headers } })
export const postForm = (url, fields) =>
  request(url, { method: 'POST', body: new URLSearchParams(fields) })

export const getList = (url) => patiently(() => once(url), asList)
export const getBuild = (url) => patiently(() => once(url), asBuild)

/** A whole list, page by page, each record once although pages shift when new records come. */
export async function getAll(url, send = once) {
  const all = new Map()
  for (let next = url; next; ) {
    next = await patiently(
      () => send(next),
      (answer) => {
        for (const record of asList(answer)) all.set(record.id, record)
        return nextPage(answer.headers)
      },
    )
  }
  return [...all.values()]
}

/** Starts one build. When the answer is lost, it looks for the build and starts no other. */
export async function start(pipeline, fields = {}) {
  const request = randomUUID()
  const builds = `${org}/pipelines/${pipeline}/builds`
  const body = { commit: 'HEAD', branch: 'main', ...fields, meta_data: { request } }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    return await patiently(
      () => once(builds, init),
      asBuild,
      (status) => status === 429,
    )
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    const [found] = await getList(`${builds}?meta_data[request]=${request}&exclude_jobs=true`)
    if (found) return found
    throw new Error(
      `${error.message} (whether a build was started is not known: none is to be seen)`,
    )
  }
}

const ends = ['passed', 'failed', 'canceled', 'skipped', 'not_run', 'waiting_failed']

/** Whether a build moves no more. An unknown state is judged by the time of its end. */
export const isOver = (build) => ends.includes(build.state) || Boolean(build.finished_at)

/** Waits until a build is over, which it is not while it waits at a gate; not for ever. */
export async function over(url, patience = 90_000) {
  for (const until = Date.now() + patience; ; ) {
    const build = await getBuild(`${url}?exclude_jobs=true`)
    if (build.blocked) throw new Error(`Build ${build.number} waits at a gate for a person`)
    if (isOver(build)) return build
    if (Date.now() > until) throw new Error(`Build ${build.number} is still ${build.state}`)
    await pause(1000)
  }
}
