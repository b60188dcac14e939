/** Logs in, renews the login, exchanges a token and reads builds, with openid-client. */
import * as openid from 'openid-client'
import { metadata, retried, signer, subject } from './retried.js'
import { approve, get, web } from './zoo/first/lib.js'

function configure(client_id, authentication) {
  const configuration = new openid.Configuration(metadata, client_id, undefined, authentication)
  openid.allowInsecureRequests(configuration)
  return configuration
}

const terminal = configure('demo-terminal', openid.None())
const login = await retried(() =>
  openid.initiateDeviceAuthorization(terminal, { scope: 'read_builds' }),
)
await approve(login)
const tokens = await retried(() => openid.pollDeviceAuthorizationGrant(terminal, login))
const { access_token } = await openid.refreshTokenGrant(terminal, tokens.refresh_token)
await get(`${web}?per_page=1`, access_token)

// The aud of the assertion is the token endpoint, not the issuer.
const authentication = openid.PrivateKeyJwt(signer, {
  [openid.modifyAssertion]: (_header, claims) => {
    claims.aud = metadata.token_endpoint
  },
})
const bot = configure('demo-deploy-bot', authentication)
const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const minted = await retried(() => openid.genericGrantRequest(bot, grant, subject))
for (let call = 0; call < 4; call++) await get(`${web}?per_page=1`, minted.access_token)
