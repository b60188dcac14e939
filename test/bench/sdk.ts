import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { CiClient, createSigner, TokenExchange, userEmailTokenType } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { Agent, request as undiciRequest } from 'undici'
import { openapiDocument } from '../support/contract.js'
import { memoryMiB } from '../support/memory.js'
import {
  alone,
  atLeast,
  atMost,
  type Benchmark,
  type BenchmarkRow,
  inFlight,
  interleave,
  warmUp,
} from './measure.js'
import { startWorker } from './process.js'
import { cachedTokens, getters } from './rivals/index.js'

const path = '/v2/organizations/acme/pipelines/web/builds/42'
const totalBuilds = 100_000

function sampleBuild(): Build {
  const { examples } =
    (openapiDocument.components as { examples?: Record<string, { value: unknown }> }) ?? {}
  const sample = Object.values(examples ?? {}).find(
    ({ value }) => typeof value === 'object' && value !== null && 'jobs' in value,
  )
  if (sample === undefined) throw new Error('the contract has no example of a build')
  return sample.value as Build
}

async function startServer() {
  const data = { build: sampleBuild(), builds: totalBuilds, perPage: 100 }
  const { worker, url, close } = await startWorker('./sdk-server.worker.js', data)
  const exchanges = async () => {
    worker.postMessage('count')
    const [message] = (await once(worker, 'message')) as [{ exchanges: number }]
    return message.exchanges
  }
  return { url, exchanges, close }
}

/** A copy of the object with each value changed. */
const each = <K extends string, T, R>(
  object: Readonly<Record<K, T>>,
  change: (value: T, name: K) => R,
) =>
  Object.fromEntries(
    Object.entries<T>(object).map(([name, value]) => [name, change(value, name as K)]),
  ) as Record<K, R>

/** `builds.get` compared with undici, which it uses, and with other typed or convenient clients. */
const get: Benchmark = async ({ rounds }) => {
  const server = await startServer()
  const token = 'token-for-the-benchmark-00000000000000000000'
  const authorization = `Bearer ${token}`
  await using ci = new CiClient({ baseUrl: server.url, auth: token })
  const agent = new Agent({ connections: 128 })
  const rivals = getters(server.url, path, { authorization })
  const rows: BenchmarkRow[] = []
  for (const concurrency of [1, 32]) {
    const calls = concurrency === 1 ? 500 : 1500
    const sides = {
      ours: () => ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 42 }),
      undici: async () => {
        const { body } = await undiciRequest(`${server.url}${path}`, {
          dispatcher: agent,
          headers: { authorization },
        })
        return JSON.parse(await body.text())
      },
      ...rivals,
    }
    for (const call of Object.values<() => Promise<unknown>>(sides)) await warmUp(concurrency, call)
    const taken = await interleave(
      rounds,
      each(sides, (call) => () => inFlight(calls, concurrency, call)),
    )
    const targets = { undici: 0.85, '@octokit/request': 2, 'openapi-fetch': 1.5, ky: 1.5 } as const
    for (const name of ['undici', '@octokit/request', 'openapi-fetch', 'ky'] as const) {
      const against = name === 'undici' ? 'undici.request and JSON.parse' : name
      const kind = { area: 'sdk', what: `builds.get, ${concurrency} in flight`, against } as const
      rows.push(
        atLeast(kind, 'calls/s', calls, { ours: taken.ours, theirs: taken[name] }, targets[name]),
      )
    }
  }
  await agent.close()
  await server.close()
  return rows
}

const signingKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function exchangeAt(authUrl: string): Promise<TokenExchange> {
  const signer = await createSigner({ key: signingKey(), kid: 'bench' })
  return new TokenExchange(
    { client_id: 'bench', subject_token_type: userEmailTokenType('buildwire') },
    { authUrl, signer, timeoutMs: 60_000 },
  )
}

/** A cached token: every request of an application reads one. */
const cachedToken: Benchmark = async ({ rounds }) => {
  const server = await startServer()
  const exchange = await exchangeAt(server.url)
  const ours = exchange.tokenProvider({
    subject_token: 'robin@acme.example',
    audience: 'acme',
    scope: 'read_builds',
  })
  const sides = { ours: () => ours.getToken(), ...cachedTokens(server.url, signingKey()) }
  for (const call of Object.values(sides)) await call()
  // The number of calls is large enough to measure fast clients. Slow clients would take minutes
  // for as many.
  const calls = {
    ours: 200_000,
    'google-auth-library': 200_000,
    '@azure/msal-node': 500,
    '@octokit/auth-app': 5000,
  }
  const loops = each<keyof typeof sides, () => Promise<unknown>, () => Promise<void>>(
    sides,
    (call, name) => async () => {
      for (let index = 0; index < calls[name]; index += 1) await call()
    },
  )
  const taken = await interleave(rounds, loops)
  await server.close()
  const perCall = each(taken, (ms, name) => ms / calls[name])
  return (['google-auth-library', '@azure/msal-node', '@octokit/auth-app'] as const).map((name) => {
    const kind = { area: 'sdk', what: 'getToken, cached', against: name } as const
    return atLeast(kind, 'calls/s', 1, { ours: perCall.ours, theirs: perCall[name] }, 1)
  })
}

/** 10 000 concurrent callers with 100 identities must cause exactly 100 exchanges. */
const singleFlight: Benchmark = async () => {
  const server = await startServer()
  const exchange = await exchangeAt(server.url)
  const callers = Array.from({ length: 10_000 }, (_, index) =>
    exchange
      .tokenProvider({ subject_token: `user-${index % 100}@acme.example`, audience: 'acme' })
      .getToken(),
  )
  await Promise.all(callers)
  const exchanges = await server.exchanges()
  await server.close()
  const what = '10 000 concurrent callers over 100 identities'
  const row = atMost(
    { area: 'sdk', what, against: 'one exchange an identity' },
    { ours: exchanges, theirs: 100 },
    1,
  )
  return [{ ...row, unit: 'exchanges' }]
}

/** Streaming must not keep data that was read. */
const streaming: Benchmark = async () => {
  const server = await startServer()
  await using ci = new CiClient({
    baseUrl: server.url,
    auth: 'token-for-the-benchmark-00000000000000000000',
  })
  const before = memoryMiB().heap
  let read = 0
  let peak = 0
  for await (const build of ci.builds.list()) {
    read += build.number > 0 ? 1 : 0
    if (read % 10_000 === 0) peak = Math.max(peak, memoryMiB().heap)
  }
  await server.close()
  const growth = peak - before
  if (read !== totalBuilds) throw new Error(`read ${read} builds of ${totalBuilds}`)
  return [
    alone(
      'sdk',
      `for await over ${totalBuilds.toLocaleString('en')} builds`,
      'MiB of heap',
      growth,
      16,
    ),
  ]
}

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  get,
  cachedToken,
  singleFlight,
  streaming,
}
