/**
 * Several processes that share impersonation tokens through Redis: one exchange for all of them.
 * Redis sees neither e-mail addresses nor tokens. The program starts its own redis-server; if
 * none is installed, it prints a message and ends.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockServer } from '@buildwire/mock-server'
import {
  CiClient,
  createSigner,
  generateSigningKey,
  publicJwks,
  TokenExchange,
  userEmailTokenType,
} from '@buildwire/sdk'
import { redisTokenStore } from '@buildwire/sdk/redis'
import { createClient } from 'redis'

const connect = (port) => createClient({ socket: { host: '127.0.0.1', port } }).connect()

/** Runs in each of the processes that share the tokens. */
async function worker({ WORKER_NAME, REDIS_PORT, AUTH_URL, SIGNING_KEY, STORE_KEY }) {
  const client = await connect(Number(REDIS_PORT))
  let exchanges = 0
  const exchange = new TokenExchange(
    { client_id: 'dashboard', subject_token_type: userEmailTokenType('buildwire') },
    {
      authUrl: AUTH_URL,
      signer: await createSigner({ key: SIGNING_KEY }),
      store: redisTokenStore({ client, encryptionKey: STORE_KEY }),
      onEvent: (event) => {
        if (event.type === 'request') exchanges += 1
        if (event.type === 'store_error')
          console.log(`  ${WORKER_NAME}: store ${event.action} failed: ${event.code}`)
      },
    },
  )
  const auth = exchange.tokenProvider({
    subject_token: 'robin@acme.example',
    audience: 'acme',
    scope: ['read_user'],
  })
  const ci = new CiClient({ baseUrl: AUTH_URL, auth })
  const user = await ci.user.get()
  console.log(`  ${WORKER_NAME}: acts as ${user.email}, exchanges: ${exchanges}`)
  await client.close()
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function startRedis(port, folder) {
  const redis = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    folder,
  ])
  for await (const text of redis.stdout)
    if (String(text).includes('Ready to accept connections')) break
  return redis
}

async function main() {
  if (spawnSync('redis-server', ['--version']).error !== undefined) {
    console.log('skipped: redis-server is not installed')
    return
  }
  const key = await generateSigningKey({ alg: 'ES256' })
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
          client_id: 'dashboard',
          name: 'Dashboard',
          jwks: publicJwks([key]),
          grantableScopes: ['read_user'],
        },
      ],
    },
  })
  const { url } = await server.listen({ port: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'buildwire-example-'))
  const port = await freePort()
  const redis = await startRedis(port, folder)
  try {
    const shared = {
      REDIS_PORT: String(port),
      AUTH_URL: url,
      SIGNING_KEY: key.revealPem(),
      STORE_KEY: randomBytes(32).toString('base64url'),
    }
    console.log('Three processes start at once:')
    const names = ['worker 1', 'worker 2', 'worker 3']
    const ends = names.map(async (WORKER_NAME) => {
      const env = { ...process.env, ...shared, WORKER_NAME }
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
        env,
        stdio: 'inherit',
      })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`${WORKER_NAME} ended with ${code}`)
    })
    await Promise.all(ends)

    const client = await connect(port)
    const [name] = await client.keys('*')
    console.log(
      `Redis holds ${name.slice(0, 22)}… = ${(await client.get(name)).slice(0, 12)}…, for ${await client.ttl(name)} s`,
    )
    await client.close()
  } finally {
    redis.kill()
    await once(redis, 'exit')
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  }
}

await (process.env.WORKER_NAME === undefined ? main() : worker(process.env))
