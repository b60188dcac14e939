// Starts a build of a branch and counts the builds of that branch, to know whether it may go.
// The mistake: the name goes into the query as it is, where + means a space, and nothing is found.
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'

const {
  BUILDWIRE_BASE_URL: base,
  BUILDWIRE_TOKEN: token,
  BUILDWIRE_ORG: org = 'acme',
} = process.env
const pipelines = `${base}/v2/organizations/${org}/pipelines`
const deadline = 6_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
function send(method, url, body, { bearer = token, type = 'application/json' } = {}) {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json' }
    if (bearer) headers.authorization = `Bearer ${bearer}`
    if (body) headers['content-type'] = type
    const options = { method, headers, signal: AbortSignal.timeout(deadline) }
    const { request } = url.startsWith('https:') ? https : http
    const outgoing = request(url, options, async (response) => {
      try {
        let text = ''
        response.setEncoding('utf8')
        for await (const part of response) text += part
        resolve({ status: response.statusCode, headers: response.headers, text })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
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
const getList = (url) => call(() => send('GET', url), asList)

/** Starts one build. If the answer is lost, it looks for that build by its own mark and starts no other. */
async function start(pipeline, fields) {
  const request = randomUUID()
  const builds = `${pipelines}/${pipeline}/builds`
  const body = { commit: 'HEAD', branch: 'main', ...fields, meta_data: { request } }
  try {
    return await call(
      () => send('POST', builds, JSON.stringify(body)),
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

const branch = 'try/c++20'

async function count(name) {
  await start('docs', { branch, message: 'Once more' })
  const found = await getList(
    `${pipelines}/docs/builds?branch=${name}&exclude_jobs=true&per_page=100`,
  )
  console.log(
    `${branch}: ${found.length === 0 ? 'never built, may go' : `built ${found.length} times`}`,
  )
}

const careless = () => count(branch)
const careful = () => count(encodeURIComponent(branch))

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`unencoded-branch: ${error.message}`)
  process.exitCode = 1
})
