/**
 * A device login (RFC 8628): show a code, wait for the user, use the token. Server and client share
 * one virtual clock, so the lifetime of a code, ten minutes, passes without waiting.
 */
import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import { CiClient, fetchTransport, isCiError, requestDeviceAuthorization } from '@buildwire/sdk'

const clock = new VirtualClock({ now: '2026-03-02T09:00:00Z' })
const server = createMockServer({
  clock,
  seed: {
    version: 1,
    users: [{ email: 'robin@acme.example', name: 'Robin' }],
    organizations: [
      { slug: 'acme', name: 'Acme Rockets', members: [{ user: 'robin@acme.example' }] },
    ],
    applications: [
      {
        kind: 'device',
        client_id: 'build-light',
        name: 'Build light',
        accessTokenTtlSeconds: 3600,
      },
    ],
  },
})
await server.ready()
const transport = fetchTransport(() => (url, init) => server.fetch(new Request(url, init)))
const options = { authUrl: server.authUrl, transport, clock }

/** Approves or denies, as the user does in a browser. */
async function answer(user_code, verb) {
  const response = await server.fetch(
    new Request(`${server.baseUrl}/_control/device-authorizations/${user_code}/${verb}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.controlToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        user: 'robin@acme.example',
        ...(verb === 'approve' && { org_slug: 'acme' }),
      }),
    }),
  )
  if (!response.ok) throw new Error(`${verb}: ${response.status} ${await response.text()}`)
}

async function login(story, meanwhile) {
  console.log(`\n${story}`)
  const device = await requestDeviceAuthorization(
    { client_id: 'build-light', scope: ['read_user'] },
    options,
  )
  console.log(
    `  Open ${device.verification_uri} and enter ${device.user_code} (${device.expires_in / 60} minutes)`,
  )
  let polls = 0
  const onEvent = (event) => {
    if (event.type === 'request') polls += 1
  }
  // The caller checks the result; the catch prevents an unhandled rejection until then.
  const tokens = device.poll({ onEvent }).catch((error) => error)
  await meanwhile(device)
  const result = await tokens
  console.log(`  ${polls} polls, never more than one per ${device.interval} s`)
  return result
}

const tokens = await login('Robin takes nine minutes to find the phone.', async (device) => {
  await clock.advance(9 * 60_000)
  await answer(device.user_code, 'approve')
  await clock.advance(60_000)
})
const ci = new CiClient({ baseUrl: server.baseUrl, auth: tokens.access_token, transport, clock })
const user = await ci.user.get()
console.log(`  Logged in as ${user.name} <${user.email}>, scope ${tokens.scope}`)
console.log(`  The token prints as ${tokens}; reveal() is for storing it`)

const denied = await login('The next one is denied.', async (device) => {
  await clock.advance(20_000)
  await answer(device.user_code, 'deny')
  await clock.advance(10_000)
})
console.log(`  ${denied.error}: ${denied.advice}`)

const expired = await login('And one is forgotten.', () => clock.advance(11 * 60_000))
if (isCiError(expired, 'device_authorization')) console.log(`  ${expired.error}: ${expired.advice}`)

await server.close()
