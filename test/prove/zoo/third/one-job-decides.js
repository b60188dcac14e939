// Starts a build, waits for it, and starts the docs when it has passed.
// The mistake: the first job decides, while others still run or fail.
import { randomUUID } from 'node:crypto'
import got from 'got'

const {
  BUILDWIRE_BASE_URL: base,
  BUILDWIRE_TOKEN: token,
  BUILDWIRE_ORG: org = 'acme',
} = process.env
const pipelines = `${base}/v2/organizations/${org}/pipelines`
const deadline = 6_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
async function send(method, url, json) {
  const { statusCode, headers, body } = await got(url, {
    method,
    ...(json && { json }),
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    throwHttpErrors: false,
    followRedirect: false,
    retry: { limit: 0 },
    timeout: { request: deadline },
  })
  return { status: statusCode, headers, text: body }
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

const ends = ['passed', 'failed', 'canceled', 'skipped', 'not_run', 'waiting_failed']

/** Waits until a build is over, which it is not at a gate. */
async function over(url, read = getBuild) {
  for (const until = Date.now() + 90_000; Date.now() < until; await pause(1000)) {
    const build = await read(`${url}?exclude_jobs=true`)
    if (build.blocked) throw new Error(`build ${build.number} waits at a gate for a person`)
    if (ends.includes(build.state) || build.finished_at) return build
  }
  throw new Error('the build is not over after 90 seconds')
}

const build = () => start('api', { message: 'Before the docs' })
const publish = async (number) => {
  const docs = await start('docs', { message: `After build ${number}` })
  console.log(`Build ${number} has passed, build ${docs.number} publishes it`)
}

async function careless() {
  const { number } = await build()
  const jobEnds = ['passed', 'failed', 'timed_out', 'canceled', 'skipped', 'broken', 'expired']
  for (const until = Date.now() + 90_000; ; await pause(1000)) {
    const { jobs } = await getBuild(`${pipelines}/api/builds/${number}`)
    const { state } = jobs.find(({ type }) => type === 'script') ?? {}
    if (state === 'passed') return publish(number)
    if (jobEnds.includes(state)) throw new Error(`build ${number} is ${state}`)
    if (Date.now() > until) throw new Error('the build is not over after 90 seconds')
  }
}

async function careful() {
  const { number } = await build()
  const { state } = await over(`${pipelines}/api/builds/${number}`)
  if (state !== 'passed') throw new Error(`build ${number} is ${state}`)
  await publish(number)
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`one-job-decides: ${error.message}`)
  process.exitCode = 1
})
