import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bearer, faster, json, Load, type LoadRequest, newBuild } from './load.js'
import { type Benchmark, type BenchmarkRow, interleave } from './measure.js'
import { freePort, startOther, startProgram } from './process.js'

const modules = fileURLToPath(new URL('./rivals/node_modules/.bin/', import.meta.url))
const document = fileURLToPath(new URL('../../sdk/openapi.yaml', import.meta.url))

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/**
 * The same work by other mock servers, with responses of one size: builds of three jobs, as in the
 * example of the contract. json-server serves our records, and gets a whole record where our server
 * creates it. prism serves its one example, compared with our lists of one.
 */
export const otherServers: Benchmark = async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const server = await startProgram(['--seed', 'large:1000', '--lifecycle', 'manual'])
  const headers = bearer(server)
  const [builds, jsonPort, prismPort] = await Promise.all([
    fetch(`${server.ready.baseUrl}/v2/builds?per_page=100`, { headers }).then(
      (answer) => answer.json() as Promise<readonly { id: string; url: string }[]>,
    ),
    freePort(),
    freePort(),
  ])
  const [first] = builds
  if (first === undefined) throw new Error('the seed has no builds')
  const database = join(folder, 'db.json')
  await writeFile(database, JSON.stringify({ builds }))
  const addresses = {
    'json-server': `http://127.0.0.1:${jsonPort}`,
    prism: `http://127.0.0.1:${prismPort}`,
  }
  const others = [
    await startOther(
      join(modules, 'json-server'),
      ['--quiet', '--port', String(jsonPort), database],
      `${addresses['json-server']}/builds`,
    ),
    await startOther(
      join(modules, 'prism'),
      ['mock', '-p', String(prismPort), document],
      `${addresses.prism}/v2/builds`,
    ),
  ]
  const load = new Load(server.ready.baseUrl)
  const loads = {
    'json-server': new Load(addresses['json-server']),
    prism: new Load(addresses.prism),
  }

  const get: LoadRequest = { path: new URL(first.url).pathname, headers }
  const web = get.path.replace(/\/\d+$/, '')
  const create: LoadRequest = {
    path: web,
    method: 'POST',
    headers: { ...headers, ...json },
    body: newBuild,
  }
  const { id: _, ...record } = first
  const list = (size: number): LoadRequest => ({ path: `/v2/builds?per_page=${size}`, headers })
  const post: LoadRequest = {
    path: '/builds',
    method: 'POST',
    headers: json,
    body: JSON.stringify(record),
  }
  const work: readonly [
    what: string,
    ours: LoadRequest,
    against: keyof typeof loads,
    theirs: LoadRequest,
  ][] = [
    ['list of 30', list(30), 'json-server', { path: '/builds?_page=1&_limit=30' }],
    ['list of 1', list(1), 'prism', list(1)],
    ['get', get, 'json-server', { path: `/builds/${first.id}` }],
    ['get', get, 'prism', get],
    ['create', create, 'json-server', post],
    ['create', create, 'prism', create],
  ]
  const rows: BenchmarkRow[] = []
  const calls = 100
  for (const [what, ours, against, theirs] of work) {
    const other = loads[against]
    await load.warm(() => ours)
    await other.warm(() => theirs)
    const taken = await interleave(Math.min(rounds, 7), {
      ours: load.many(calls, () => ours),
      theirs: other.many(calls, () => theirs),
    })
    const [size, otherSize] = [
      kilobytes(await load.bytes(ours)),
      kilobytes(await other.bytes(theirs)),
    ]
    rows.push(
      faster(`${what}, ${size}`, `${against}, ${otherSize}`, calls, taken.ours, taken.theirs, 1),
    )
  }
  for (const one of [load, ...Object.values(loads)]) await one.close()
  for (const one of [server, ...others]) await one.stop()
  await rm(folder, { recursive: true })
  return rows
}
