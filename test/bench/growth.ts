import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearer, json, Load, type LoadRequest, newBuild } from './load.js'
import { alone, atMost, type Benchmark, type BenchmarkRow, interleave, median } from './measure.js'
import { type Program, startProgram } from './process.js'

const sizes = { small: 1_000, large: 100_000 }
type Side = keyof typeof sizes
const callsPerRound = 10

/** Makes calls one after another on each side, in alternation. Returns ms per call. */
const perCall = async (rounds: number, calls: Readonly<Record<Side, () => Promise<void>>>) => {
  const many = (call: () => Promise<void>) => async () => {
    for (let index = 0; index < callsPerRound; index += 1) await call()
  }
  const taken = await interleave(rounds, { small: many(calls.small), large: many(calls.large) })
  return { small: taken.small / callsPerRound, large: taken.large / callsPerRound }
}

type Limit = { readonly ratio: number } | { readonly ms: number }

const grown = (
  what: string,
  { small, large }: Readonly<Record<Side, number>>,
  limit: Limit,
): BenchmarkRow => {
  const kind = { area: 'server', what: `${what}, 100 000 builds`, against: '1 000 builds' } as const
  const row = atMost(
    kind,
    { ours: large, theirs: small },
    'ratio' in limit ? limit.ratio : limit.ms,
  )
  return 'ratio' in limit ? row : { ...row, ratio: large }
}

/** A server with its own load generator. */
class Place {
  readonly program: Program
  readonly load: Load
  readonly headers: Record<string, string>
  constructor(program: Program) {
    this.program = program
    this.load = new Load(program.ready.baseUrl)
    this.headers = bearer(program)
  }
  async get<T>(path: string): Promise<T> {
    return (await (
      await fetch(this.program.ready.baseUrl + path, { headers: this.headers })
    ).json()) as T
  }
  async stop(): Promise<void> {
    await this.load.close()
    await this.program.stop()
  }
}

const start = async (size: number, ...more: readonly string[]): Promise<Place> =>
  new Place(await startProgram(['--seed', `large:${size}`, '--lifecycle', 'manual', ...more]))

const create = (place: Place, builds: string): LoadRequest => ({
  path: builds,
  method: 'POST',
  headers: { ...place.headers, ...json },
  body: newBuild,
})

/** Cancels the prepared builds one after another. */
async function cancels(place: Place, builds: string, count: number): Promise<() => Promise<void>> {
  const paths: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { path, ...init } = create(place, builds)
    const answer = await fetch(place.program.ready.baseUrl + path, init)
    paths.push(`${builds}/${((await answer.json()) as { number: number }).number}/cancel`)
  }
  return () =>
    place.load.call({
      path: paths.pop() ?? '',
      method: 'PUT',
      headers: { ...place.headers, ...json },
    })
}

/** Pages and writes must not take longer if the server has more builds. */
export const growth: Benchmark = async ({ rounds, log }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const deep = ['--set', 'maxListingDepth=1000000']
  const memory = {
    small: await start(sizes.small, ...deep),
    large: await start(sizes.large, ...deep),
  }
  log(`100 000 builds: ready after ${Math.round(memory.large.program.readyMs)} ms in memory`)
  const disk = {
    small: await start(sizes.small, '--data-dir', join(folder, 'small')),
    large: await start(sizes.large, '--data-dir', join(folder, 'large')),
  }
  const [sample] =
    await memory.small.get<[{ url: string; creator: { id: string } }]>('/v2/builds?per_page=1')
  const reads: readonly [what: string, path: (size: number) => string, limit: Limit][] = [
    ['first page, no filter', () => '/v2/builds?per_page=30', { ratio: 1.5 }],
    [
      'deepest page, no filter',
      (size) => `/v2/builds?per_page=30&page=${Math.floor(size / 30)}`,
      { ratio: 1.5 },
    ],
    ['first page of a branch', () => '/v2/builds?per_page=30&branch=main', { ratio: 1.5 }],
    [
      'first page of a creator',
      () => `/v2/builds?per_page=30&creator=${sample.creator.id}`,
      { ratio: 1.5 },
    ],
    ['first page, state that is rare', () => '/v2/builds?per_page=30&state=canceling', { ms: 15 }],
  ]
  const rows: BenchmarkRow[] = []
  for (const [what, path, limit] of reads) {
    const read = (side: Side) => () =>
      memory[side].load.call({ path: path(sizes[side]), headers: memory[side].headers })
    rows.push(
      grown(what, await perCall(rounds, { small: read('small'), large: read('large') }), limit),
    )
  }
  const builds = new URL(sample.url).pathname.replace(/\/\d+$/, '')
  for (const [where, places] of [
    ['in memory', memory],
    ['on disk', disk],
  ] as const) {
    const make = (side: Side) => () => places[side].load.call(create(places[side], builds))
    const made = await perCall(rounds, { small: make('small'), large: make('large') })
    rows.push(grown(`create ${where}`, made, { ratio: 1.5 }))
    const count = (rounds + 1) * callsPerRound
    const canceled = await perCall(rounds, {
      small: await cancels(places.small, builds, count),
      large: await cancels(places.large, builds, count),
    })
    rows.push(grown(`cancel ${where}`, canceled, { ratio: 1.5 }))
  }
  for (const places of [memory, disk]) for (const place of Object.values(places)) await place.stop()

  const again = await startProgram(['--seed', 'empty', '--data-dir', join(folder, 'large')])
  await again.stop()
  const empty: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const program = await startProgram(['--seed', 'empty'])
    empty.push(program.readyMs)
    await program.stop()
  }
  await rm(folder, { recursive: true })
  return [
    ...rows,
    alone('server', 'ready, empty', 'ms', median(empty), 300),
    alone('server', 'ready, 100 000 builds on disk', 'ms', again.readyMs, 5000),
  ]
}
