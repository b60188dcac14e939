import { strict as assert } from 'node:assert'
import { buildsPath, organizationPath } from '../capabilities.js'
import {
  type Answered,
  ask,
  expectRefusal,
  expectStatus,
  links,
  NotApplicable,
  type Row,
  type Target,
} from '../target.js'
import { type Build, expectBuild, listed, newest, shown } from './any-build.js'

const states =
  'creating scheduled running passed failing failed blocked canceling canceled skipped not_run waiting waiting_failed'
const buildStates = [...states.split(' '), 'finished']
const finished = ['passed', 'failed', 'canceled']

const lists: readonly (readonly [name: string, path: (target: Target) => string])[] = [
  ['all', () => '/v2/builds'],
  ['organization', (target) => `${organizationPath(target)}/builds`],
  ['pipeline', buildsPath],
]

const encoded = (text: string): string => encodeURIComponent(text)
const ids = (builds: readonly Build[]): readonly string[] => builds.map(({ id }) => id)
const at = (time: string): number => Date.parse(time)

const listRows: readonly Row[] = lists.flatMap(([name, path]): readonly Row[] => [
  {
    id: `AB-${name}-1`,
    section: 'api.md',
    level: 'M',
    title: `the ${name} list: 200, a bare array of builds, newest created first`,
    async run(target) {
      const builds = await shown(target, 'per_page=20', path(target))
      for (const build of builds) {
        expectBuild(build)
        assert.ok(Array.isArray(build.jobs), 'jobs')
        assert.equal(typeof build.pipeline?.slug, 'string')
      }
      const times = builds.map(({ created_at }) => at(created_at))
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      )
    },
  },
  {
    id: `AB-${name}-2`,
    section: 'api.md',
    level: 'M',
    title: `the ${name} list leaves the jobs out with exclude_jobs`,
    async run(target) {
      for (const build of await shown(target, 'per_page=5&exclude_jobs=true', path(target))) {
        assert.ok(!('jobs' in build), 'jobs')
        assert.ok('pipeline' in build, 'pipeline')
      }
    },
  },
  {
    id: `AB-${name}-3`,
    section: 'wire.md §4',
    level: 'M',
    title: `the ${name} list goes page by page: next leads to the builds after these`,
    needs: 'threeBuilds',
    async run(target) {
      const both = await listed(target, 'per_page=2', path(target))
      const first = await ask(target, `${path(target)}?per_page=1`)
      assert.deepEqual(ids(first.json), ids(both.slice(0, 1)))
      const next = links(first).find(({ rel }) => rel === 'next')
      assert.ok(next, 'Link: rel="next"')
      assert.ok(next.url.startsWith(`${target.baseUrl}/v2/`), next.url)
      const second = await ask(target, next.url)
      assert.deepEqual(ids(second.json), ids(both.slice(1)))
      assert.ok(links(second).some(({ rel }) => rel === 'prev'))
    },
  },
  {
    id: `AB-${name}-4`,
    section: 'wire.md §5',
    level: 'D',
    title: `the ${name} list refuses values that it cannot use, and ignores parameters that it does not know`,
    async run(target) {
      const refused: readonly (readonly [query: string, message: string])[] = [
        ['page=first', 'page must be a positive integer'],
        ['per_page=1e2', 'per_page must be a positive integer'],
        ['creator=somebody', 'creator must be a user UUID'],
        ['created_from=soon', 'created_from must be an ISO 8601 time'],
        ['created_to=2026-13-01', 'created_to must be an ISO 8601 time'],
        ['finished_from=12:00', 'finished_from must be an ISO 8601 time'],
        ['include_paused=perhaps', 'include_paused must be true or false'],
        ['include_retried_jobs=2', 'include_retried_jobs must be true or false'],
        ['meta_data=release', 'meta_data must be given as meta_data[key]=value'],
        ['finished_from=2026-03-01&finished_from=2026-03-01', 'Repeated parameter: finished_from'],
        ['state=done', `Invalid states: done. Valid states are ${buildStates.join(', ')}.`],
      ]
      for (const [query, message] of refused) {
        expectRefusal(await ask(target, `${path(target)}?${query}`), 400, message)
      }
      await listed(target, 'per_page=1&no_such_parameter=1', path(target))
    },
  },
  {
    id: `AB-${name}-5`,
    section: 'wire.md §6',
    level: 'M',
    title: `the ${name} list refuses to go too deep with 400, and says what helps`,
    async run(target) {
      const answer = await ask(target, `${path(target)}?page=1000000&per_page=100`)
      expectStatus(answer, 400)
      assert.match(String(answer.json?.message), /this deep.*branch or created_from/)
    },
  },
])

