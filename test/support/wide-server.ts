import { createMockServer, type Persistence, VirtualClock } from '@buildwire/mock-server'
import { acmePipelines } from './acme-pipelines.js'

export interface WideOptions {
  /** The parallel jobs of a build of the pipeline `wide`; `small` has one. */
  readonly jobs: number
  readonly persistence?: Persistence
  readonly lifecycle: 'immediate' | 'timed'
  /** The clock runs, and a timed lifecycle is this many times as fast. */
  readonly speed?: number
  /** Whether the jobs of `wide` pass; if not, all fail. */
  readonly passes?: boolean
}

interface ShownBuild {
  readonly state: string
  readonly jobs?: readonly { readonly state: string }[]
}

const token = 'local-token-for-tests'
const headers = { authorization: `Bearer ${token}` }
const base = 'http://mock.localhost/v2/organizations/acme/pipelines'

/**
 * A server in this process for builds of many jobs. Responses to writes are read and not parsed,
 * because a client would parse them.
 */
export async function wideServer({
  jobs,
  persistence,
  lifecycle,
  speed,
  passes = false,
}: WideOptions) {
  const outcome = passes ? ('pass' as const) : { exit_status: 1 }
  const pipeline = (slug: string, parallelism: number) => ({
    slug,
    steps: [
      { command: 'make', parallelism, outcome: slug === 'wide' ? outcome : ('pass' as const) },
    ],
  })
  const server = createMockServer({
    seed: acmePipelines(pipeline('wide', jobs), pipeline('small', 1)),
    accessTokens: { admin: token },
    clock: new VirtualClock({ mode: speed === undefined ? 'frozen' : 'real' }),
    lifecycle:
      lifecycle === 'timed' ? { policy: 'timed', speed: speed ?? 1 } : { policy: lifecycle },
    requestLog: false,
    ...(persistence && { persistence }),
  })
  await server.ready()
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await server.fetch(new Request(`${base}/${path}`, init))
    return { status: response.status, bytes: await response.arrayBuffer() }
  }
  const get = async (slug: string, number: number, query = ''): Promise<ShownBuild> => {
    const { bytes } = await send('GET', `${slug}/builds/${number}${query}`)
    return JSON.parse(Buffer.from(bytes).toString()) as ShownBuild
  }
  return {
    create: (slug: string) => send('POST', `${slug}/builds`, { commit: 'HEAD', branch: 'main' }),
    retry: (number: number) => send('PUT', `wide/builds/${number}/retry_failed_jobs`, {}),
    get,
    /** Resolves when the state of a build cannot change any more. */
    async finished(slug: string, number: number): Promise<void> {
      for (;;) {
        if (lifecycle === 'timed') await server.control.clock.advance({ ms: 60_000 })
        const { nextDueAt } = await server.control.clock.get()
        const { state } = await get(slug, number, '?exclude_jobs=true')
        if (nextDueAt === null && (state === 'passed' || state === 'failed')) return
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    close: () => server.close(),
  }
}
