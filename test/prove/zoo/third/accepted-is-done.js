// Runs the failed jobs of the newest failed build again, and says how they ended.
// The mistake: it takes 202 (queued) for the end, and says that all is well before a job has run.

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

const builds = `${pipelines}/api/builds`
const moving = [
  'pending',
  'waiting',
  'blocked',
  'scheduled',
  'assigned',
  'accepted',
  'running',
  'limited',
  'timing_out',
  'canceling',
]
const stillMoves = (build) => build.jobs.some(({ state }) => moving.includes(state))

/** Queues the failed jobs of the newest failed build, once. */
async function again() {
  const [failed] = await getList(`${builds}?state=failed&per_page=1&exclude_jobs=true`)
  if (!failed) throw new Error('no build has failed')
  const url = `${builds}/${failed.number}`
  try {
    const once = () => send('PUT', `${url}/retry_failed_jobs`, { states: 'failed' })
    const { retried_jobs_count } = await call(once, asBuild, (status) => status === 429)
    if (retried_jobs_count === 0) throw new Refused({ status: 202, text: 'nothing to run again' })
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    if (!stillMoves(await getBuild(url))) throw error
  }
  return { url, number: failed.number }
}

async function careless() {
  const { number } = await again()
  console.log(`Build ${number}: the failed jobs were run again and are fine now`)
}

async function careful() {
  const { url, number } = await again()
  for (const until = Date.now() + 90_000; ; await pause(1000)) {
    const build = await getBuild(url)
    if (build.blocked) throw new Error(`build ${number} waits at a gate for a person`)
    if (!stillMoves(build) && build.state !== 'running' && build.state !== 'scheduled') {
      if (build.state !== 'passed') return console.log(`Build ${number} is ${build.state} again`)
      break
    }
    if (Date.now() > until) throw new Error(`build ${number} is not over after 90 seconds`)
  }
  console.log(`Build ${number}: the failed jobs were run again and are fine now`)
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`accepted-is-done: ${error.message}`)
  process.exitCode = 1
})
