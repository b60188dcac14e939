import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BuildFilter, queryBuilds } from '../../mock-server/src/domain/build-query.js'
import { parseTime } from '../../mock-server/src/http/query.js'
import type { BuildRecord, JobRecord } from '../../mock-server/src/records/records.js'
import { putInto } from '../../mock-server/src/store/open-store.js'
import { State } from '../../mock-server/src/store/state.js'
import { aBuild, aJob } from '../support/records.js'

const branches = ['main', 'dev', 'release/1', 'release/2', 'a*b']
const patterns = [...branches, '*', 'release/*', '*e*', 'm*n', 'x*']
const commits = ['c1', 'c2', 'c3']
const people = ['u1', 'u2', null]
const states = ['scheduled', 'running', 'failing', 'passed', 'failed', 'canceled', 'skipped']
const minutes = Array.from({ length: 6 }, (_, minute) => `2026-03-01T09:0${minute}:00.000Z`)
const queues = ['q-open', 'q-paused', null]

const job = fc.record({
  type: fc.constantFrom('script', 'waiter'),
  queueId: fc.constantFrom(...queues),
  retried: fc.boolean(),
})

const build = fc.record({
  pipelineId: fc.constantFrom('p1', 'p2', 'p3'),
  branch: fc.constantFrom(...branches),
  commit: fc.constantFrom(...commits),
  creatorId: fc.constantFrom(...people),
  state: fc.constantFrom(...states),
  blocked: fc.boolean(),
  created_at: fc.constantFrom(...minutes),
  finished_at: fc.option(fc.constantFrom(...minutes)),
  meta_data: fc.dictionary(
    fc.constantFrom('a', 'b', '__proto__'),
    fc.constantFrom('1', 'true', true, ''),
    {
      noNullPrototype: false,
    },
  ),
  jobs: fc.array(job, { maxLength: 3 }),
})

/** Mostly absent, so that a page is not empty by one of ten filters nearly always. */
const rarely = <T, A>(arbitrary: fc.Arbitrary<T>, absent: A) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(absent) }, { weight: 1, arbitrary })
const some = <T>(values: readonly T[]) =>
  rarely(fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }), [])

const filter = fc.record({
  branch: some(patterns),
  commit: some(commits),
  state: some([...states, 'blocked', 'finished', 'creating']),
  creator: rarely(fc.constantFrom('u1', 'u2', 'u3'), null),
  created_from: rarely(fc.constantFrom(...minutes), null),
  created_to: rarely(fc.constantFrom(...minutes), null),
  finished_from: rarely(fc.constantFrom(...minutes), null),
  meta_data: rarely(
    fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__'),
      fc.array(fc.constantFrom('1', 'true', '', 'x'), { minLength: 1, maxLength: 2 }),
    ),
    {},
  ),
  include_paused: fc.boolean(),
  include_retried_jobs: fc.boolean(),
})