const isIn = (state: string, build: Build): boolean => {
  if (state === 'finished') return build.blocked || finished.includes(build.state)
  return state === 'blocked' ? build.blocked : build.state === state && !build.blocked
}

/** A build is `creating` for a moment only: no list can be relied on to show one. */
const lasting = buildStates.filter((state) => state !== 'creating')

const stateRows: readonly Row[] = lasting.map((state) => ({
  id: `AB-state-${state}`,
  section: 'api.md',
  level: 'M',
  title: `state=${state} finds builds of that state and no others`,
  async run(target) {
    // A build may move on between two lists: only one that was in the state before and after had to be found.
    const before = (await listed(target, 'per_page=100')).filter((build) => isIn(state, build))
    const found = await listed(target, `per_page=100&state=${state}`)
    const after = (await listed(target, 'per_page=100')).filter((build) => isIn(state, build))
    for (const build of found) assert.ok(isIn(state, build), `${build.url} is ${build.state}, blocked ${build.blocked}`)
    const sure = ids(before).filter((id) => ids(after).includes(id))
    if (found.length === 0 && sure.length === 0) throw new NotApplicable(`no build is ${state}`)
    if (found.length < 100)
      assert.deepEqual(
        sure.filter((id) => !ids(found).includes(id)),
        [],
      )
  },
}))

/** Filters by a value of the newest build: it must be found, and everything found must have the value. */
const valueFilters: readonly (readonly [
  name: string,
  level: Row['level'],
  of: (build: Build) => string | undefined,
])[] = [
  ['branch', 'M', ({ branch }) => branch],
  ['commit', 'M', ({ commit }) => commit],
  ['creator', 'M', ({ creator }) => creator?.id],
]

const valueRows: readonly Row[] = valueFilters.map(([name, level, of]) => ({
  id: `AB-${name}`,
  section: 'api.md',
  level,
  title: `${name} finds builds with exactly this value, in every spelling of a list`,
  async run(target) {
    const build = await newest(target, (one) => of(one) !== undefined)
    const value = of(build) ?? ''
    const spellings = name === 'creator' ? [name] : [name, `${name}[]`, `${name}%5B%5D`]
    for (const spelling of spellings) {
      const found = await listed(target, `per_page=100&${spelling}=${encoded(value)}`)
      assert.ok(ids(found).includes(build.id), `${spelling}: not found`)
      for (const one of found) assert.equal(of(one), value)
    }
  },
}))

