import { createClient } from 'redis'
import { createSigner, TokenExchange } from '../../../../sdk/src/index.js'
import { redisTokenStore } from '../../../../sdk/src/oauth/redis-token-store.js'

/** One process of a fleet: gets a token through Redis and prints its value. */
const { REDIS_PORT, AUTH_URL = '', SIGNING_KEY = '', STORE_KEY = '' } = process.env
const client = await createClient({
  socket: { host: '127.0.0.1', port: Number(REDIS_PORT) },
}).connect()
const exchange = new TokenExchange(
  {
    client_id: 'release-bot',
    subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
  },
  {
    authUrl: AUTH_URL,
    signer: await createSigner({ key: SIGNING_KEY }),
    store: redisTokenStore({ client, encryptionKey: STORE_KEY }),
  },
)
const { value } = await exchange
  .tokenProvider({ subject_token: 'ada@acme.example', audience: 'acme' })
  .getToken()
process.stdout.write(value)
await client.close()
