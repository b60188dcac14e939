// Counts the builds of a pipeline, page by page.
// The mistake: it takes the first link of the header for the next page, which on the last page leads
// back: it walks in circles until its limit of 25 pages and counts builds many times.
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
const asList = (answer) => {
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error('the answer is no list')
  return list
}

/** The link to the next page, which must lie on the same service: the token goes with it. */
function nextOf({ headers }) {
  const next = /<([^>]*)>;\s*rel="?next"?/.exec(headers.link ?? '')?.[1]
  if (next && new URL(next).origin !== new URL(base).origin)
    throw new Error('the next page lies elsewhere')
  return next
}

async function count(follow, most) {
  let builds = 0
  const before = encodeURIComponent(new Date().toISOString())
  let url = `${pipelines}/web/builds?created_to=${before}&exclude_jobs=true&per_page=20`
  for (let pages = 0; url && pages < most; pages++) {
    const here = url
    const once = () => send('GET', here)
    const [page, next] = await call(once, (answer) => [asList(answer), follow(answer)])
    builds += page.length
    url = next
  }
  console.log(`${builds} builds`)
}

const firstLink = ({ headers }) => {
  const link = /<([^>]*)>/.exec((headers.link ?? '').split(',')[0])?.[1]
  if (link && new URL(link).origin !== new URL(base).origin)
    throw new Error('the next page lies elsewhere')
  return link
}

const careless = () => count(firstLink, 25)
const careful = () => count(nextOf, Infinity)

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`walks-in-circles: ${error.message}`)
  process.exitCode = 1
})
