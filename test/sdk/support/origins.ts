import { createMockServer } from '@buildwire/mock-server'
import { fetchTransport, type SummaryOptions, summarizeFailure } from '@buildwire/sdk'
import { onTestFinished } from 'vitest'
import { client } from './client.js'
import type { SeedBuild } from './failing-builds.js'

interface SeedHistory {
  readonly defaultBranch?: string | undefined
  readonly builds: readonly SeedBuild[]
}

/** What a log holds that the service answers with 404. */
export const goneLog = 'This log is gone.\n'

/** A server with one pipeline a history, and the origin of a build of one of them. */
export async function originServer(histories: readonly SeedHistory[]) {
  const admin = { name: 'Ada', email: 'ada@acme.example' }
  const server = createMockServer({
    seed: {
      users: [admin],
      organizations: [
        {
          slug: 'acme',
          members: [{ user: admin.email, role: 'admin' }],
          pipelines: histories.map(({ defaultBranch = 'main', builds }, index) => ({
            slug: `p${index}`,
            default_branch: defaultBranch,
            builds: [...builds],
          })),
        },
      ],
      accessTokens: (['read_builds', 'read_build_logs'] as const).map((scope, index, scopes) => ({
        name: scope,
        user: admin.email,
        scopes: scopes.slice(0, index + 1),
      })),
    },
  })
  const { accessTokens } = await server.ready()

  /** The origin of the first problem of a build, and the requests of the whole summary. */
  const originOf = async (
    index: number,
    number: number,
    options: SummaryOptions = {},
    token = 'read_build_logs',
  ) => {
    const requests: string[] = []
    let bytes = 0
    const transport = fetchTransport(() => async (url, init) => {
      requests.push(url)
      const answer = await server.fetch(new Request(url, init))
      const body = await answer.clone().text()
      bytes += Buffer.byteLength(body)
      const isGone = body === goneLog
      return isGone ? Response.json({ message: 'Not Found' }, { status: 404 }) : answer
    })
    const ci = client(server.baseUrl, { auth: accessTokens[token] ?? '', transport })
    const path = { org_slug: 'acme', pipeline_slug: `p${index}`, number }
    const { problems } = await summarizeFailure(ci, path, options)
    return { origin: problems[0]?.origin ?? null, requests, bytes }
  }
  const close = () => server.close()
  return { originOf, close }
}

/** The server of one test. */
export async function originServerOfTest(histories: readonly SeedHistory[]) {
  const server = await originServer(histories)
  onTestFinished(server.close)
  return server
}
