import { createMockServer } from '@buildwire/mock-server'
import { CiClient, fetchTransport, type ListOptions } from '@buildwire/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canary, client, path, rejection } from './support/client.js'
import { build, json, serve } from './support/server.js'

/** The reference server with builds, and a client such as each process makes for itself. */
async function scene(builds: number, settings: object = {}) {
  const server = createMockServer({
    seed: {
      version: 1,
      users: [{ email: 'ada@acme.example', name: 'Ada' }],
      organizations: [
        {
          slug: 'acme',
          name: 'Acme',
          members: [{ user: 'ada@acme.example', role: 'admin' }],
          pipelines: [{ slug: 'web', steps: [{ command: 'make' }], generate: { builds, days: 9 } }],
        },
      ],
      accessTokens: [
        { name: 'ada', user: 'ada@acme.example', scopes: ['read_builds', 'write_builds'] },
      ],
      settings,
    },
  })
  onTestFinished(() => server.close())
  const { accessTokens } = await server.ready()
  const transport = fetchTransport(() => (url, init) => server.fetch(new Request(url, init)))
  return () => new CiClient({ baseUrl: server.baseUrl, auth: accessTokens['ada'] ?? '', transport })
}

const numbers = (items: readonly { number: number }[]): number[] =>
  items.map(({ number }) => number)

describe('a list goes on by the cursor of a page', () => {
  test.each<[string, object, number]>([
    ['of a few builds', {}, 25],
    ['deeper than the server lists', { maxListingDepth: 20 }, 45],
  ])('%s, in another process, while builds are created', async (_, settings, builds) => {
    const process = await scene(builds, settings)
    const params = {
      ...path,
      branch: ['main', 'feature/*', 'release/*', 'fix/*', '*'],
      per_page: 10,
    }
    const whole = numbers(await process().builds.listForPipeline(params).toArray())
    const walked: number[] = []
    let cursor: string | null | undefined
    for (let turn = 0; cursor !== null && turn < 20; turn++) {
      const page = await process().builds.listForPipeline(params, { cursor })
      walked.push(...numbers(page.items))
      cursor = page.cursor
      await process().builds.create({ ...path, commit: 'HEAD', branch: 'main' })
    }
    expect(walked).toEqual(whole)
    expect(walked.length).toBe(builds)
  })

  test('also the rest of one that was being iterated, and of one that was not anchored', async () => {
    const process = await scene(25)
    for (const anchored of [true, false]) {
      const list = process().builds.listForPipeline({ ...path, per_page: 7 }, { anchored })
      const { value: first } = await list.byPage()[Symbol.asyncIterator]().next()
      const options: ListOptions = { cursor: first?.cursor ?? undefined }
      const rest = await process()
        .builds.listForPipeline({ ...path, per_page: 7 }, options)
        .toArray()
      expect([...numbers(first?.items ?? []), ...numbers(rest)]).toEqual(
        Array.from({ length: 25 }, (_, n) => 25 - n),
      )
    }
  })

  test('which holds no address and no token, and is none on the last page', async () => {
    const server = await serve((response, seen) => {
      const more = seen.url.includes('page=') ? '' : `<${seen.url}?page=2&per_page=1>; rel="next"`
      json(response, 200, [build(1)], { link: more })
    })
    const page = await client(server.url).builds.list()
    const text = Buffer.from(page.cursor ?? '', 'base64url').toString()
    expect(JSON.parse(text)).toMatchObject({ page: '2', per_page: '1' })
    expect(text).not.toMatch(new RegExp(`http|127|/v2|${canary}`))
    expect(
      (await client(server.url).builds.list({}, { cursor: page.cursor ?? '' })).cursor,
    ).toBeNull()
  })

  test.each([
    '<?after=abc>',
    '<?page=2&key=secret>',
    '</v2/other?page=2>',
    '<?page=two>',
    '<//other.example/v2/builds?page=2>',
  ])('and there is none where %s leads on', async (link) => {
    const server = await serve((response) =>
      json(response, 200, [build(1)], { link: `${link}; rel="next"` }),
    )
    const page = await client(server.url).builds.list()
    expect([page.hasNext, page.cursor]).toEqual([true, null])
  })
})

test('a list is read to its end where so many builds share a moment that no cursor holds them', async () => {
  const pages = 150
  const server = await serve((response, seen) => {
    const at = Number(new URL(seen.url, 'http://x').searchParams.get('page') ?? 1)
    const items = Array.from({ length: 100 }, (_, n) =>
      build(at * 100 + n, { created_at: '2026-03-02T09:00:00.000Z' }),
    )
    json(response, 200, items, {
      link: at < pages ? `<?page=${at + 1}&per_page=100>; rel="next"` : '',
    })
  })
  let read = 0
  const cursors: (string | null)[] = []
  for await (const { items, cursor } of client(server.url)
    .builds.list({ per_page: 100 })
    .byPage()) {
    read += items.length
    cursors.push(cursor)
  }
  expect(read).toBe(100 * pages)
  expect(cursors.slice(0, 3).every((cursor) => cursor !== null && cursor.length <= 20_000)).toBe(
    true,
  )
  expect(cursors.slice(5).every((cursor) => cursor === null)).toBe(true)
})

test('other parameters than those of the cursor, and other texts, are refused before anything is sent', async () => {
  const ci = (await scene(25))()
  const { cursor } = await ci.builds.listForPipeline({ ...path, state: 'passed', per_page: 2 })
  const other = client('http://127.0.0.1:9')
  const lists = [
    other.builds.listForPipeline(
      { ...path, state: 'failed', per_page: 2 },
      { cursor: cursor ?? '' },
    ),
    other.builds.listForPipeline(
      { ...path, state: 'passed', per_page: 3 },
      { cursor: cursor ?? '' },
    ),
    other.builds.listForPipeline(
      { ...path, pipeline_slug: 'api', state: 'passed' },
      { cursor: cursor ?? '' },
    ),
    other.builds.listForOrganization(
      { org_slug: 'acme', state: 'passed' },
      { cursor: cursor ?? '' },
    ),
  ]
  for (const list of lists) {
    const message = expect.stringContaining('the same parameters')
    expect(await rejection(list.toArray())).toMatchObject({
      code: 'config',
      option: 'cursor',
      message,
    })
  }
  const address = 'https://api.ci.example/v2/builds?page=2'
  for (const text of ['', address, btoa('{"of":1,"page":"2","last":7}'), btoa('[]'), 7, null]) {
    const error = await rejection(other.builds.list({}, { cursor: text as string }).toArray())
    expect(error).toMatchObject({ code: 'config', option: 'cursor' })
  }
})
