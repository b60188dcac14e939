import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Pool } from 'undici'
import { type BenchContext, type Benchmark, inFlight, interleave, median, type Row, warmUp } from './measure.js'
import { freePort, type Program, startOther, startProgram } from './process.js'

const web = '/v2/organizations/acme/pipelines/web/builds'
const modules = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url))

interface Call {
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A load generator for one server: keeps its connections, checks each status. */
class Load {
  readonly #pool: Pool
  constructor(url: string) {
    this.#pool = new Pool(url, { connections: 16 })
  }
  async call({ path, method = 'GET', headers = {}, body = null as unknown as string }: Call): Promise<void> {
    const answer = await this.#pool.request({ path, method, headers, body })
    await answer.body.dump({ limit: 64 * 2 ** 20 })
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}`)
  }
  many(calls: number, of: (index: number) => Call): () => Promise<void> {
    return () => inFlight(calls, 16, (index) => this.call(of(index)))
  }
  warm(of: (index: number) => Call): Promise<void> {
    return warmUp(16, (index) => this.call(of(index)))
  }
  close(): Promise<void> {
    return this.#pool.close()
  }
}

async function rawServer(workerData: object): Promise<{ url: string; close(): Promise<unknown> }> {
  const worker = new Worker(new URL('./raw-server.worker.js', import.meta.url), { workerData })
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { url: `http://127.0.0.1:${port}`, close: () => worker.terminate() }
}

const bearer = ({ ready }: Program) => ({ authorization: `Bearer ${ready.accessTokens['admin']}` })
const json = { 'content-type': 'application/json' }
const newBuild = JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'benchmark' })

const faster = (what: string, against: string, calls: number, ours: number, theirs: number, atLeast: number): Row => ({
  area: 'server',
  what,
  against,
  unit: 'requests/s',
  ours: (calls / ours) * 1000,
  theirs: (calls / theirs) * 1000,
  ratio: theirs / ours,
  target: { atLeast },
})

/** A list page against the least that a server can do for it. */
const listPage: Benchmark = async ({ rounds }) => {
  const server = await startProgram(['--seed', 'large:1000', '--lifecycle', 'manual'])
  const load = new Load(server.ready.baseUrl)
  const path = '/v2/builds?per_page=30'
  const page = await (await fetch(server.ready.baseUrl + path, { headers: bearer(server) })).json()
  const raw = await rawServer({ page })
  const rawLoad = new Load(raw.url)
  const headers = bearer(server)
  const calls = 300
  await load.warm(() => ({ path, headers }))
  await rawLoad.warm(() => ({ path, headers }))
  const taken = await interleave(rounds, {
    ours: load.many(calls, () => ({ path, headers })),
    raw: rawLoad.many(calls, () => ({ path, headers })),
  })
  await load.close()
  await rawLoad.close()
  await raw.close()
  await server.stop()
  return [faster('list page, 30 builds of 3 jobs', 'node:http and JSON.stringify', calls, taken.ours, taken.raw, 0.8)]
}