/** The same question, asked of every build one by one, from the words of the filters. */
function naive(
  all: readonly BuildRecord[],
  asked: BuildFilter,
): readonly { id: string; jobs: readonly string[] }[] {
  const like = (pattern: string, text: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
        .join('[^]*')}$`,
    ).test(text)
  const stateOf = (each: BuildRecord): readonly string[] => {
    if (each.blocked) return ['blocked', 'finished']
    return ['passed', 'failed', 'canceled'].includes(each.state)
      ? [each.state, 'finished']
      : [each.state]
  }
  return all
    .filter(
      (each) =>
        asked.branch.length === 0 || asked.branch.some((pattern) => like(pattern, each.branch)),
    )
    .filter((each) => asked.commit.length === 0 || asked.commit.includes(each.commit))
    .filter(
      (each) =>
        asked.state.length === 0 || asked.state.some((state) => stateOf(each).includes(state)),
    )
    .filter((each) => asked.creator === null || each.creatorId === asked.creator)
    .filter((each) => asked.created_from === null || each.created_at >= asked.created_from)
    .filter((each) => asked.created_to === null || each.created_at < asked.created_to)
    .filter(
      (each) => asked.finished_from === null || (each.finished_at ?? '') >= asked.finished_from,
    )
    .filter((each) =>
      [...asked.meta_data].every(([key, values]) =>
        values.includes(
          Object.entries(each.meta_data)
            .map(([name, value]) => (name === key ? String(value) : undefined))
            .find((value) => value !== undefined) as string,
        ),
      ),
    )
    .map((each) => {
      const jobs = each.jobs.filter((one) => asked.include_retried_jobs || !one.retried)
      const scripts = jobs.filter((one) => one.type === 'script')
      const paused = (one: JobRecord) =>
        !asked.include_paused && one.type === 'script' && one.queueId === 'q-paused'
      const dropped = scripts.length > 0 && scripts.every(paused)
      return { each, dropped, jobs: jobs.filter((one) => !paused(one)).map(({ id }) => id) }
    })
    .filter(({ dropped }) => !dropped)
    .sort((a, b) =>
      a.each.created_at < b.each.created_at
        ? 1
        : a.each.created_at > b.each.created_at
          ? -1
          : b.each.number - a.each.number || (a.each.id < b.each.id ? 1 : -1),
    )
    .map(({ each, jobs }) => ({ id: each.id, jobs }))
}

describe('build query', () => {
  it('gives the same pages as a naive filter, for any combination of filters', () => {
    fc.assert(
      fc.property(
        fc.array(build, { maxLength: 30 }),
        filter,
        fc.constantFrom('o1', 'p1', 'split'),
        fc.integer({ min: 1, max: 5 }),
        (given, asked, scope, limit) => {
          const state = new State()
          const builds = given.map((fields, at) => {
            const jobs = fields.jobs.map((one, place) =>
              aJob({ id: `j${at}-${place}`, ...one, type: one.type as 'script' }),
            )
            return aBuild({ ...fields, id: `b${at}`, number: (at % 3) + 1, jobs })
          })
          for (const record of builds) putInto(state, 'builds', record)
          const scopes = scope === 'split' ? ['p1', 'p2', 'p3'] : [scope]
          const all = builds.filter((record) => scope !== 'p1' || record.pipelineId === 'p1')
          const wanted: BuildFilter = {
            ...asked,
            meta_data: new Map(Object.entries(asked.meta_data)),
          }
          const expected = naive(all, wanted)
          const read: { id: string; jobs: readonly string[] }[] = []
          for (let offset = 0; ; offset += limit) {
            const page = queryBuilds(
              scopes.map((id) => state.builds(id)),
              wanted,
              { offset, limit },
              (one) => one.queueId === 'q-paused',
            )
            read.push(
              ...page.found.map(({ build: found, jobs }) => ({
                id: found.id,
                jobs: jobs.map(({ id }) => id),
              })),
            )
            if (page.total !== null) expect(page.total).toBe(expected.length)
            if (!page.hasMore) break
          }
          expect(read).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('stays correct while builds are changed, moved and deleted, also in copies of the state', () => {
    const change = fc.record({ at: fc.nat(9), with: build, remove: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(build, { maxLength: 10 }),
        fc.array(change, { maxLength: 15 }),
        filter,
        (given, changes, asked) => {
          const base = new State()
          const live = new Map<string, BuildRecord>()
          const put = (state: State, id: string, fields: (typeof given)[number]) => {
            const record = aBuild({ ...fields, id, number: 1, jobs: [] })
            live.set(id, record)
            putInto(state, 'builds', record)
          }
          for (const [at, fields] of given.entries()) put(base, `b${at}`, fields)
          const fork = new State(base)
          for (const { at, with: fields, remove } of changes) {
            if (remove && live.delete(`b${at}`))
              fork.write({ collection: 'builds', id: `b${at}`, record: null })
            else if (!remove) put(fork, `b${at}`, fields)
          }
          const wanted: BuildFilter = {
            ...asked,
            meta_data: new Map(Object.entries(asked.meta_data)),
          }
          const page = queryBuilds(
            [fork.builds('o1')],
            wanted,
            { offset: 0, limit: 100 },
            () => false,
          )
          expect(page.found.map(({ build: found }) => found.id)).toEqual(
            naive([...live.values()], wanted).map(({ id }) => id),
          )
          expect(base.builds('o1').all.length).toBe(given.length)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('times of filters', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T09:05', '2026-03-01T09:05:00.000Z'],
    ['2026-03-01T09:05:07.1239Z', '2026-03-01T09:05:07.123Z'],
    ['2026-03-01T09:05:07+0230', '2026-03-01T06:35:07.000Z'],
    ['2026-03-01T09:05:07-11', '2026-03-01T20:05:07.000Z'],
    ['2026-03-01T09:05:07 02:00', '2026-03-01T07:05:07.000Z'],
    ['2026-03-01 09:05:07 UTC', '2026-03-01T09:05:07.000Z'],
    ['2024-02-29T00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseTime(text)).toBe(expected)
  })

  it.each(
    '2026-02-29 2026-13-01 2026-03-01T24:00 2026-03-01T09:60 1772355900 now 2026-3-1 2026-03-01T09:05+25:00 0000-01-01T00:00+01:00'.split(
      ' ',
    ),
  )('refuses %s', (text) => {
    expect(parseTime(text)).toBeNull()
  })
})