const filterRows: readonly Row[] = [
  {
    id: 'AB-state-each',
    section: 'api.md',
    level: 'M',
    title: 'each documented state can be asked for, alone and with all others',
    async run(target) {
      for (const state of buildStates) await listed(target, `per_page=1&state=${state}`)
      await listed(target, `per_page=1&${buildStates.map((state) => `state[]=${state}`).join('&')}`)
    },
  },
  ...valueRows,
  {
    id: 'AB-branch-or',
    section: 'wire.md §5',
    level: 'M',
    title: 'several branches are OR; branch and state are AND',
    needs: 'threeBuilds',
    async run(target) {
      const one = await newest(target)
      const other = await newest(target, ({ branch }) => branch !== one.branch)
      const both = `branch[]=${encoded(one.branch)}&branch[]=${encoded(other.branch)}`
      const found = await listed(target, `per_page=100&${both}`)
      for (const { id } of [one, other]) assert.ok(ids(found).includes(id))
      for (const { branch } of found) assert.ok([one.branch, other.branch].includes(branch), branch)
      for (const build of await listed(target, `per_page=100&${both}&state=passed`)) assert.equal(build.state, 'passed')
    },
  },
  {
    id: 'AB-branch-none',
    section: 'api.md',
    level: 'M',
    title: 'a branch that does not exist finds nothing, and so does an abbreviated commit',
    async run(target) {
      assert.deepEqual(await listed(target, 'branch=there-is-no-such-branch'), [])
      const { commit } = await newest(target, (one) => /^[0-9a-f]{40}$/.test(one.commit))
      assert.deepEqual(await listed(target, `commit=${commit.slice(0, 7)}`), [])
    },
  },
  {
    id: 'AB-created',
    section: 'api.md',
    level: 'M',
    title: 'created_from includes its moment, created_to does not',
    needs: 'threeBuilds',
    async run(target) {
      const [, build] = await listed(target, 'per_page=2')
      const from = await listed(target, `per_page=100&created_from=${encoded(build.created_at)}`)
      assert.ok(ids(from).includes(build.id))
      for (const { created_at } of from) assert.ok(at(created_at) >= at(build.created_at))
      const to = await listed(target, `per_page=100&created_to=${encoded(build.created_at)}`)
      for (const { created_at } of to) assert.ok(at(created_at) < at(build.created_at))
      assert.ok(to.length > 0)
    },
  },
  {
    id: 'AB-finished',
    section: 'api.md',
    level: 'M',
    title: 'finished_from includes its moment, and no build that is not finished',
    async run(target) {
      const build = await newest(target, ({ finished_at }) => typeof finished_at === 'string')
      const found = await listed(target, `per_page=100&finished_from=${encoded(build.finished_at)}`)
      assert.ok(ids(found).includes(build.id))
      for (const { finished_at } of found) assert.ok(at(finished_at) >= at(build.finished_at))
    },
  },
  {
    id: 'AB-pipeline-key',
    section: 'api.md',
    level: 'M',
    title: 'exclude_pipeline leaves the pipeline out of the pipeline list, and of no other',
    async run(target) {
      for (const build of await shown(target, 'per_page=3&exclude_pipeline=true')) assert.ok(!('pipeline' in build))
      const elsewhere = `${organizationPath(target)}/builds`
      for (const build of await shown(target, 'per_page=3&exclude_pipeline=true', elsewhere)) {
        assert.ok('pipeline' in build)
      }
    },
  },
  {
    id: 'AB-span',
    section: 'api.md',
    level: 'M',
    title: 'each list spans what it names',
    async run(target) {
      for (const { url } of await shown(target, 'per_page=50')) {
        assert.ok(url.startsWith(`${target.baseUrl}${buildsPath(target)}/`), url)
      }
      for (const { url } of await shown(target, 'per_page=50', `${organizationPath(target)}/builds`)) {
        assert.ok(url.startsWith(`${target.baseUrl}${organizationPath(target)}/`), url)
      }
      const all = await listed(target, 'per_page=100', '/v2/builds')
      const own = await listed(target, 'per_page=1')
      if (all.length < 100) assert.ok(own.every(({ id }) => ids(all).includes(id)))
    },
  },
  {
    id: 'AB-capped',
    section: 'wire.md §4',
    level: 'D',
    title: 'per_page above 100 is 100; absent, empty and 0 mean 30; past the end is an empty list',
    async run(target) {
      const most = (await shown(target, 'per_page=1000&exclude_jobs=true')).length
      assert.ok(most <= 100, `${most} builds`)
      for (const query of ['', 'page=&per_page=', 'page=0&per_page=0']) {
        const { length } = await listed(target, `${query}&exclude_jobs=true`)
        assert.ok(length <= 30 && length >= Math.min(30, most), `${query}: ${length} of ${most} builds`)
      }
      const past = await ask(target, `${buildsPath(target)}?page=90&per_page=100&branch=there-is-no-such-branch`)
      expectStatus(past, 200)
      assert.deepEqual(past.json, [])
    },
  },
  {
    id: 'AB-links',
    section: 'wire.md §4',
    level: 'D',
    title: 'links keep the other parameters, carry page and per_page, and never end with page',
    needs: 'threeBuilds',
    async run(target) {
      const answer: Answered = await ask(target, `${buildsPath(target)}?per_page=1&exclude_jobs=true&x=a%2Cb&page=2`)
      assert.deepEqual(
        links(answer)
          .map(({ rel }) => rel)
          .slice(0, 3),
        ['first', 'prev', 'next'],
      )
      for (const { url } of links(answer)) {
        const parameters = new URL(url).searchParams
        assert.equal(parameters.get('exclude_jobs'), 'true')
        assert.equal(parameters.get('x'), 'a,b')
        assert.equal(parameters.get('per_page'), '1')
        assert.ok(url.endsWith('&per_page=1'), url)
      }
    },
  },
]

/** Reading builds of any server: each row finds what it looks at by itself. */
export const anyBuildListRows: readonly Row[] = [...listRows, ...stateRows, ...filterRows]
