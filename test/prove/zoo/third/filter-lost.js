// Counts the passed builds of a pipeline, page by page.
// The mistake: of the link to the next page it takes the number only, and asks for that page without
// the filter, so that all builds count from the second page on.
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

const builds = `${pipelines}/web/builds`
const size = 10

async function count(following) {
  const found = new Set()
  const before = encodeURIComponent(new Date().toISOString())
  let url = `${builds}?state=passed&created_to=${before}&exclude_jobs=true&per_page=${size}`
  while (url) {
    const here = url
    const once = () => send('GET', here)
    const [page, next] = await call(once, (answer) => [asList(answer), nextOf(answer)])
    for (const { id } of page) found.add(id)
    url = next && following(next)
  }
  console.log(`${found.size} builds have passed`)
}

const careless = () =>
  count((next) => {
    const page = new URL(next).searchParams.get('page')
    return `${builds}?exclude_jobs=true&per_page=${size}&page=${page}`
  })

const careful = () => count((next) => next)

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`filter-lost: ${error.message}`)
  process.exitCode = 1
})
