// Publishes the docs of the newest good commit: finds the build, starts one of the docs with its commit.
// The mistake: it asks for finished builds, and a canceled or a failed one is finished too.
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

async function publish(find) {
  const good = await find(`${pipelines}/web/builds?branch=main&exclude_jobs=true`)
  if (!good) throw new Error('there is no good commit')
  const { number } = await start('docs', {
    commit: good.commit,
    message: `Publish ${good.commit.slice(0, 8)} of build ${good.number}`,
  })
  console.log(`Build ${number} publishes ${good.commit}`)
}

const careless = () =>
  publish(async (builds) => (await getList(`${builds}&state=finished&per_page=1`))[0])

const careful = () =>
  publish(async (builds) => {
    const passed = await getList(`${builds}&state=passed&per_page=30`)
    return passed.find(({ state, blocked }) => state === 'passed' && !blocked)
  })

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`finished-is-good: ${error.message}`)
  process.exitCode = 1
})
