// Starts two builds of a branch and cancels the newest one of that branch, which was a mistake.
// The mistake: it takes the last of the list for the newest, while the list begins with it.
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

async function undo(pick) {
  const branch = 'try/last-is-newest'
  await start('docs', { branch, message: 'A good one' })
  await start('docs', { branch, message: 'Pushed by mistake' })
  const builds = `${pipelines}/docs/builds`
  const all = await getList(`${builds}?branch=${encodeURIComponent(branch)}&exclude_jobs=true`)
  const build = pick(all)
  if (!build) throw new Error('the branch has no build')
  await cancel(`${builds}/${build.number}`)
  console.log(`Build ${build.number} is canceled: ${build.message}`)
}

const careless = () => undo((builds) => builds.at(-1))
const careful = () => undo((builds) => builds.toSorted((a, b) => b.number - a.number)[0])

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`last-is-newest: ${error.message}`)
  process.exitCode = 1
})
