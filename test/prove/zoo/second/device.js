// A device login, with the person at the browser played over the control API.
import { asJson, patiently, pause, postForm } from './careful.js'

const { BUILDWIRE_AUTH_URL, BUILDWIRE_CONTROL_URL, BUILDWIRE_CONTROL_TOKEN } = process.env
const client_id = 'demo-terminal'
export const tokenUrl = `${BUILDWIRE_AUTH_URL}/oauth/token`

const approve = async (code) => {
  const response = await fetch(`${BUILDWIRE_CONTROL_URL}/device-authorizations/${code}/approve`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${BUILDWIRE_CONTROL_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ user: 'robin@acme.example', org_slug: 'acme' }),
  })
  if (!response.ok) throw new Error(`The login was not approved: ${response.status}`)
}

/** Logs in and resolves with the answer of the token endpoint. */
export async function logIn(scope) {
  const ask = () =>
    postForm(`${BUILDWIRE_AUTH_URL}/oauth/device_authorization`, { client_id, scope })
  const codes = await patiently(ask, asJson)
  await approve(codes.user_code)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const fields = { grant_type, client_id, device_code: codes.device_code }
  const end = Date.now() + codes.expires_in * 1000
  for (let interval = codes.interval ?? 5; Date.now() < end; ) {
    await pause(interval * 1000)
    const answer = await postForm(tokenUrl, fields).catch(() => undefined)
    if (answer?.status === 200) return asJson(answer)
    if (!answer || answer.status === 429 || answer.status >= 500) {
      // No answer about the login: leave more time, as RFC 8628 says, and ask again.
      interval = Math.max(interval * 2, Number(answer?.headers.get('retry-after')) || 0)
      continue
    }
    const { error } = asJson(answer)
    if (error === 'slow_down') interval += 5
    else if (error !== 'authorization_pending') throw new Error(`No login: ${error}`)
  }
  throw new Error('Nobody approved the login in time')
}

export const renew = (refresh_token) => () =>
  postForm(tokenUrl, { grant_type: 'refresh_token', client_id, refresh_token })
