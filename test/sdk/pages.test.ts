import { describe, expect, test } from 'vitest'
import { client, path, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build, json, serve, type TestServer } from './support/server.js'

function created(number: number, at: string | number): ReturnType<typeof build> {
  return build(number, { created_at: typeof at === 'string' ? at : new Date(at).toISOString() })
}

const start = Date.UTC(2026, 2, 1, 9)

/** A build list that pages by offset, as services do: new rows push older ones down. */
async function offsetServer(
  rows: { number: number; at: number; text?: string }[],
  more: { perPage?: number; maxDepth?: number; afterPage?: () => void } = {},
): Promise<TestServer> {
  const { perPage = 2, maxDepth = Number.POSITIVE_INFINITY } = more
  return serve((response, seen) => {
    const url = new URL(seen.url, 'http://server')
    const page = Number(url.searchParams.get('page') ?? '1')
    if ((page - 1) * perPage >= maxDepth) {
      return json(response, 400, { message: 'Listing builds this deep is not supported.' })
    }
    const until = url.searchParams.get('created_to')
    const matching = rows
      .filter((row) => until === null || row.at < Date.parse(until))
      .sort((a, b) => b.at - a.at || b.number - a.number)
    const slice = matching.slice((page - 1) * perPage, page * perPage)
    url.searchParams.set('page', String(page + 1))
    const link =
      page * perPage < matching.length ? { link: `<${url.pathname}${url.search}>; rel="next"` } : {}
    json(
      response,
      200,
      slice.map((row) => created(row.number, row.text ?? row.at)),
      link,
    )
    more.afterPage?.()
  })
}

const rowsDown = (count: number): { number: number; at: number }[] =>
  Array.from({ length: count }, (_, n) => ({ number: count - n, at: start - n * 60_000 }))

test('a list can be caught like any promise, and reads its first page once for it', async () => {
  const server = await serve((response) =>
    json(response, 404, { message: 'No organization found' }),
  )
  const list = client(server.url).builds.listForOrganization({ org_slug: 'nobody' })
  expect(await list.catch((error: unknown) => (error as { code: string }).code)).toBe('not_found')
  await expect(list).rejects.toMatchObject({ code: 'not_found' })
  expect(server.requests).toHaveLength(1)
})

test('P1: a next link with a comma in its URL leads to the right page; an empty header and one with only rel="last" are a clean end', async () => {
  for (const end of ['', '</v2/builds?page=9>; rel="last"']) {
    const server = await serve((response, _, index) =>
      index === 0
        ? json(response, 200, [build(2)], { link: '</v2/builds?branch=a,b&page=2>; rel=next' })
        : json(response, 200, [build(1)], { link: end }),
    )
    const all = await client(server.url).builds.list({ branch: 'a,b' }).toArray()
    expect(all.map((item) => item.number)).toEqual([2, 1])
    expect(server.requests.map((seen) => seen.url)).toEqual([
      '/v2/builds?branch=a%2Cb&per_page=100',
      '/v2/builds?branch=a,b&page=2',
    ])
  }
})

test('P2: a next link to another origin is unsafe_link, with no request and no Authorization there', async () => {
  const other = await serve((response) => json(response, 200, []))
  const links = [
    `<${other.url}/v2/builds?page=2>; rel="next"`,
    '<//evil.example/v2/builds>; rel="next"',
  ]
  for (const link of links) {
    const server = await serve((response) => json(response, 200, [build(1)], { link }))
    const error = await rejection(client(server.url).builds.list().toArray())
    expect(error).toMatchObject({ code: 'unsafe_link', pages: 1 })
    expect(error.message).not.toContain('page=2')
  }
  const server = await serve((response, seen) =>
    json(response, 200, [build(1)], {
      link: `<http://user:pw@${seen.headers.host}/v2/builds?page=2>; rel="next"`,
    }),
  )
  expect(await rejection(client(server.url).builds.list().toArray())).toMatchObject({
    code: 'unsafe_link',
  })
  expect(other.requests).toEqual([])
})

