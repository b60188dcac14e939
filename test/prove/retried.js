/** What the programs of two OAuth libraries share: the library reads responses, the caller retries. */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sleep, transient, waitOf } from './zoo/first/lib.js'

const { BUILDWIRE_AUTH_URL: issuer = '' } = process.env

export const metadata = {
  issuer,
  token_endpoint: `${issuer}/oauth/token`,
  device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
}

export const subject = {
  subject_token: 'robin@acme.example',
  subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
  audience: 'acme',
  scope: 'read_builds',
}

const keyFile = new URL('../../examples/keys/demo-token-exchange.private.pem', import.meta.url)
const pkcs8 = createPrivateKey(readFileSync(keyFile)).export({ type: 'pkcs8', format: 'der' })
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
export const signer = { key, kid: 'demo-1' }

/**
 * How long to wait before another attempt, ms; undefined where the error is final. The libraries
 * throw a response that they cannot read as `cause`, and errors of fetch as they are.
 */
function waitAfter(error) {
  const response = error.cause instanceof Response ? error.cause : error.response
  if (response) return transient.has(response.status) ? waitOf(response) : undefined
  return error instanceof TypeError && error.message === 'fetch failed' ? 1_000 : undefined
}

/** Calls again, up to three times in all, where the error may pass. */
export async function retried(call) {
  for (let left = 2; ; left--) {
    try {
      return await call()
    } catch (error) {
      const ms = waitAfter(error)
      if (left === 0 || ms === undefined) throw error
      await sleep(ms * 1.1)
    }
  }
}
