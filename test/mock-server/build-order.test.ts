import { describe, expect, it } from 'vitest'
import type { SortedBuilds } from '../../mock-server/src/domain/build-order.js'
import {
  type BuildFilter,
  type IndexedField,
  type QueryScope,
  queryBuilds,
} from '../../mock-server/src/domain/build-query.js'
import type { BuildRecord } from '../../mock-server/src/records/records.js'
import { aBuild } from '../support/records.js'

const minute = (at: number) =>
  new Date(Date.parse('2026-03-01T00:00:00Z') + at * 60_000).toISOString()
/** Builds 1 to `count`, one a minute, every tenth of branch `rare`. */
const line = (count: number, fields: Partial<BuildRecord> = {}): readonly BuildRecord[] =>
  Array.from({ length: count }, (_, at) =>
    aBuild({
      id: `b${at + 1}`,
      number: at + 1,
      created_at: minute(at + 1),
      branch: at % 10 === 9 ? 'rare' : 'main',
      ...fields,
    }),
  )

const none: BuildFilter = {
  branch: [],
  commit: [],
  state: [],
  creator: null,
  created_from: null,
  created_to: null,
  finished_from: null,
  meta_data: new Map(),
  include_paused: true,
  include_retried_jobs: true,
}

describe('the cost of a page', () => {
  /** A pipeline's builds in their indexes, which counts every build that is read out of them. */
  const counted = (builds: readonly BuildRecord[]) => {
    let reads = 0
    const watch = (run: SortedBuilds): SortedBuilds =>
      new Proxy(run, {
        get: (target, key) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads++
          return Reflect.get(target, key)
        },
      })
    const valueIn = (field: IndexedField, build: BuildRecord) =>
      field === 'creator' ? (build.creatorId ?? '') : field === 'meta_data' ? '' : build[field]
    const scope: QueryScope = {
      all: watch(builds),
      run: (field, value) => watch(builds.filter((build) => valueIn(field, build) === value)),
      values: (field) => {
        reads += builds.length
        return new Set(builds.map((build) => valueIn(field, build)))
      },
    }
    const page = (filter: Partial<BuildFilter>, offset = 0, scopes = [scope]) => {
      reads = 0
      const { found, hasMore, total } = queryBuilds(
        scopes,
        { ...none, ...filter },
        { offset, limit: 5 },
        () => false,
      )
      return { ids: found.map(({ build }) => build.id), hasMore, total, reads }
    }
    return { page, scope }
  }

  it('does not grow with the number of earlier builds, and the total is known', () => {
    const { page } = counted(line(1000))
    expect(page({})).toEqual({
      ids: ['b1000', 'b999', 'b998', 'b997', 'b996'],
      hasMore: true,
      total: 1000,
      reads: 6,
    })
    expect(page({}, 990)).toMatchObject({
      ids: ['b10', 'b9', 'b8', 'b7', 'b6'],
      hasMore: true,
      total: 1000,
      reads: 6,
    })
    expect(page({}, 997)).toEqual({
      ids: ['b3', 'b2', 'b1'],
      hasMore: false,
      total: 1000,
      reads: 3,
    })
    expect(page({}, 2000)).toEqual({ ids: [], hasMore: false, total: 1000, reads: 0 })
  })

  it('depends on the smallest index', () => {
    const { page } = counted(line(1000))
    const rare = page({ branch: ['rare'] }, 90)
    expect(rare).toEqual({
      ids: ['b100', 'b90', 'b80', 'b70', 'b60'],
      hasMore: true,
      total: 100,
      reads: 6,
    })
    expect(page({ branch: ['ra*'] }, 90)).toEqual({ ...rare, reads: 1006 })
    expect(page({ branch: ['rare', 'rare'] }, 90)).toEqual(rare)
    expect(page({ branch: ['rare'], creator: 'u1', commit: ['c0ffee'] }).reads).toBe(6)
    expect(page({ commit: ['c0ffee'], branch: ['rare'] })).toMatchObject({
      total: null,
      hasMore: true,
    })
    expect(page({ branch: ['main'], creator: 'nobody' })).toEqual({
      ids: [],
      hasMore: false,
      total: 0,
      reads: 0,
    })
    expect(page({ commit: ['c0ffee'] })).toMatchObject({ total: 1000, reads: 6 })
    expect(page({ branch: ['main'], commit: ['c0ffee'] })).toMatchObject({ total: null, reads: 6 })
    expect(page({ commit: ['nothing'] })).toEqual({ ids: [], hasMore: false, total: 0, reads: 0 })
  })

  it('limits by creation time need no walk over the builds', () => {
    const { page } = counted(line(1000))
    const { reads, ...found } = page({ created_from: minute(100), created_to: minute(103) })
    expect(found).toEqual({ ids: ['b102', 'b101', 'b100'], hasMore: false, total: 3 })
    expect(reads).toBeLessThan(30)
    expect(page({ created_from: minute(103), created_to: minute(100) })).toMatchObject({
      ids: [],
      total: 0,
    })
  })

  it('counts several pipelines together, and skips directly if only one has builds', () => {
    const { page, scope } = counted(line(100))
    const empty = counted([]).scope
    expect(page({}, 90, [empty, scope, empty])).toMatchObject({ total: 100, reads: 6 })
    const [newest, ...older] = line(3, { id: 'o', created_at: minute(200) })
    const other = counted([
      ...older.map((build) => ({ ...build, created_at: minute(50) })),
      newest ?? aBuild({ id: 'x', number: 1 }),
    ]).scope
    expect(page({}, 0, [scope, other])).toMatchObject({
      ids: ['o', 'b100', 'b99', 'b98', 'b97'],
      total: 103,
    })
    expect(page({}, 49, [scope, other]).ids).toEqual(['b52', 'b51', 'b50', 'o', 'o'])
  })
})