describe('what is wrong with the way to the next page spoils none that arrived', () => {
  test.each([
    ['another origin', '<https://ci.example/v2/builds?page=2>; rel="next"', 'unsafe_link'],
    ['a header that cannot be read', 'next page: 2', 'invalid_response'],
    ['a link to itself', '</v2/builds?per_page=2>; rel="next"', 'page_loop'],
  ])('%s', async (_, link, code) => {
    const server = await serve((response) => json(response, 200, [build(2), build(1)], { link }))
    const ci = client(server.url)
    expect(await ci.builds.list().toArray({ limit: 2 })).toHaveLength(2)
    const page = await ci.builds.list({ per_page: 2 })
    expect([page.items.length, page.hasNext]).toEqual([2, true])
    const asked = server.requests.length
    const error = await rejection(page.next() ?? expect.fail('no next page'))
    expect(error).toMatchObject({ code, operationId: 'builds.list' })
    if (code === 'unsafe_link')
      expect(error.advice).toMatch(/linkOrigin: 'rebase'.* https:\/\/ci\.example$/)
    expect(server.requests).toHaveLength(asked)
  })

  test("linkOrigin 'rebase' keeps path and query, and goes to baseUrl", async () => {
    const server = await serve((response, _, index) => {
      const links = [
        `<http://inner:4010/api/v2/builds?page=2&after=a%2Bb>`,
        '<//other.example/v2/elsewhere?page=3>',
      ]
      const link = links[index] === undefined ? {} : { link: `${links[index]}; rel="next"` }
      json(response, 200, [build(index)], link)
    })
    const ci = client(`${server.url}/ci`, { linkOrigin: 'rebase' })
    expect(await ci.builds.list({}, { anchored: false }).toArray()).toHaveLength(3)
    expect(server.requests.slice(1).map(({ url }) => url)).toEqual([
      '/ci/v2/builds?page=2&after=a%2Bb',
      '/v2/elsewhere?page=3',
    ])
    expect(() => client(server.url, { linkOrigin: 'follow' as never })).toThrow(
      'linkOrigin must be one of',
    )
  })
})

test('P3: when a build is created between two pages there is no duplicate and no hole', async () => {
  const rows = rowsDown(7)
  let next = 100
  const server = await offsetServer(rows, {
    afterPage: () => rows.push({ number: next, at: start + next++ * 1_000 }),
  })
  const all = await client(server.url).builds.listForPipeline(path).toArray()
  expect(all.map((item) => item.number)).toEqual([7, 6, 5, 4, 3, 2, 1])
  expect(new URL(server.requests[1]?.url ?? '', 'http://x').searchParams.get('created_to')).toBe(
    new Date(start + 1).toISOString(),
  )
})

test('P3, unanchored: the pages move, and only the page before is compared', async () => {
  const rows = rowsDown(5)
  let next = 100
  const server = await offsetServer(rows, {
    afterPage: () => rows.push({ number: next, at: start + next++ * 1_000 }),
  })
  const all = await client(server.url).builds.listForPipeline(path, { anchored: false }).toArray()
  expect(all.map((item) => item.number)).toEqual([5, 4, 3, 2, 1])
  expect(server.requests.every((seen) => !seen.url.includes('created_to'))).toBe(true)
})

test("P3: a timestamp without decimals anchors a second later, and the caller's earlier end stays", async () => {
  const rows = [
    { number: 3, at: start + 400, text: '2026-03-01 09:00:00 UTC' },
    { number: 2, at: start + 200, text: '2026-03-01 09:00:00 UTC' },
    { number: 1, at: start - 5_000, text: '2026-03-01 08:59:55 UTC' },
  ]
  const server = await offsetServer(rows)
  const ci = client(server.url)
  expect((await ci.builds.list().toArray()).map((item) => item.number)).toEqual([3, 2, 1])
  expect(server.requests[1]?.url).toContain('created_to=2026-03-01T09%3A00%3A01.000Z')
  const created_to = new Date(start + 300)
  expect(
    (await ci.builds.list({ created_to, per_page: 1 }).toArray()).map((item) => item.number),
  ).toEqual([2, 1])
  const ends = server.requests
    .slice(2)
    .map((seen) => new URL(seen.url, 'http://x').searchParams.get('created_to'))
  expect(new Set(ends)).toEqual(new Set([created_to.toISOString()]))
})

