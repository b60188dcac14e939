/** Logs in, renews the login, exchanges a token and reads builds, with oauth4webapi. */
import * as oauth from 'oauth4webapi'
import { metadata, retried, signer, subject } from './retried.js'
import { approve, get, sleep, web } from './zoo/first/lib.js'

const insecure = { [oauth.allowInsecureRequests]: true }
const terminal = { client_id: 'demo-terminal' }
const none = oauth.None()

const login = await retried(async () => {
  const parameters = { scope: 'read_builds' }
  return oauth.processDeviceAuthorizationResponse(
    metadata,
    terminal,
    await oauth.deviceAuthorizationRequest(metadata, terminal, none, parameters, insecure),
  )
})
await approve(login)

async function poll() {
  return oauth.processDeviceCodeResponse(
    metadata,
    terminal,
    await oauth.deviceCodeGrantRequest(metadata, terminal, none, login.device_code, insecure),
  )
}

/** Polls until there is a token, or an error that ends the login (RFC 8628 section 3.5). */
async function pollToTheEnd() {
  for (let interval = login.interval ?? 5; ; ) {
    await sleep(interval * 1000)
    try {
      return await retried(poll)
    } catch (error) {
      if (error.error === 'slow_down') interval += 5
      else if (error.error !== 'authorization_pending') throw error
    }
  }
}

const tokens = await pollToTheEnd()
const renewed = await oauth.processRefreshTokenResponse(
  metadata,
  terminal,
  await oauth.refreshTokenGrantRequest(metadata, terminal, none, tokens.refresh_token, insecure),
)
await get(`${web}?per_page=1`, renewed.access_token)

const bot = { client_id: 'demo-deploy-bot' }
// The aud of the assertion is the token endpoint, not the issuer.
const authentication = oauth.PrivateKeyJwt(signer, {
  [oauth.modifyAssertion]: (_header, claims) => {
    claims.aud = metadata.token_endpoint
  },
})
const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const minted = await retried(async () => {
  const parameters = new URLSearchParams(subject)
  return oauth.processGenericTokenEndpointResponse(
    metadata,
    bot,
    await oauth.genericTokenEndpointRequest(
      metadata,
      bot,
      authentication,
      grant,
      parameters,
      insecure,
    ),
  )
})
for (let call = 0; call < 4; call++) await get(`${web}?per_page=1`, minted.access_token)
