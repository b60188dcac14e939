import { strict as assert } from 'node:assert'
import { type ConformanceRow, NotApplicable, row, rowsOf } from '../target.js'
import { type Build, idsOf, listed, newest } from './any-build.js'

const states =
  'creating scheduled running passed failing failed blocked canceling canceled skipped not_run waiting waiting_failed'
/** The filters of a list of builds. */
export const buildStates = [...states.split(' '), 'finished']
const finished = ['passed', 'failed', 'canceled']

const encoded = (text: string): string => encodeURIComponent(text)
const at = (time: string): number => Date.parse(time)

const isIn = (state: string, build: Build): boolean => {
  if (state === 'finished') return build.blocked || finished.includes(build.state)
  return state === 'blocked' ? build.blocked : build.state === state && !build.blocked
}

/** A build is `creating` for a short time only, so no list is sure to show one. */
const lasting = buildStates.filter((state) => state !== 'creating')

const stateRows: readonly ConformanceRow[] = lasting.map((state) =>
  row(
    [],
    `AB-state-${state} M api: state=${state} finds builds of that state and no others`,
    async (target) => {
      // A build may change its state between two requests. Only a build that was in the state
      // before and after must be in the list.
      const before = (await listed(target, 'per_page=100')).filter((build) => isIn(state, build))
      const found = await listed(target, `per_page=100&state=${state}`)
      const after = (await listed(target, 'per_page=100')).filter((build) => isIn(state, build))
      for (const build of found)
        assert.ok(isIn(state, build), `${build.url} is ${build.state}, blocked ${build.blocked}`)
      const sure = idsOf(before).filter((id) => idsOf(after).includes(id))
      if (found.length === 0 && sure.length === 0) throw new NotApplicable(`no build is ${state}`)
      const lost = sure.filter((id) => !idsOf(found).includes(id))
      if (found.length < 100) assert.deepEqual(lost, [])
    },
  ),
)

/**
 * Filters by a value of the newest build. The list must contain that build, and every build in it
 * must have the value.
 */
const valueFilters: readonly (readonly [
  name: string,
  level: ConformanceRow['level'],
  of: (build: Build) => string | undefined,
])[] = [
  ['branch', 'M', ({ branch }) => branch],
  ['commit', 'M', ({ commit }) => commit],
  ['creator', 'M', ({ creator }) => creator?.id],
]

const valueRows: readonly ConformanceRow[] = valueFilters.map(([name, level, of]) =>
  row(
    [],
    `AB-${name} ${level} api: ${name} finds builds with exactly this value, in every spelling of a list`,
    async (target) => {
      const build = await newest(target, (one) => of(one) !== undefined)
      const value = of(build) ?? ''
      const spellings = name === 'creator' ? [name] : [name, `${name}[]`, `${name}%5B%5D`]
      for (const spelling of spellings) {
        const found = await listed(target, `per_page=100&${spelling}=${encoded(value)}`)
        assert.ok(idsOf(found).includes(build.id), `${spelling}: not found`)
        for (const one of found) assert.equal(of(one), value)
      }
    },
  ),
)

const filterRows: readonly ConformanceRow[] = [
  ...rowsOf([], {
    'AB-state-each M api: a list can filter by each documented state, alone and with all others':
      async (target) => {
        for (const state of buildStates) await listed(target, `per_page=1&state=${state}`)
        await listed(
          target,
          `per_page=1&${buildStates.map((state) => `state[]=${state}`).join('&')}`,
        )
      },
  }),
  ...valueRows,
  ...rowsOf('threeBuilds', {
    'AB-branch-or M wire/filters: several branches are OR; branch and state are AND': async (
      target,
    ) => {
      const one = await newest(target)
      const other = await newest(target, ({ branch }) => branch !== one.branch)
      const both = `branch[]=${encoded(one.branch)}&branch[]=${encoded(other.branch)}`
      const found = await listed(target, `per_page=100&${both}`)
      for (const { id } of [one, other]) assert.ok(idsOf(found).includes(id))
      for (const { branch } of found) assert.ok([one.branch, other.branch].includes(branch), branch)
      for (const build of await listed(target, `per_page=100&${both}&state=passed`))
        assert.equal(build.state, 'passed')
    },
  }),
  ...rowsOf([], {
    'AB-branch-none M api: an unknown branch finds no build, and a short commit finds none': async (
      target,
    ) => {
      assert.deepEqual(await listed(target, 'branch=there-is-no-such-branch'), [])
      const { commit } = await newest(target, (one) => /^[0-9a-f]{40}$/.test(one.commit))
      assert.deepEqual(await listed(target, `commit=${commit.slice(0, 7)}`), [])
    },
  }),
  ...rowsOf('threeBuilds', {
    'AB-created M api: created_from includes its time, created_to does not': async (target) => {
      const [, build] = await listed(target, 'per_page=2')
      const from = await listed(target, `per_page=100&created_from=${encoded(build.created_at)}`)
      assert.ok(idsOf(from).includes(build.id))
      for (const { created_at } of from) assert.ok(at(created_at) >= at(build.created_at))
      const to = await listed(target, `per_page=100&created_to=${encoded(build.created_at)}`)
      for (const { created_at } of to) assert.ok(at(created_at) < at(build.created_at))
      assert.ok(to.length > 0)
    },
  }),
  ...rowsOf([], {
    'AB-finished M api: finished_from includes its time, and no build that is not finished': async (
      target,
    ) => {
      const build = await newest(target, ({ finished_at }) => typeof finished_at === 'string')
      const found = await listed(target, `per_page=100&finished_from=${encoded(build.finished_at)}`)
      assert.ok(idsOf(found).includes(build.id))
      for (const { finished_at } of found) assert.ok(at(finished_at) >= at(build.finished_at))
    },
  }),
]

/** Filters of builds at any server. Each row finds a value to filter by. */
export const anyFilterRows: readonly ConformanceRow[] = [...stateRows, ...filterRows]
