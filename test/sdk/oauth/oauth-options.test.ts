import { requestDeviceAuthorization, TokenExchange } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { rejection } from '../support/client.js'
import { refusal, scripted } from './support/scripted-transport.js'

const authUrl = 'https://auth.ci.example'
const params = { client_id: 'cli', scope: 'read_builds' }

test.each([
  [undefined, /^buildwire-sdk\/\d+\.\d+\.\d+$/],
  ['my-app/2', /^my-app\/2 buildwire-sdk\/\d/],
])('with userAgent %j the OAuth endpoints see %s', async (userAgent, expected) => {
  const { transport, asked } = scripted(refusal('invalid_client'))
  await rejection(requestDeviceAuthorization(params, { authUrl, transport, userAgent }))
  expect(asked[0]?.request.headers['user-agent']).toMatch(expected)
})

test.each([
  [{ userAgent: 'line\nbreak' }, 'userAgent'],
  [{ transport: {} }, 'transport'],
  [{ dispatcher: {} }, 'dispatcher'],
  [{ transport: scripted().transport, dispatcher: { dispatch: () => true } }, 'transport'],
])('%j is refused before anything is sent', async (options, option) => {
  const signer = { alg: 'ES256', sign: async () => new Uint8Array(64) } as const
  const wrong = { authUrl, ...options } as never
  expect(await rejection(requestDeviceAuthorization(params, wrong))).toMatchObject({ code: 'config', option })
  const exchange = { client_id: 'app', subject_token_type: 'urn:x:params:oauth:token-type:user-email' }
  expect(() => new TokenExchange(exchange, { signer, ...(wrong as object) } as never)).toThrow(option)
})
