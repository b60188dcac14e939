// Gets a token by the token exchange and reads the newest build with it.
// The mistake: the assertion is made outside of the retries, so every try shows the same jti, which is
// spent when only the answer of the first try was lost.
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'

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
const asList = (answer) => {
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error('the answer is no list')
  return list
}

/** The demo key of the repository, wherever below it this file lies. */
async function readKey() {
  const named = process.env.BUILDWIRE_PRIVATE_KEY_FILE
  if (named) return readFile(named)
  const name = 'examples/keys/demo-token-exchange.private.pem'
  for (const up of ['../../../../', '../../../', '../../main/'])
    try {
      return await readFile(new URL(up + name, import.meta.url))
    } catch {}
  throw new Error('no key: set BUILDWIRE_PRIVATE_KEY_FILE')
}

const tokenUrl = `${process.env.BUILDWIRE_AUTH_URL}/oauth/token`
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The form of a token exchange, with an assertion that is good for one exchange. */
async function assertion() {
  const iat = Math.floor(Date.now() / 1000)
  const client = 'demo-deploy-bot'
  const claims = { iss: client, sub: client, aud: tokenUrl, iat, exp: iat + 120, jti: randomUUID() }
  const signed = `${part({ alg: 'ES256', typ: 'JWT', kid: 'demo-1' })}.${part(claims)}`
  const key = { key: createPrivateKey(await readKey()), dsaEncoding: 'ieee-p1363' }
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${signature}`,
    subject_token: 'robin@acme.example',
    subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
    audience: org,
    scope: 'read_builds',
  })
}

const asToken = (answer) => {
  const tokens = json(answer)
  if (typeof tokens?.access_token !== 'string') throw new Error('the answer is no token')
  return tokens
}

async function post(form) {
  const init = {
    method: 'POST',
    body: form,
    redirect: 'manual',
    signal: AbortSignal.timeout(deadline),
  }
  const response = await fetch(tokenUrl, init)
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text }
}

async function show({ access_token }) {
  const url = `${pipelines}/web/builds?per_page=1&exclude_jobs=true`
  const [newest] = await call(() => send('GET', url, undefined, access_token), asList)
  console.log(newest ? `Build ${newest.number} is ${newest.state}` : 'No builds')
}

async function careless() {
  const form = await assertion()
  await show(await call(() => post(form), asToken))
}

async function careful() {
  await show(await call(async () => post(await assertion()), asToken))
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`assertion-reused: ${error.message}`)
  process.exitCode = 1
})
