// Says how many of the newest thirty builds are red, for a chart.
// The mistake: it reads the retried runs of jobs too, and a build counts as red that has any failed run,
// although the job passed when it was run again.
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
const asList = (answer) => {
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error('the answer is no list')
  return list
}
const getList = (url) => call(() => send('GET', url), asList)

const builds = `${pipelines}/web/builds?state=finished&per_page=30`

async function careless() {
  const finished = await getList(`${builds}&include_retried_jobs=true`)
  const red = finished.filter(({ jobs }) => jobs.some(({ state }) => state === 'failed'))
  console.log(`${red.length} of ${finished.length} builds are red`)
}

async function careful() {
  const finished = await getList(`${builds}&exclude_jobs=true`)
  const red = finished.filter(({ state }) => state === 'failed')
  console.log(`${red.length} of ${finished.length} builds are red`)
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`retried-is-failed: ${error.message}`)
  process.exitCode = 1
})
