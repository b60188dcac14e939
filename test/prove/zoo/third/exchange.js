/** A token exchange with the demo's key, for the clients of this folder. */
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { json, org } from './lib.js'

export const tokenUrl = `${process.env.BUILDWIRE_AUTH_URL}/oauth/token`
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The private key of the demo's application. */
function readKey() {
  const named = process.env.BUILDWIRE_PRIVATE_KEY_FILE
  const ours = new URL('../../../../examples/keys/demo-token-exchange.private.pem', import.meta.url)
  return readFile(named || ours)
}

/** The form of a token exchange, with an assertion that is good for one exchange. */
export async function assertion() {
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

export function asToken(answer) {
  const tokens = json(answer)
  if (typeof tokens?.access_token !== 'string') throw new Error('the answer is no token')
  return tokens
}