/** The same work by other fake servers: json-server over the same records, prism over the same contract. */
const otherServers: Benchmark = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const server = await startProgram(['--seed', 'demo', '--lifecycle', 'manual'])
  const load = new Load(server.ready.baseUrl)
  const headers = bearer(server)
  const builds = (await (await fetch(`${server.ready.baseUrl}${web}?per_page=100`, { headers })).json()) as {
    id: string
    number: number
  }[]
  const database = join(folder, 'db.json')
  await writeFile(database, JSON.stringify({ builds }))
  const jsonPort = await freePort()
  const jsonServer = await startOther(
    join(modules, 'json-server'),
    ['--quiet', '--port', String(jsonPort), database],
    `http://127.0.0.1:${jsonPort}/builds`,
  )
  const prismPort = await freePort()
  const document = fileURLToPath(new URL('../../sdk/openapi.yaml', import.meta.url))
  const prism = await startOther(
    join(modules, 'prism'),
    ['mock', '-p', String(prismPort), document],
    `http://127.0.0.1:${prismPort}/v2/builds`,
  )
  const jsonLoad = new Load(`http://127.0.0.1:${jsonPort}`)
  const prismLoad = new Load(`http://127.0.0.1:${prismPort}`)
  const first = builds[0]
  if (first === undefined) throw new Error('the demo seed has no builds')
  const work = {
    list: {
      ours: { path: `${web}?per_page=30`, headers },
      'json-server': { path: '/builds?_page=1&_limit=30' },
      prism: { path: `${web}?per_page=30`, headers },
    },
    get: {
      ours: { path: `${web}/${first.number}`, headers },
      'json-server': { path: `/builds/${first.id}` },
      prism: { path: `${web}/${first.number}`, headers },
    },
    create: {
      ours: { path: web, method: 'POST', headers: { ...headers, ...json }, body: newBuild },
      'json-server': { path: '/builds', method: 'POST', headers: json, body: newBuild },
      prism: { path: web, method: 'POST', headers: { ...headers, ...json }, body: newBuild },
    },
  } as const satisfies Record<string, Record<string, Call>>
  const rows: Row[] = []
  const calls = 60
  for (const [name, { ours, prism: prismCall, 'json-server': jsonCall }] of Object.entries(work)) {
    await load.warm(() => ours)
    await jsonLoad.warm(() => jsonCall)
    await prismLoad.warm(() => prismCall)
    const taken = await interleave(Math.min(rounds, 7), {
      ours: load.many(calls, () => ours),
      'json-server': jsonLoad.many(calls, () => jsonCall),
      prism: prismLoad.many(calls, () => prismCall),
    })
    rows.push(
      faster(`${name}`, 'json-server', calls, taken.ours, taken['json-server'], 5),
      faster(`${name}`, '@stoplight/prism-cli', calls, taken.ours, taken.prism, 5),
    )
  }
  for (const one of [load, jsonLoad, prismLoad]) await one.close()
  for (const one of [server, jsonServer, prism]) await one.stop()
  await rm(folder, { recursive: true })
  return rows
}

const perCall = async (load: Load, rounds: number, call: Call): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const start = process.hrtime.bigint()
    for (let index = 0; index < 10; index += 1) await load.call(call)
    if (round > 0) times.push(Number(process.hrtime.bigint() - start) / 1e7)
  }
  return median(times)
}

/** Pages and writes must not cost more where there is more. */
const growth: Benchmark = async ({ rounds, log }) => {
  const rows: Row[] = []
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const sizes = { small: 1_000, large: 100_000 }
  const servers: Record<string, Program> = {}
  for (const [name, size] of Object.entries(sizes)) {
    servers[name] = await startProgram([
      '--seed',
      `large:${size}`,
      '--lifecycle',
      'manual',
      '--set',
      'maxListingDepth=1000000',
    ])
    servers[`${name} on disk`] = await startProgram([
      '--seed',
      `large:${size}`,
      '--lifecycle',
      'manual',
      '--data-dir',
      join(folder, name),
    ])
    log(`${size} builds: ready after ${Math.round(servers[name].readyMs)} ms in memory`)
  }
  const sides = ['small', 'large'] as const
  const at = (name: string): Program => {
    const server = servers[name]
    if (server === undefined) throw new Error(`no server ${name}`)
    return server
  }
  const [sample] = (await (
    await fetch(`${at('small').ready.baseUrl}/v2/builds?per_page=1`, { headers: bearer(at('small')) })
  ).json()) as [{ url: string; creator: { id: string } }]
  const pipelineOf = (url: string) => url.replace(/^.*(\/v2\/.*)\/\d+$/, '$1')
  const reads: readonly [what: string, path: (size: number) => string, limit: { ratio: number } | { ms: number }][] = [
    ['first page, no filter', () => '/v2/builds?per_page=30', { ratio: 1.5 }],
    ['deepest page, no filter', (size) => `/v2/builds?per_page=30&page=${Math.floor(size / 30)}`, { ratio: 1.5 }],
    ['first page of a branch', () => '/v2/builds?per_page=30&branch=main', { ratio: 1.5 }],
    ['first page of a creator', () => `/v2/builds?per_page=30&creator=${sample.creator.id}`, { ratio: 1.5 }],
    ['first page, state that is rare', () => '/v2/builds?per_page=30&state=canceling', { ms: 15 }],
  ]
  for (const [what, path, limit] of reads) {
    const taken: Record<string, number> = {}
    for (const side of sides) {
      const server = at(side)
      const load = new Load(server.ready.baseUrl)
      taken[side] = await perCall(load, rounds, { path: path(sizes[side]), headers: bearer(server) })
      await load.close()
    }
    rows.push(grown(what, taken['large'] ?? 0, taken['small'] ?? 0, limit))
  }
  for (const where of ['', ' on disk']) {
    for (const what of ['create', 'cancel'] as const) {
      const taken: Record<string, number> = {}
      for (const side of sides) taken[side] = await writeCost(at(side + where), pipelineOf(sample.url), what, rounds)
      rows.push(grown(`${what}${where || ' in memory'}`, taken['large'] ?? 0, taken['small'] ?? 0, { ratio: 1.5 }))
    }
  }
  for (const server of Object.values(servers)) await server.stop()
  const again = await startProgram(['--seed', 'empty', '--data-dir', join(folder, 'large')])
  const empty: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const program = await startProgram(['--seed', 'empty'])
    empty.push(program.readyMs)
    await program.stop()
  }
  await again.stop()
  await rm(folder, { recursive: true })
  const ms = (what: string, ours: number, atMost: number): Row => ({
    area: 'server',
    what,
    against: '',
    unit: 'ms',
    ours,
    theirs: null,
    ratio: ours,
    target: { atMost },
  })
  return [...rows, ms('ready, empty', median(empty), 300), ms('ready, 100 000 builds on disk', again.readyMs, 5000)]
}

