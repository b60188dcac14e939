import { strict as assert } from 'node:assert'
import { buildsPath, organizationPath } from '../probe.js'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectRefusal,
  expectStatus,
  links,
  rels,
  row,
  rowsOf,
  type Target,
} from '../target.js'
import { expectBuild, idsOf, listed, shown } from './any-build.js'
import { buildStates } from './any-filters.js'

const lists: readonly (readonly [name: string, path: (target: Target) => string])[] = [
  ['all', () => '/v2/builds'],
  ['organization', (target) => `${organizationPath(target)}/builds`],
  ['pipeline', buildsPath],
]

const byNumber = (a: number, b: number): number => a - b

const listRows: readonly ConformanceRow[] = lists.flatMap(
  ([name, path]): readonly ConformanceRow[] => [
    row(
      [],
      `AB-${name}-1 M api: the ${name} list: 200, a bare array of builds, newest created first`,
      async (target) => {
        const builds = await shown(target, 'per_page=20', path(target))
        for (const build of builds) {
          expectBuild(build)
          assert.ok(Array.isArray(build.jobs), 'jobs')
          assert.equal(typeof build.pipeline?.slug, 'string')
        }
        const times = builds.map(({ created_at }) => -Date.parse(created_at))
        assert.deepEqual(times, times.toSorted(byNumber))
      },
    ),
    row(
      [],
      `AB-${name}-2 M api: the ${name} list leaves the jobs out with exclude_jobs`,
      async (target) => {
        for (const build of await shown(target, 'per_page=5&exclude_jobs=true', path(target))) {
          assert.ok(!('jobs' in build), 'jobs')
          assert.ok('pipeline' in build, 'pipeline')
        }
      },
    ),
    row(
      'threeBuilds',
      `AB-${name}-3 M wire/paging: the ${name} list goes page by page: next leads to the builds after these`,
      async (target) => {
        const both = await listed(target, 'per_page=2', path(target))
        const first = await ask(target, `${path(target)}?per_page=1`)
        assert.deepEqual(idsOf(first.json), idsOf(both.slice(0, 1)))
        const next = links(first).find(({ rel }) => rel === 'next')
        assert.ok(next, 'Link: rel="next"')
        assert.ok(next.url.startsWith(`${target.baseUrl}/v2/`), next.url)
        const second = await ask(target, next.url)
        assert.deepEqual(idsOf(second.json), idsOf(both.slice(1)))
        assert.ok(links(second).some(({ rel }) => rel === 'prev'))
      },
    ),
    row(
      [],
      `AB-${name}-4 D wire/filters: the ${name} list refuses values that it cannot use, and ignores parameters that it does not know`,
      async (target) => {
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
          [
            'finished_from=2026-03-01&finished_from=2026-03-01',
            'Repeated parameter: finished_from',
          ],
          ['state=done', `Invalid states: done. Valid states are ${buildStates.join(', ')}.`],
        ]
        for (const [query, message] of refused) {
          expectRefusal(await ask(target, `${path(target)}?${query}`), 400, message)
        }
        await listed(target, 'per_page=1&no_such_parameter=1', path(target))
      },
    ),
    row(
      [],
      `AB-${name}-5 M wire/depth: the ${name} list refuses to go too deep with 400, and says what helps`,
      async (target) => {
        const answer = await ask(target, `${path(target)}?page=1000000&per_page=100`)
        expectStatus(answer, 400)
        assert.match(String(answer.json?.message), /this deep.*branch or created_from/)
      },
    ),
  ],
)

const pageRows: readonly ConformanceRow[] = [
  ...rowsOf([], {
    'AB-pipeline-key M api: exclude_pipeline works on the list of a pipeline only': async (
      target,
    ) => {
      for (const build of await shown(target, 'per_page=3&exclude_pipeline=true'))
        assert.ok(!('pipeline' in build))
      const elsewhere = `${organizationPath(target)}/builds`
      for (const build of await shown(target, 'per_page=3&exclude_pipeline=true', elsewhere)) {
        assert.ok('pipeline' in build)
      }
    },
    'AB-span M api: a list has only builds of its organization or pipeline': async (target) => {
      for (const { url } of await shown(target, 'per_page=50')) {
        assert.ok(url.startsWith(`${target.baseUrl}${buildsPath(target)}/`), url)
      }
      for (const { url } of await shown(
        target,
        'per_page=50',
        `${organizationPath(target)}/builds`,
      )) {
        assert.ok(url.startsWith(`${target.baseUrl}${organizationPath(target)}/`), url)
      }
      const all = await listed(target, 'per_page=100', '/v2/builds')
      const own = await listed(target, 'per_page=1')
      if (all.length < 100) assert.ok(own.every(({ id }) => idsOf(all).includes(id)))
    },
    'AB-capped D wire/paging: per_page is 100 at most; absent, empty and 0 are 30; past the end is []':
      async (target) => {
        const most = (await shown(target, 'per_page=1000&exclude_jobs=true')).length
        assert.ok(most <= 100, `${most} builds`)
        for (const query of ['', 'page=&per_page=', 'page=0&per_page=0']) {
          const { length } = await listed(target, `${query}&exclude_jobs=true`)
          assert.ok(
            length <= 30 && length >= Math.min(30, most),
            `${query}: ${length} of ${most} builds`,
          )
        }
        const past = await ask(
          target,
          `${buildsPath(target)}?page=90&per_page=100&branch=there-is-no-such-branch`,
        )
        expectStatus(past, 200)
        assert.deepEqual(past.json, [])
      },
  }),
  ...rowsOf('threeBuilds', {
    'AB-links D wire/paging: links keep other parameters and end with page and per_page': async (
      target,
    ) => {
      const answer: ApiResponse = await ask(
        target,
        `${buildsPath(target)}?per_page=1&exclude_jobs=true&x=a%2Cb&page=2`,
      )
      assert.match(rels(answer), /^first prev next\b/)
      for (const { url } of links(answer)) {
        const parameters = new URL(url).searchParams
        assert.equal(parameters.get('exclude_jobs'), 'true')
        assert.equal(parameters.get('x'), 'a,b')
        assert.equal(parameters.get('per_page'), '1')
        assert.ok(url.endsWith('&per_page=1'), url)
      }
    },
  }),
]

/** Lists of builds at any server: their pages, their order and their fields. */
export const anyListRows: readonly ConformanceRow[] = [...listRows, ...pageRows]
