// Starts five builds of a branch and cancels all that are not over, two on a page.
// The mistake: it cancels while it turns the pages, and the list of what is not over gets shorter under
// its hands: every second page is skipped.
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

/** The link to the next page, which must lie on the same service: the token goes with it. */
function nextOf({ headers }) {
  const next = /<([^>]*)>;\s*rel="?next"?/.exec(headers.link ?? '')?.[1]
  if (next && new URL(next).origin !== new URL(base).origin)
    throw new Error('the next page lies elsewhere')
  return next
}

const builds = `${pipelines}/web/builds`
const branch = 'try/cancels-while-paging'

async function begin() {
  for (let left = 5; left > 0; left--) await start('web', { branch, message: `Queued (${left})` })
}

/** The pages of builds that are not over. */
async function* pages() {
  const named = encodeURIComponent(branch)
  const query = `branch=${named}&state=scheduled&state=running&exclude_jobs=true&per_page=2`
  for (let url = `${builds}?${query}`; url; ) {
    const here = url
    const once = () => send('GET', here)
    const [page, next] = await call(once, (answer) => [asList(answer), nextOf(answer)])
    yield page
    url = next
  }
}

async function careless() {
  await begin()
  let count = 0
  for await (const page of pages())
    for (const { number } of page) {
      await cancel(`${builds}/${number}`)
      count++
    }
  console.log(`All ${count} builds of the branch are canceled`)
}

async function careful() {
  await begin()
  const numbers = new Set()
  for await (const page of pages()) for (const { number } of page) numbers.add(number)
  let trouble
  for (const number of numbers)
    await cancel(`${builds}/${number}`).catch((error) => {
      // One that is over needs no cancel: what counts is what is left.
      trouble ??= error
    })
  for await (const [left] of pages())
    if (left) throw trouble ?? new Error(`build ${left.number} is not over`)
  console.log(`All ${numbers.size} builds of the branch are canceled`)
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`cancels-while-paging: ${error.message}`)
  process.exitCode = 1
})