const grown = (what: string, large: number, small: number, limit: { ratio: number } | { ms: number }): Row => ({
  area: 'server',
  what: `${what}, 100 000 builds`,
  against: '1 000 builds',
  unit: 'ms',
  ours: large,
  theirs: small,
  ratio: 'ratio' in limit ? large / small : large,
  target: { atMost: 'ratio' in limit ? limit.ratio : limit.ms },
})

async function writeCost(
  server: Program,
  pipeline: string,
  what: 'create' | 'cancel',
  rounds: number,
): Promise<number> {
  const load = new Load(server.ready.baseUrl)
  const headers = { ...bearer(server), ...json }
  const create: Call = {
    path: `${pipeline}/builds`.replace('/builds/builds', '/builds'),
    method: 'POST',
    headers,
    body: newBuild,
  }
  if (what === 'create') {
    const cost = await perCall(load, rounds, create)
    await load.close()
    return cost
  }
  const numbers: number[] = []
  for (let index = 0; index < (rounds + 1) * 10; index += 1) {
    const answer = await fetch(server.ready.baseUrl + create.path, { method: 'POST', headers, body: newBuild })
    numbers.push(((await answer.json()) as { number: number }).number)
  }
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const start = process.hrtime.bigint()
    for (const number of numbers.slice(round * 10, round * 10 + 10)) {
      await load.call({ path: `${create.path}/${number}/cancel`, method: 'PUT', headers })
    }
    if (round > 0) times.push(Number(process.hrtime.bigint() - start) / 1e7)
  }
  await load.close()
  return median(times)
}

/** Token exchange against the least that can be called one: verify, draw, remember. */
const exchange = async ({ rounds }: BenchContext): Promise<readonly Row[]> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256' }
  const server = await startProgram(['--seed', 'demo', '--lifecycle', 'manual'])
  const audience = `${server.ready.authUrl}/oauth/token`
  const applied = await fetch(`${server.ready.controlUrl}/apply`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${server.ready.controlToken}` },
    body: JSON.stringify({
      applications: [
        {
          kind: 'token_exchange',
          client_id: 'bench',
          name: 'Bench',
          grantableScopes: ['read_builds'],
          defaultScopes: ['read_builds'],
          jwks: { keys: [jwk] },
        },
      ],
    }),
  })
  if (!applied.ok) throw new Error(`apply answered ${applied.status}: ${await applied.text()}`)
  const raw = await rawServer({ page: [], jwk, audience })
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
  const side = (name: 'ours' | 'raw') => (): Call => ({
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
  return [faster('token exchange, ES256', 'jose verify, random token and a Map', calls, taken.ours, taken.raw, 0.8)]
}

export const benchmarks: Readonly<Record<string, Benchmark>> = { listPage, otherServers, growth, exchange }
