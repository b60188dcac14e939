import { startServerProcess } from './server-process.js'

export interface KillReport {
  readonly cycles: number
  readonly acknowledged: number
  /** What must not be: writes that were acknowledged and are gone, numbers given twice, halves of a write. */
  readonly faults: readonly string[]
}

const token = 'local-token-for-tests'
const headers = { authorization: `Bearer ${token}` }
const builds = (baseUrl: string) => `${baseUrl}/v2/organizations/acme/pipelines/web/builds`

interface Acknowledged {
  readonly id: string
  readonly number: number
  readonly mark: string
}

/** Creates builds as fast as the server takes them, until the connection breaks. */
async function write(url: string, writer: string, seen: Acknowledged[], started: () => void): Promise<void> {
  for (let n = 0; ; n++) {
    const mark = `${writer}-${n}`
    try {
      const body = JSON.stringify({ commit: 'abc', branch: 'load', meta_data: { mark } })
      const response = await fetch(url, { method: 'POST', headers, body })
      if (response.status !== 201) throw new Error(`status ${response.status}`)
      const { id, number } = (await response.json()) as Acknowledged
      seen.push({ id, number, mark })
      started()
    } catch (error) {
      // The killed server: a broken connection is how this ends.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

interface Listed {
  readonly id: string
  readonly number: number
  readonly meta_data: { readonly mark?: string }
  readonly jobs: readonly unknown[]
}

async function readAll(url: string): Promise<Map<string, Listed>> {
  const all = new Map<string, Listed>()
  for (let next: string | undefined = `${url}?branch=load&per_page=100`; next !== undefined; ) {
    const response: Response = await fetch(next, { headers })
    if (response.status === 400) break
    for (const build of (await response.json()) as Listed[]) all.set(build.id, build)
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return all
}

/** Kills a writing server again and again, and looks each time whether it kept its word. */
export async function killCycles(
  directory: string,
  cycles: number,
  delayMs: (cycle: number) => number,
): Promise<KillReport> {
  const acknowledged: Acknowledged[] = []
  const faults: string[] = []
  const args = [
    '--port',
    '0',
    '--seed',
    'demo',
    '--lifecycle',
    'manual',
    '--data-dir',
    directory,
    '--access-token',
    token,
    '--log',
    'off',
  ]
  for (let cycle = 0; cycle <= cycles; cycle++) {
    const server = startServerProcess(args)
    const url = builds((await server.ready).baseUrl)
    const stored = await readAll(url)
    for (const { id, number, mark } of acknowledged) {
      const found = stored.get(id)
      if (found?.number !== number || found.meta_data.mark !== mark)
        faults.push(`cycle ${cycle}: ${mark} (#${number}) is gone`)
    }
    const numbers = new Set([...stored.values()].map(({ number }) => number))
    if (numbers.size !== stored.size) faults.push(`cycle ${cycle}: a number was given twice`)
    for (const { number, jobs } of stored.values())
      if (jobs.length === 0) faults.push(`cycle ${cycle}: #${number} is half a build`)
    if (cycle < cycles) {
      let started: () => void = () => undefined
      const underLoad = new Promise<void>((resolve) => {
        started = resolve
      })
      const writers = ['a', 'b', 'c', 'd'].map((name) => write(url, `${cycle}${name}`, acknowledged, started))
      await underLoad
      await new Promise((resolve) => setTimeout(resolve, delayMs(cycle)))
      server.child.kill('SIGKILL')
      await Promise.all(writers)
    } else server.child.kill('SIGTERM')
    await server.ended
  }
  return { cycles, acknowledged: acknowledged.length, faults }
}
