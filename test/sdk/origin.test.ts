import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, failed, passed } from './support/failing-builds.js'
import { firstNumber, histories, seedBuilds } from './support/histories.js'
import { originServer, originServerOfTest } from './support/origins.js'

describe('is the failure new', () => {
  let server: Awaited<ReturnType<typeof originServer>>
  beforeAll(async () => {
    server = await originServer(histories.map((history) => ({ builds: seedBuilds(history) })))
  })
  afterAll(() => server.close())

  test.each(histories.map((history, index) => ({ ...history, index })))(
    '$is',
    async ({ asked, builds, wants, index }) => {
      const number = firstNumber + (asked ?? builds.length - 1)
      const { origin, requests } = await server.originOf(index, number)
      if (wants === null) expect(origin).toBeNull()
      else expect(origin).toMatchObject(wants)
      const without = await server.originOf(index, number, { history: false })
      expect(without.origin).toBeNull()
      expect(requests.length - without.requests.length).toBeLessThanOrEqual(4)
      expect(requests.length).toBeLessThanOrEqual(12)
    },
  )
})

const wrong = (text: string) => failed('Tests', `✗ ${text}\nError: ${text}\n`)
const build = (number: number, branch: string, jobs: readonly ReturnType<typeof failed>[]) => {
  const state = jobs.some((job) => job.state === 'failed')
    ? ('failed' as const)
    : ('passed' as const)
  return { number, branch, state, jobs: [...jobs], created_at: at(number), force: true }
}

test('a sentence says the verdict, its evidence and how many builds were compared', async () => {
  const sha = 'abcdef1234'.repeat(4)
  const { originOf } = await originServerOfTest([
    { builds: [build(1, 'main', [wrong('adds')]), build(2, 'cart', [wrong('adds')])] },
    {
      builds: [
        { ...build(1, 'cart', [passed('Tests')]), commit: sha },
        { ...build(2, 'cart', [wrong('adds')]), commit: sha.replace('a', 'f') },
      ],
    },
    {
      builds: [
        build(1, 'main', [
          { ...wrong('adds'), step_key: 't', retried: true },
          { ...passed('Tests'), step_key: 't' },
        ]),
        build(2, 'cart', [{ ...wrong('adds'), step_key: 't' }]),
      ],
    },
  ])
  const sentences = await Promise.all(
    [0, 1, 2].map(async (at) => (await originOf(at, 2)).origin?.sentence),
  )
  expect(sentences).toEqual([
    'not new: main fails alike since #1 (1 build and 1 log compared)',
    'new in #2; the last green build is #1 (commits abcdef1..fbcdef1; 1 build compared)',
    'unstable: 1 of its last 1 runs failed and passed when run again',
  ])
})

test('twenty builds are compared, and two logs', async () => {
  const mine = Array.from({ length: 30 }, (_, index) => build(index + 1, 'cart', [wrong('adds')]))
  const main = Array.from({ length: 30 }, (_, index) => build(index + 31, 'main', [wrong('sorts')]))
  const { originOf } = await originServerOfTest([
    { builds: [...mine, ...main, build(61, 'cart', [wrong('adds')])] },
  ])
  const { origin, requests } = await originOf(0, 61)
  expect(origin).toMatchObject({ verdict: 'not_new', branch: 'cart', builds: 20, logs: 2 })
  expect(origin?.since?.number).toBe(30)
  expect(requests.filter((url) => url.includes('/log'))).toHaveLength(3)
})

test('four requests more are sent at most, also if a later build of the commit proves nothing', async () => {
  const commit = 'c'.repeat(40)
  const { originOf } = await originServerOfTest([
    {
      builds: [
        build(1, 'main', [wrong('sorts')]),
        build(2, 'cart', [wrong('totals')]),
        { ...build(3, 'cart', [wrong('adds')]), commit },
        { ...build(4, 'cart', [passed('Lint')]), commit },
      ],
    },
  ])
  const { origin, requests } = await originOf(0, 3)
  const without = await originOf(0, 3, { history: false })
  expect(origin).toBeNull()
  expect(requests.length - without.requests.length).toBe(4)
})

test('lists and logs take two megabytes at most, however large the builds are', async () => {
  const many = Array.from({ length: 300 }, (_, index) => passed(`Part ${index} ${'x'.repeat(200)}`))
  const log = `${'a line that says nothing\n'.repeat(40_000)}Error: no total\n`
  const large = (number: number, branch: string) =>
    build(number, branch, [...many, failed('Tests', log)])
  const before = Array.from({ length: 6 }, (_, index) =>
    large(index + 1, index % 2 ? 'main' : 'cart'),
  )
  const { originOf } = await originServerOfTest([{ builds: [...before, large(7, 'cart')] }])
  const { origin, bytes } = await originOf(0, 7)
  const without = await originOf(0, 7, { history: false })
  expect(origin).toMatchObject({ verdict: 'not_new', branch: 'main' })
  expect(bytes - without.bytes).toBeLessThanOrEqual(2_000_000)
})

test('a token that may not read logs does not make a failure new', async () => {
  const { originOf } = await originServerOfTest([
    { builds: [build(1, 'main', [wrong('adds')]), build(2, 'cart', [wrong('adds')])] },
  ])
  expect((await originOf(0, 2, {}, 'read_builds')).origin).toBeNull()
})
