// Starts a build to see that it can be started, and cancels it again.
// The mistake: when the answer is lost it takes the newest build for its own, and cancels it.
import { randomUUID } from 'node:crypto'

const {
  BUILDWIRE_BASE_URL: base,
  BUILDWIRE_TOKEN: token,
  BUILDWIRE_ORG: org = 'acme',
} = process.env
const pipelines = `${base}/v2/organizations/${org}/pipelines`
const deadline = 6_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
async function send(method, url, body, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, accept: 'application/json' }
  if (body) headers['content-type'] = 'application/json'
  const signal = AbortSignal.timeout(deadline)
  const init = { method, headers, signal, redirect: 'manual' }
  const response = await fetch(url, body ? { ...init, body: JSON.stringify(body) } : init)
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text }
}

class Refused extends Error {
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
async function call(once, use, again = passing) {
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

function json({ headers, text }) {
  if (!/json/.test(headers['content-type'] ?? '')) throw new Error('the answer is not JSON')
  return JSON.parse(text)
}
const asBuild = (answer) => {
  const build = json(answer)
  if (!Number.isInteger(build?.number) || !build.state) throw new Error('the answer is no build')
  return build
}
const asList = (answer) => {
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error('the answer is no list')
  return list
}
const getBuild = (url) => call(() => send('GET', url), asBuild)
const getList = (url) => call(() => send('GET', url), asList)

/** Cancels a build. When the answer is lost or a refusal, the build itself says whether it is done. */
async function cancel(url) {
  try {
    await call(() => send('PUT', `${url}/cancel`), asBuild)
  } catch (error) {
    const { state } = await getBuild(`${url}?exclude_jobs=true`)
    if (state !== 'canceled' && state !== 'canceling') throw error
  }
}

const builds = `${pipelines}/docs/builds`

async function probe(lookUp) {
  const mark = randomUUID()
  const body = {
    commit: 'HEAD',
    branch: 'main',
    message: 'Only a probe',
    meta_data: { request: mark },
  }
  let build
  try {
    build = await call(
      () => send('POST', builds, body),
      asBuild,
      (status) => status === 429,
    )
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    const [found] = await getList(`${builds}?${lookUp(mark)}&exclude_jobs=true`)
    if (!found) throw new Error(`${error.message}; whether a build was started is not known`)
    build = found
  }
  await cancel(`${builds}/${build.number}`)
  console.log(`Builds can be started: ${build.number} was, and is canceled`)
}

const careless = () => probe(() => 'per_page=1')
const careful = () => probe((mark) => `meta_data[request]=${mark}`)

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`adopts-newest: ${error.message}`)
  process.exitCode = 1
})
