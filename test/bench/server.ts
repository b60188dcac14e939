import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { growth } from './growth.js'
import { bearer, faster, json, Load, type LoadRequest } from './load.js'
import { type BenchContext, type Benchmark, type BenchmarkRow, interleave } from './measure.js'
import { otherServers } from './other-servers.js'
import { startProgram, startWorker } from './process.js'

const rawServer = (data: object) => startWorker('./raw-server.worker.js', data)

/**
 * One build and a page of builds, compared with a server that sends the same bytes, and with one
 * that prints its records.
 */
const reads: Benchmark = async ({ rounds }) => {
  const server = await startProgram(['--seed', 'large:1000', '--lifecycle', 'manual'])
  const load = new Load(server.ready.baseUrl)
  const headers = bearer(server)
  const list = '/v2/builds?per_page=30'
  const fetched = async (path: string) =>
    new Uint8Array(await (await fetch(server.ready.baseUrl + path, { headers })).arrayBuffer())
  const page = await fetched(list)
  const records = JSON.parse(new TextDecoder().decode(page)) as readonly { url: string }[]
  const one = new URL(records[0]?.url ?? '').pathname
  const rows: BenchmarkRow[] = []
  const compare = async (
    what: string,
    path: string,
    against: string,
    served: object,
    atLeast: number,
  ) => {
    const raw = await rawServer(served)
    const rawLoad = new Load(raw.url)
    const call = (): LoadRequest => ({ path, headers })
    await load.warm(call)
    await rawLoad.warm(call)
    const calls = 300
    const taken = await interleave(rounds, {
      ours: load.many(calls, call),
      raw: rawLoad.many(calls, call),
    })
    await rawLoad.close()
    await raw.close()
    rows.push(faster(what, against, calls, taken.ours, taken.raw, atLeast))
  }
  const pageOf30 = 'list page, 30 builds of 3 jobs'
  await compare(pageOf30, list, 'node:http and JSON.stringify', { records }, 0.8)
  await compare(pageOf30, list, 'node:http, the same bytes', { bytes: page }, 0.6)
  await compare(
    'get, one build of 3 jobs',
    one,
    'node:http, the same bytes',
    { bytes: await fetched(one) },
    0.45,
  )
  await load.close()
  await server.stop()
  return rows
}

/** Token exchange compared with the minimal one: verify, generate, store. */
const exchange = async ({ rounds }: BenchContext): Promise<readonly BenchmarkRow[]> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256' }
  const server = await startProgram(['--seed', 'demo', '--lifecycle', 'manual'])
  const audience = `${server.ready.authUrl}/oauth/token`
  const scopes = { grantableScopes: ['read_builds'], defaultScopes: ['read_builds'] }
  const application = {
    kind: 'token_exchange',
    client_id: 'bench',
    name: 'Bench',
    ...scopes,
    jwks: { keys: [jwk] },
  }
  const applied = await fetch(`${server.ready.controlUrl}/apply`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${server.ready.controlToken}` },
    body: JSON.stringify({ applications: [application] }),
  })
  if (!applied.ok) throw new Error(`apply answered ${applied.status}: ${await applied.text()}`)
  const raw = await rawServer({ jwk, audience })
  const load = new Load(server.ready.authUrl)
  const rawLoad = new Load(raw.url)
  const calls = 200
  const now = Math.floor(Date.now() / 1000)
  const sign = (jti: string) =>
    new SignJWT({ jti })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: 'bench' })
      .setIssuer('bench')
      .setSubject('bench')
      .setAudience(audience)
      .setIssuedAt(now - 5)
      .setExpirationTime(now + 240)
      .sign(privateKey)
  const total = 4000 + calls * (rounds + 1)
  const bodies: string[] = []
  for (let index = 0; index < total; index += 1) {
    bodies.push(
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await sign(`bench-${index}`),
        subject_token: 'robin@acme.example',
        subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
        audience: 'acme',
      }).toString(),
    )
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const next = { ours: 0, raw: 0 }
  const side = (name: 'ours' | 'raw') => (): LoadRequest => ({
    path: '/oauth/token',
    method: 'POST',
    headers,
    body: bodies[next[name]++] ?? '',
  })
  await load.warm(side('ours'))
  await rawLoad.warm(side('raw'))
  const taken = await interleave(rounds, {
    ours: load.many(calls, side('ours')),
    raw: rawLoad.many(calls, side('raw')),
  })
  await load.close()
  await rawLoad.close()
  await raw.close()
  await server.stop()
  return [
    faster(
      'token exchange, ES256',
      'jose verify, random token and a Map',
      calls,
      taken.ours,
      taken.raw,
      0.35,
    ),
  ]
}

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  reads,
  otherServers,
  growth,
  exchange,
}
