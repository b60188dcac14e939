// Adds up the jobs of the newest forty builds, each of which is read by itself.
// The mistake: all forty requests leave at the same moment.
import { request } from 'undici'

const {
  BUILDWIRE_BASE_URL: base,
  BUILDWIRE_TOKEN: token,
  BUILDWIRE_ORG: org = 'acme',
} = process.env
const pipelines = `${base}/v2/organizations/${org}/pipelines`
const deadline = 6_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
async function send(method, url, body) {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  if (body) headers['content-type'] = 'application/json'
  const signal = AbortSignal.timeout(deadline)
  const init = { method, headers, signal }
  const answer = await request(url, body ? { ...init, body: JSON.stringify(body) } : init)
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
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

const builds = `${pipelines}/web/builds`

async function sum(each) {
  const newest = await getList(`${builds}?per_page=40&exclude_jobs=true`)
  const jobs = await each(
    newest,
    async ({ number }) => (await getBuild(`${builds}/${number}`)).jobs.length,
  )
  const total = jobs.reduce((one, other) => one + other, 0)
  console.log(`${total} jobs in ${newest.length} builds`)
}

const careless = () => sum((items, read) => Promise.all(items.map(read)))

const careful = () =>
  sum(async (items, read) => {
    const results = []
    const queue = items.entries()
    const worker = async () => {
      for (const [at, item] of queue) results[at] = await read(item)
    }
    await Promise.all(Array.from({ length: 4 }, worker))
    return results
  })

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`all-at-once: ${error.message}`)
  process.exitCode = 1
})
