/**
 * A client assertion signed by a key service: the private key never enters this process. Most key
 * services return an ECDSA signature as DER; a JWT needs the 64 bytes r‖s, and ecdsaDerToJose
 * converts one to the other.
 */
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { createMockServer } from '@buildwire/mock-server'
import { ecdsaDerToJose, publicJwks, TokenExchange, userEmailTokenType } from '@buildwire/sdk'

/** Stands in for a key service: it signs messages and returns its public key. */
class KeyService {
  #privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

  async sign(message) {
    return new Uint8Array(sign('sha256', message, this.#privateKey))
  }

  async publicKey() {
    return createPublicKey(this.#privateKey).export({ format: 'jwk' })
  }
}

const keyService = new KeyService()
const kid = 'release-2026'
const publicJwk = { ...(await keyService.publicKey()), kid, alg: 'ES256', use: 'sig' }
const signer = {
  alg: 'ES256',
  kid,
  publicJwk,
  sign: async (input) => ecdsaDerToJose(await keyService.sign(input)),
}

const jwks = publicJwks([signer])
console.log(
  `Register this key set: ${JSON.stringify(jwks.keys.map(({ kid: id, alg, crv }) => ({ kid: id, alg, crv })))}`,
)

const server = createMockServer({
  seed: {
    version: 1,
    users: [{ email: 'robin@acme.example', name: 'Robin' }],
    organizations: [
      { slug: 'acme', name: 'Acme Rockets', members: [{ user: 'robin@acme.example' }] },
    ],
    applications: [
      {
        kind: 'token_exchange',
        client_id: 'release-bot',
        name: 'Release bot',
        jwks,
        grantableScopes: ['read_builds'],
      },
    ],
  },
})
const { url } = await server.listen({ port: 0 })
const client = { client_id: 'release-bot', subject_token_type: userEmailTokenType('buildwire') }
const robin = {
  subject_token: 'robin@acme.example',
  audience: 'acme',
  scope: ['read_builds'],
  expires_in: 300,
}

const raw = new TokenExchange(client, {
  authUrl: url,
  signer: { ...signer, sign: (input) => keyService.sign(input) },
})
const refused = await raw.exchange(robin).catch((error) => error)
console.log(`Without the conversion: ${refused.name}: ${refused.message}`)

const exchange = new TokenExchange(client, { authUrl: url, signer })
const tokens = await exchange.exchange(robin)
console.log(
  `With it: a ${tokens.token_type} token for ${tokens.expires_in} s, scope ${tokens.scope}`,
)

await server.close()
