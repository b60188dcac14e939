// Token exchange: a registered application gets a token that acts as a user.
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { asJson, patiently, postForm } from './careful.js'

const { BUILDWIRE_AUTH_URL, BUILDWIRE_PRIVATE_KEY_FILE } = process.env
const demo = new URL('../../../../examples/keys/demo-token-exchange.private.pem', import.meta.url)
const key = createPrivateKey(await readFile(BUILDWIRE_PRIVATE_KEY_FILE ?? demo))
const tokenUrl = `${BUILDWIRE_AUTH_URL}/oauth/token`
const client = 'demo-deploy-bot'
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A new assertion, which is good for one exchange. */
function assertion() {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: client, sub: client, aud: tokenUrl, iat, exp: iat + 120, jti: randomUUID() }
  const alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256'
  const input = `${encode({ alg, typ: 'JWT', kid: 'demo-1' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

/** A token for reading builds. Each try has an assertion of its own. */
export async function exchange() {
  const ask = () =>
    postForm(tokenUrl, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(),
      subject_token: 'robin@acme.example',
      subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
      audience: 'acme',
      scope: 'read_builds',
    })
  const { access_token } = await patiently(ask, asJson)
  if (!access_token) throw new Error('The exchange brought no token')
  return access_token
}
