// Starts three builds of a branch and cancels them all, since the branch goes away.
// The mistake: the first refusal ends the loop, so that the builds after it run on.
import { randomUUID } from 'node:crypto'
import axios from 'axios'

const {
  BUILDWIRE_BASE_URL: base,
  BUILDWIRE_TOKEN: token,
  BUILDWIRE_ORG: org = 'acme',
} = process.env
const pipelines = `${base}/v2/organizations/${org}/pipelines`
const deadline = 6_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
async function send(method, url, data) {
  const {
    status,
    headers,
    data: text,
  } = await axios.request({
    method,
    url,
    data,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    responseType: 'text',
    transformResponse: (body) => body,
    validateStatus: () => true,
    maxRedirects: 0,
    proxy: false,
    signal: AbortSignal.timeout(deadline),
  })
  return { status, headers, text }
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
const ends = ['passed', 'failed', 'canceled', 'skipped', 'not_run']

const builds = `${pipelines}/docs/builds`
const branch = 'try/stops-at-first-refusal'

async function begin() {
  const started = []
  for (const message of ['One', 'Two', 'Three'])
    started.push(await start('docs', { branch, message }))
  return started.map(({ number }) => `${builds}/${number}`)
}

async function careless() {
  for (const url of await begin()) await cancel(url)
  console.log('All builds of the branch are canceled')
}

async function careful() {
  const left = []
  for (const url of await begin())
    try {
      await cancel(url)
    } catch (error) {
      // One that is over needs no cancel. Whatever else went wrong, the others come first.
      const build = await getBuild(url).catch(() => undefined)
      if (!ends.includes(build?.state)) left.push(`${url.split('/').at(-1)} (${error.message})`)
    }
  if (left.length > 0) throw new Error(`these may still run: ${left.join(', ')}`)
  console.log('No build of the branch runs any more')
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`stops-at-first-refusal: ${error.message}`)
  process.exitCode = 1
})