test('P3: a walk that begins at a later page is not anchored to it', async () => {
  const server = await offsetServer(rowsDown(7))
  const all = await client(server.url)
    .builds.listForPipeline({ ...path, page: 2 })
    .toArray()
  expect(all.map((item) => item.number)).toEqual([5, 4, 3, 2, 1])
})

describe('P4: a list that leads nowhere is page_loop after finitely many requests', () => {
  test('next = self', async () => {
    const server = await serve((response, seen) =>
      json(response, 200, [build(1)], { link: `<${seen.url}>; rel=next` }),
    )
    const error = await rejection(
      client(server.url).tests.list({ org_slug: 'acme', suite_slug: 'unit' }).toArray(),
    )
    expect(error).toMatchObject({ code: 'page_loop' })
    expect(server.requests).toHaveLength(1)
  })

  test('A, B, A', async () => {
    const server = await serve((response, _, index) =>
      json(response, 200, [build(index)], {
        link: `</v2/builds?page=${index % 2 === 0 ? 'B' : 'A'}>; rel="next"`,
      }),
    )
    expect(await rejection(client(server.url).builds.list().toArray())).toMatchObject({
      code: 'page_loop',
    })
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test.each([
    ['the same items', [build(1), build(2)]],
    ['nothing', []],
  ])('a growing page number with %s', async (_, items) => {
    const server = await serve((response, __, index) =>
      json(response, 200, items, { link: `</v2/builds?page=${index + 2}>; rel="next"` }),
    )
    expect(await rejection(client(server.url).builds.list().toArray())).toMatchObject({
      code: 'page_loop',
    })
    expect(server.requests.length).toBeLessThanOrEqual(12)
  })

  test('and a list without end stops at maxPages, with everything read before kept', async () => {
    const server = await serve((response, _, index) =>
      json(response, 200, [build(index + 1)], {
        link: `</v2/builds?page=${index + 2}>; rel="next"`,
      }),
    )
    const numbers: number[] = []
    const walk = async (): Promise<void> => {
      for await (const item of client(server.url).builds.list({}, { maxPages: 20 }))
        numbers.push(item.number)
    }
    expect(await rejection(walk())).toMatchObject({ code: 'too_many_pages', pages: 20 })
    expect(numbers).toHaveLength(20)
  })
})

describe('P5: a 400 "this deep" in the middle of for await', () => {
  test('goes on in a new window, with no duplicate and no hole', async () => {
    const rows = rowsDown(23).map((row, n) => ({ ...row, at: start - Math.floor(n / 3) * 1_000 }))
    const server = await offsetServer(rows, { perPage: 3, maxDepth: 9 })
    const all = await client(server.url).builds.list({ state: 'passed' }).toArray()
    expect(all.map((item) => item.number)).toEqual(rows.map((row) => row.number))
    expect(server.requests.every((seen) => seen.url.includes('state=passed'))).toBe(true)
  })

  test('also while builds are created, and when times have no decimals', async () => {
    const second = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z/, 'Z')
    const rows = rowsDown(30).map((row, n) => {
      const at = start - n * 400
      return { number: row.number, at, text: second(at) }
    })
    const before = rows.map((row) => row.number)
    let next = 100
    const server = await offsetServer(rows, {
      perPage: 4,
      maxDepth: 8,
      afterPage: () =>
        rows.push({ number: next, at: start + next * 1_000, text: second(start + next++ * 1_000) }),
    })
    const all = await client(server.url).builds.list().toArray()
    expect(all.map((item) => item.number)).toEqual(before)
  })

  test('ends as listing_too_deep when more builds share one moment than the server lists', async () => {
    const rows = rowsDown(12).map((row) => ({ ...row, at: start }))
    const server = await offsetServer(rows, { perPage: 2, maxDepth: 6 })
    const numbers: number[] = []
    const walk = async (): Promise<void> => {
      for await (const item of client(server.url).builds.list()) numbers.push(item.number)
    }
    expect(await rejection(walk())).toMatchObject({ code: 'listing_too_deep', status: 400 })
    expect(numbers).toEqual([12, 11, 10, 9, 8, 7])
  })

  test('a direct request that deep throws at once', async () => {
    const server = await offsetServer(rowsDown(20), { maxDepth: 4 })
    const error = await rejection(client(server.url).builds.list({ page: 3 }))
    expect(error).toMatchObject({ code: 'listing_too_deep' })
    expect(error.message).toContain('Narrow the list')
    expect(server.requests).toHaveLength(1)
  })

  test('a 400 in another list is just thrown', async () => {
    const server = await serve((response, _, index) =>
      index === 0
        ? json(response, 200, [build(1)], { link: '</v2/organizations?page=2>; rel="next"' })
        : json(response, 400, { message: 'no' }),
    )
    expect(await rejection(client(server.url).organizations.list().toArray())).toMatchObject({
      code: 'bad_request',
    })
  })
})

describe('a list', () => {
  test('asks for nothing until it is used, and then for as much as it needs', async () => {
    const server = await offsetServer(rowsDown(9))
    const ci = client(server.url)
    const list = ci.builds.listForPipeline(path)
    expect(server.requests).toEqual([])
    const first = await list
    expect(await list).toBe(first)
    expect(first.hasNext).toBe(true)
    expect(await ci.builds.listForPipeline(path).toArray({ limit: 3 })).toHaveLength(3)
    expect(
      await ci.builds.listForPipeline({ ...path, per_page: 5 }).toArray({ limit: 1 }),
    ).toHaveLength(1)
    expect(await ci.builds.listForPipeline(path).toArray({ limit: 0 })).toEqual([])
    const sizes = server.requests.map((seen) =>
      new URL(seen.url, 'http://x').searchParams.get('per_page'),
    )
    expect(sizes).toEqual([null, '3', '3', '5'])
  })

  test('can be read page by page, from any page on', async () => {
    const server = await offsetServer(rowsDown(5))
    const first = await client(server.url).builds.listForPipeline(path)
    const rest: number[] = []
    const next = first.next()
    if (next !== null) for await (const item of next) rest.push(item.number)
    expect(rest).toEqual([3, 2, 1])
    const pages: number[][] = []
    for await (const page of client(server.url).builds.listForPipeline(path).byPage()) {
      expect(page.response.status).toBe(200)
      pages.push(page.items.map((item) => item.number))
    }
    expect(pages).toEqual([[5, 4], [3, 2], [1]])
    const { data, response } = await client(server.url).builds.listForPipeline(path).withResponse()
    expect(data.items).toHaveLength(2)
    expect(response.attempts).toBe(1)
  })

  test('queues parallel calls of next()', async () => {
    const server = await offsetServer(rowsDown(4))
    const iterator = client(server.url).builds.listForPipeline(path)[Symbol.asyncIterator]()
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => iterator.next()))
    expect(results.map((result) => result.value?.number)).toEqual([4, 3, 2, 1, undefined])
    expect(server.requests).toHaveLength(2)
  })

  test('does not read ahead', async () => {
    const server = await offsetServer(rowsDown(8))
    for await (const _ of client(server.url).builds.listForPipeline(path)) break
    expect(server.requests).toHaveLength(1)
  })

  test('gives each page its own retries', async () => {
    const server = await serve((response, _, index) => {
      if (index % 3 !== 2) return json(response, 503, {})
      const link = index < 8 ? { link: `</v2/builds?page=${index + 2}>; rel="next"` } : {}
      return json(response, 200, [build(index)], link)
    })
    const all = await client(server.url, { clock: new SleeplessClock() }).builds.list().toArray()
    expect(all).toHaveLength(3)
  })
})
