import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChildResult, runChild, shell } from '../cli/support/child.js'
import type { StressTask } from './task.js'

const content = Buffer.from('0123456789abcdef\n'.repeat(4_000))
const sha1sum = createHash('sha1').update(content).digest('hex')
const firstJob = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Ending = keyof typeof codes

/** An API with artifacts, and the storage of their contents, on one port. */
export interface ArtifactService extends AsyncDisposable {
  artifacts: readonly object[]
  /** Answers the n-th request for a content. */
  answer: (response: ServerResponse, count: number) => void
  /** The folder of the downloads. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
}

const whole = (response: ServerResponse): void => void response.end(content)

/** Sends a part of the content and closes the connection. */
function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': content.length })
  response.write(content.subarray(0, 1_000), () => response.destroy())
}

/** Sends the content in parts, with pauses between them. */
function slow(response: ServerResponse): void {
  let at = 0
  const next = () => {
    if (response.destroyed) return
    if (at >= content.length) return void response.end()
    response.write(content.subarray(at, at + 8_000))
    at += 8_000
    setTimeout(next, 20)
  }
  next()
}

function artifact(at: number, more: object = {}) {
  return {
    id: `0197f3c2-8a53-7d5e-9c41-${String(at).padStart(12, '0')}`,
    job_id: firstJob,
    path: `reports/${at}.txt`,
    state: 'finished',
    file_size: content.length,
    sha1sum,
    ...more,
  }
}

export async function openArtifactService(): Promise<ArtifactService> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/content') {
      contents += 1
      return service.answer(response, contents)
    }
    if (url.pathname.endsWith('/download'))
      return void response.writeHead(302, { location: '/content?signature=4f3a' }).end()
    const page = Number(url.searchParams.get('page') ?? '1')
    const items = service.artifacts.slice((page - 1) * 100, page * 100)
    const next = `<http://${request.headers.host}${url.pathname}?per_page=100&page=${page + 1}>; rel="next"`
    const hasNext = page * 100 < service.artifacts.length
    response
      .writeHead(200, { 'content-type': 'application/json', ...(hasNext && { link: next }) })
      .end(JSON.stringify(items))
  })
  let contents = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dir = await mkdtemp(join(tmpdir(), 'ci-downloads-'))
  const service: ArtifactService = {
    artifacts: [],
    answer: whole,
    dir,
    env: {
      BUILDWIRE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      BUILDWIRE_TOKEN: 'a-token-for-tests',
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
  return service
}

const argv = (dir: string, ...flags: readonly string[]) => [
  'artifacts',
  'download',
  'acme/web#1',
  '--dir',
  dir,
  ...flags,
]

/** The files below a folder. */
async function filesIn(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** What a download must not leave: a temporary file, or a file with a part of the content. */
async function findRemains(dir: string): Promise<string | null> {
  for (const file of await filesIn(dir)) {
    if (file.endsWith('.part')) return `${file} was left`
    if (!(await readFile(file)).equals(content)) return `${file} is not the whole content`
  }
  return null
}

async function judged(dir: string, { code, signal, stderr }: ChildResult, expected: number) {
  const isExpected = code === expected
  const isOurFault = /fault of ci|\n {4}at /u.test(stderr)
  const remains = await findRemains(dir)
  await rm(dir, { recursive: true, force: true })
  if (isExpected && !isOurFault) return remains
  return `it ended with ${code ?? signal} instead of ${expected}: ${stderr.slice(0, 2_000)}`
}

/** Sends a signal while contents arrive, and returns what was left or said wrongly. */
export async function signalRound(service: ArtifactService, ending: Ending, delayMs: number) {
  const dir = join(service.dir, 'signal')
  service.artifacts = Array.from({ length: 200 }, (_, at) => artifact(at))
  let kill: () => void = () => undefined
  let isFirst = true
  service.answer = (response) => {
    if (isFirst) setTimeout(() => kill(), delayMs)
    isFirst = false
    slow(response)
  }
  const result = await runChild(argv(dir), {
    env: service.env,
    onSpawn: (child) => {
      kill = () => child.kill(ending)
    },
  })
  return judged(dir, result, codes[ending])
}

/**
 * Downloads with less room than one content needs: on a small file system if this process may mount
 * one, else with a limit of the file size.
 */
export async function fullDiskRound(service: ArtifactService, wants: 'mount' | 'limit') {
  const dir = join(service.dir, 'full')
  await mkdir(dir, { recursive: true })
  service.artifacts = [artifact(1), artifact(2)]
  service.answer = whole
  if (wants === 'limit') {
    const line = `ulimit -f 8; ci ${argv(dir).join(' ')}`
    return judged(dir, await shell(line, { env: await childEnv(service) }).done, 3)
  }
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', dir])
  try {
    const result = await runChild(argv(dir), { env: service.env })
    const remains = await findRemains(dir)
    if (remains !== null) return remains
    if (result.code === 3 && result.stderr.includes('The disk is full')) return null
    return `it ended with ${result.code}: ${result.stderr}`
  } finally {
    execFileSync('umount', [dir])
  }
}

async function childEnv(service: ArtifactService): Promise<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: service.dir, LANG: 'C.UTF-8', ...service.env }
}

