import { type ServerProcess, startServerProcess } from './server-process.js'

export interface KillReport {
  readonly cycles: number
  readonly acknowledged: number
  /**
   * Errors: acknowledged writes that are lost, numbers that are used twice, writes that are there
   * in part.
   */
  readonly faults: readonly string[]
}

const token = 'local-token-for-tests'
/** Arguments of a server whose writes are checked. */
export const writerArgs = (directory: string): string[] => [
  '--port',
  '0',
  '--seed',
  'demo',
  '--lifecycle',
  'manual',
  '--log',
  'off',
  '--set',
  'maxListingDepth=10000000',
  '--data-dir',
  directory,
  '--access-token',
  token,
]
const headers = { authorization: `Bearer ${token}` }
export const builds = (baseUrl: string) => `${baseUrl}/v2/organizations/acme/pipelines/web/builds`

export interface Acknowledged {
  readonly id: string
  readonly number: number
  readonly mark: string
  readonly branch: string
  canceled: boolean
}

/**
 * Creates builds as fast as the server accepts them and cancels every third, until the connection
 * breaks.
 */
async function write(
  url: string,
  branch: string,
  writer: string,
  seen: Acknowledged[],
  started: () => void,
) {
  const send = async (path: string, method: string, body: object, status: number) => {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (response.status !== status) throw new Error(`status ${response.status}`)
    return (await response.json()) as { readonly id: string; readonly number: number }
  }
  try {
    for (let n = 0; ; n++) {
      const mark = `${writer}-${n}`
      const { id, number } = await send(
        '',
        'POST',
        { commit: 'abc', branch, meta_data: { mark } },
        201,
      )
      const build = { id, number, mark, branch, canceled: false }
      seen.push(build)
      started()
      if (n % 3 !== 0) continue
      await send(`/${number}/cancel`, 'PUT', {}, 200)
      build.canceled = true
    }
  } catch (error) {
    // The server was killed: a broken connection is the expected end.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
  }
}

/**
 * Ends a server this many ms after the writers have begun. `seen` collects the writes that it
 * acknowledged.
 */
export async function endUnderLoad(
  { child, ended }: ServerProcess,
  url: string,
  names: readonly string[],
  branch: string,
  seen: Acknowledged[],
  delayMs: number,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  let started: () => void = () => undefined
  const underLoad = new Promise<void>((resolve) => {
    started = resolve
  })
  const load = (name: string) =>
    write(url, branch, name, seen, started).catch((error: Error) => {
      // A server that stops cleanly refuses requests after its drain.
      if (signal === 'SIGKILL' || error.message !== 'status 503') throw error
    })
  const writers = Promise.all(names.map(load))
  await Promise.race([underLoad, writers])
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  child.kill(signal)
  await writers
  await ended
}

interface Listed {
  readonly id: string
  readonly number: number
  readonly state: string
  readonly meta_data: { readonly mark?: string }
  readonly jobs: readonly { readonly type: string; readonly finished_at?: string | null }[]
}

export async function readAll(url: string, branch: string): Promise<Map<string, Listed>> {
  const all = new Map<string, Listed>()
  for (
    let next: string | undefined = `${url}?branch=${branch}&per_page=100`;
    next !== undefined;
  ) {
    const response: Response = await fetch(next, { headers })
    if (response.status !== 200) throw new Error(`${next} answered ${response.status}`)
    for (const build of (await response.json()) as Listed[]) all.set(build.id, build)
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return all
}

/** Compares the stored builds with the acknowledged writes and returns the errors. */
export function judge(
  acknowledged: readonly Acknowledged[],
  stored: ReadonlyMap<string, Listed>,
): readonly string[] {
  const faults: string[] = []
  for (const { id, number, mark, canceled } of acknowledged) {
    const found = stored.get(id)
    if (found?.number !== number || found.meta_data.mark !== mark)
      faults.push(`${mark} (#${number}) is gone`)
    else if (canceled && found.state !== 'canceled')
      faults.push(`#${number} was canceled and is ${found.state}`)
  }
  if (new Set([...stored.values()].map(({ number }) => number)).size !== stored.size)
    faults.push('a number was given twice')
  for (const { number, state, jobs } of stored.values()) {
    if (jobs.length === 0) faults.push(`#${number} is half a build`)
    if (state === 'canceled' && jobs.some(({ finished_at }) => finished_at === null))
      faults.push(`#${number} is half canceled`)
  }
  return faults
}

/**
 * Kills a writing server again and again, and checks after each kill that every acknowledged write
 * is stored; at the end it checks all of them once more.
 *
 * @param delayMs - How long to write before the kill; null ends the run before this cycle.
 */
export async function killCycles(
  directory: string,
  cycles: number,
  delayMs: (cycle: number) => number | null,
): Promise<KillReport> {
  const all: Acknowledged[] = []
  const faults: string[] = []
  const args = writerArgs(directory)
  for (let cycle = 0, last: Acknowledged[] = []; ; cycle++) {
    const server = startServerProcess(args)
    const url = builds((await server.ready).baseUrl)
    const report = (found: readonly string[]) =>
      faults.push(...found.map((text) => `cycle ${cycle}: ${text}`))
    if (cycle > 0) report(judge(last, await readAll(url, `load-${cycle - 1}`)))
    const delay = cycle < cycles ? delayMs(cycle) : null
    if (delay === null) {
      report(judge(all, await readAll(url, '*')))
      server.child.kill('SIGTERM')
      await server.ended
      return { cycles: cycle, acknowledged: all.length, faults }
    }
    last = []
    await endUnderLoad(
      server,
      url,
      ['a', 'b', 'c', 'd'].map((name) => `${cycle}${name}`),
      `load-${cycle}`,
      last,
      delay,
    )
    all.push(...last)
  }
}
