import { createMockServer } from '@buildwire/mock-server'
import { CiClient, fetchTransport, summarizeFailure } from '@buildwire/sdk'
import type { LogCase } from './case.js'

/** What the score is taken of: the summary at three sizes, and the last 60 lines of the raw log. */
export const measures = ['raw last 60 lines', 'default', '8000 bytes', '2000 bytes'] as const
export type Measure = (typeof measures)[number]

/** The names of the cases whose wanted line a measure does not show. */
export type Misses = Readonly<Record<Measure, readonly string[]>>

const SIZES = { default: 32_768, '8000 bytes': 8_000, '2000 bytes': 2_000 } as const
const admin = 'ada@acme.example'

/** A server in this process with one failed build a case, numbered from 1 on. */
export async function corpusServer(cases: readonly LogCase[]) {
  const builds = cases.map(({ name, exit_status, log }, index) => ({
    number: index + 1,
    branch: 'main',
    message: name,
    state: 'failed' as const,
    force: true,
    jobs: [
      {
        name: 'Tests',
        state: 'failed' as const,
        exit_status: exit_status ?? 1,
        log: log(),
        started_at: '2026-03-01T09:00:00.000Z',
        finished_at: '2026-03-01T09:05:00.000Z',
      },
    ],
  }))
  const scopes = ['read_builds', 'read_build_logs']
  const server = createMockServer({
    seed: {
      users: [{ name: 'Ada', email: admin }],
      organizations: [
        {
          slug: 'acme',
          members: [{ user: admin, role: 'admin' }],
          pipelines: [{ slug: 'web', builds }],
        },
      ],
      accessTokens: [{ name: 'all', user: admin, scopes, organizations: ['acme'] }],
    },
  })
  const { accessTokens } = await server.ready()
  const token = accessTokens['all'] ?? ''
  const transport = fetchTransport(() => (url, init) => server.fetch(new Request(url, init)))
  const ci = new CiClient({ baseUrl: server.baseUrl, auth: token, transport })
  const close = async () => {
    await ci.close()
    await server.close()
  }
  return { server, token, ci, close }
}

/** Measures all cases through `summarizeFailure` against the reference server. */
export async function measure(cases: readonly LogCase[]): Promise<Misses> {
  const { ci, close } = await corpusServer(cases)
  const missed: Record<Measure, string[]> = {
    'raw last 60 lines': [],
    default: [],
    '8000 bytes': [],
    '2000 bytes': [],
  }
  try {
    for (const [index, { name, log, wanted }] of cases.entries()) {
      if (!shows(rawEnd(log()), wanted)) missed['raw last 60 lines'].push(name)
      for (const [size, maxBytes] of Object.entries(SIZES)) {
        const path = { org_slug: 'acme', pipeline_slug: 'web', number: index + 1 }
        const { problems } = await summarizeFailure(ci, path, { maxBytes })
        const lines = problems.flatMap(({ log: excerpt }) => excerpt?.lines ?? [])
        if (!shows(lines, wanted)) missed[size as Measure].push(name)
      }
    }
  } finally {
    await close()
  }
  return missed
}

/** True if a line contains the text. */
export function shows(lines: readonly string[], wanted: string): boolean {
  return lines.some((line) => line.includes(wanted))
}

/** The last 60 lines as a terminal shows them. */
function rawEnd(log: string): string[] {
  const lines = log.split('\n')
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines.slice(-60).map((line) => {
    const shown = line.replace(/\u001b\[[0-9;]*m/gu, '').replace(/\r$/u, '')
    return shown.slice(shown.lastIndexOf('\r') + 1)
  })
}

/** The share of the cases that a measure shows, from 0 to 1. */
export function shareOf(misses: readonly string[], cases: readonly LogCase[]): number {
  return 1 - misses.length / cases.length
}