export function canMount(dir: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', dir], { stdio: 'ignore' })
    execFileSync('umount', [dir])
    return true
  } catch {
    return false
  }
}

/** Contents that break off: each is requested again, and the files that never come are missing. */
export async function cutRound(service: ArtifactService, roll: () => number) {
  const dir = join(service.dir, 'cut')
  service.artifacts = Array.from({ length: 3 }, (_, at) => artifact(at))
  const isCut = [roll() < 0.5, roll() < 0.5]
  service.answer = (response, count) =>
    isCut[count % 3] === true ? cut(response) : whole(response)
  return judged(dir, await runChild(argv(dir), { env: service.env }), 0)
}

/** Equal names are refused, and are written with --by-job. */
export async function equalNamesRound(service: ArtifactService) {
  const dir = join(service.dir, 'equal')
  service.answer = whole
  service.artifacts = Array.from({ length: 50 }, (_, at) =>
    artifact(at, { path: 'junit.xml', job_id: `${firstJob.slice(0, -2)}${10 + at}` }),
  )
  const refused = await judged(dir, await runChild(argv(dir), { env: service.env }), 2)
  if (refused !== null) return refused
  const result = await runChild(argv(dir, '--by-job'), { env: service.env })
  const count = (await filesIn(dir)).length
  return count === 50 ? judged(dir, result, 0) : `${count} of 50 files were written`
}

/** Many files, and the same command again, which skips all of them. */
export async function manyRound(service: ArtifactService, count: number) {
  const dir = join(service.dir, 'many')
  service.answer = whole
  service.artifacts = Array.from({ length: count }, (_, at) => artifact(at))
  const first = await runChild(argv(dir), { env: service.env })
  const written = (await filesIn(dir)).length
  if (written !== count) return `${written} of ${count} files were written: ${first.stderr}`
  service.answer = (response) => void response.writeHead(500).end()
  const again = await runChild(argv(dir, '--skip-existing'), { env: service.env })
  return judged(dir, again, 0)
}

/** Full disks, cut contents, equal names, 2 000 files, then signals at random moments. */
export const run: StressTask = async ({ within, roll, requests = 200, log }) => {
  await using service = await openArtifactService()
  const mounts = canMount(service.dir)
  let failure =
    (await fullDiskRound(service, 'limit')) ??
    (mounts ? await fullDiskRound(service, 'mount') : null) ??
    (await equalNamesRound(service)) ??
    (await manyRound(service, 2_000))
  log(`full disk (${mounts ? 'mounted' : 'limit of size'}), equal names and 2,000 files are done`)
  const endings = Object.keys(codes) as Ending[]
  let rounds = 0
  while (rounds < requests && failure === null && within()) {
    const ending = endings[rounds % endings.length] ?? 'SIGINT'
    failure =
      rounds % 4 === 3
        ? await cutRound(service, roll)
        : await signalRound(service, ending, Math.floor(roll() * 1_000))
    rounds += 1
    if (rounds % 20 === 0) log(`${rounds} signals and cuts`)
  }
  return {
    figures: { rounds, 'full disks': mounts ? 2 : 1, files: 2_000 },
    failure: failure ?? undefined,
  }
}
