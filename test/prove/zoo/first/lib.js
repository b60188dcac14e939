/**
 * A correct client made with plain fetch. The animals beside it use its functions for everything
 * except their mistake.
 */
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const {
  BUILDWIRE_BASE_URL: base = '',
  BUILDWIRE_AUTH_URL: auth = '',
  BUILDWIRE_TOKEN: admin = '',
} = process.env
export const web = `${base}/v2/organizations/acme/pipelines/web/builds`
export const docs = `${base}/v2/organizations/acme/pipelines/docs/builds`

const transient = new Set([429, 502, 503, 504])
/** The wait that a response asks for, in seconds or until a date; ms. */
const waitOf = (response) => {
  const value = response.headers.get('retry-after') ?? ''
  const ms = /^[\d.]+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now() + 100
  return ms > 0 ? ms : 200
}

/** Sends a request that may be repeated, until there is a response that is final. */
export async function again(send, tries = 3) {
  for (let left = tries - 1; ; left--) {
    const response = await send().catch((error) => error)
    const lost = !(response instanceof Response)
    if (left === 0 || !(lost || transient.has(response.status))) {
      if (lost) throw response
      return response
    }
    await sleep((lost ? 200 : waitOf(response)) * 1.1)
  }
}

const bearer = (token) => ({ authorization: `Bearer ${token}`, accept: 'application/json' })

/** The JSON of a response, if its body is JSON. */
export async function jsonOf(response) {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

export const get = async (url, token = admin) =>
  jsonOf(await again(() => fetch(url, { headers: bearer(token) })))

/** Sends a write. A temporary refusal is repeated after its wait; a lost response is not. */
export async function write(method, url, body, token = admin) {
  const send = () =>
    fetch(url, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  let response = await send()
  if (response.status === 429) {
    await sleep(waitOf(response) * 1.1)
    response = await send()
  }
  return jsonOf(response)
}

/** All builds of a list that existed when the walk began. */
export async function walk(list, { token = admin, pages = 3 } = {}) {
  const found = []
  let url = `${list}?created_to=${new Date().toISOString()}`
  for (let page = 0; url !== undefined && page < pages; page++) {
    const response = await again(() => fetch(url, { headers: bearer(token) }))
    found.push(...(await jsonOf(response)))
    const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
    if (next !== undefined && new URL(next).origin !== new URL(list).origin)
      throw new Error(`next is at ${next}`)
    url = next
  }
  return found
}

const form = (fields) => ({ method: 'POST', redirect: 'error', body: new URLSearchParams(fields) })
export const askToken = (fields) => fetch(`${auth}/oauth/token`, form(fields))

/** Approves a device login as its user. */
export async function approve({ user_code }) {
  const { BUILDWIRE_CONTROL_URL: control, BUILDWIRE_CONTROL_TOKEN: token } = process.env
  await jsonOf(
    await fetch(`${control}/device-authorizations/${user_code}/approve`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'robin@acme.example', org_slug: 'acme' }),
    }),
  )
}

/** Starts a device login and approves it. */
export async function startLogin() {
  const start = () =>
    fetch(
      `${auth}/oauth/device_authorization`,
      form({ client_id: 'demo-terminal', scope: 'read_builds' }),
    )
  const login = await jsonOf(await again(start))
  await approve(login)
  return login
}

export const pollFor = ({ device_code }) =>
  askToken({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'demo-terminal',
    device_code,
  })

export const errorOf = async (response) =>
  (
    await response
      .clone()
      .json()
      .catch(() => ({}))
  )?.error

/** Polls until there is a token or a refusal. */
export async function poll(login) {
  let interval = login.interval
  for (;;) {
    await sleep(interval * 1000)
    const response = await pollFor(login).catch(() => undefined)
    const error = response && (await errorOf(response))
    if (error === 'slow_down') interval += 5
    else if (
      response !== undefined &&
      error !== 'authorization_pending' &&
      !transient.has(response.status)
    ) {
      return jsonOf(response)
    } else if (response !== undefined) await sleep(Math.max(0, waitOf(response) - interval * 1000))
  }
}

/** Redeems a refresh token once; a lost response loses the login. */
export const refresh = async ({ refresh_token }) =>
  jsonOf(await askToken({ grant_type: 'refresh_token', client_id: 'demo-terminal', refresh_token }))

const key = createPrivateKey(
  readFileSync(
    new URL('../../../../examples/keys/demo-token-exchange.private.pem', import.meta.url),
  ),
)
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The fields of a token exchange, with an assertion that is used once. */
export function assertion(subject) {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'demo-deploy-bot',
    sub: 'demo-deploy-bot',
    aud: `${auth}/oauth/token`,
    iat: now,
    exp: now + 120,
  }
  const signed = `${part({ alg: 'ES256', typ: 'JWT', kid: 'demo-1' })}.${part({ ...claims, jti: randomUUID() })}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${signature.toString('base64url')}`,
    subject_token: subject,
    subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
    audience: 'acme',
  }
}

export const exchange = async (subject = 'robin@acme.example') =>
  (await jsonOf(await again(() => askToken(assertion(subject))))).access_token

export const careless = process.argv[2] === 'careless'
export const headers = bearer(admin)
export { sleep, transient, waitOf }

/** Ends the program with the message of an error: the whole error of some libraries shows the token. */
export function fail(error) {
  console.error(error.message)
  process.exit(1)
}
