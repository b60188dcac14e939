// Watches three pipelines for a while, with a token of its own from the token exchange.
// The mistake: the token is fetched at the start and kept for ever, so the run ends with the token.
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
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

const type = 'application/x-www-form-urlencoded'
const exchange = () =>
  call(
    async () => send('POST', tokenUrl, (await assertion()).toString(), { bearer: '', type }),
    asToken,
  )

async function watch(bearerFor) {
  for (let round = 1; round <= 5; round++) {
    for (const name of ['web', 'api', 'docs']) {
      const url = `${pipelines}/${name}/builds?per_page=1&exclude_jobs=true`
      const read = (bearer) => call(() => send('GET', url, '', { bearer }), asList)
      const [newest] = await bearerFor(read)
      console.log(round, name, newest?.number ?? '-', newest?.state ?? 'no builds')
    }
    if (round < 5) await pause(1000)
  }
}

async function careless() {
  const { access_token } = await exchange()
  await watch((read) => read(access_token))
}

async function careful() {
  let held
  const fresh = async () => {
    const { access_token, expires_in = 60 } = await exchange()
    // Renewed ahead of its end: a tenth of its life, at most half a minute.
    const margin = Math.min(30, expires_in / 10)
    held = { access_token, until: Date.now() + (expires_in - margin) * 1000 }
  }
  await watch(async (read) => {
    if (!held || Date.now() >= held.until) await fresh()
    try {
      return await read(held.access_token)
    } catch (error) {
      if (error.status !== 401) throw error
      await fresh()
      return read(held.access_token)
    }
  })
}

const twin = { careless, careful }[process.argv[2]]
if (!twin) throw new Error('Say careless or careful')
await twin().catch((error) => {
  console.error(`token-forever: ${error.message}`)
  process.exitCode = 1
})
