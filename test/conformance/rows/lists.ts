import { strict as assert } from 'node:assert'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectEach,
  expectRefusal,
  expectStatus,
  links,
  rels,
  row,
  rowsOf,
} from '../target.js'

const builds = '/v2/organizations/acme/pipelines/web/builds'

const numbers = (answer: ApiResponse): readonly number[] => {
  expectStatus(answer, 200)
  return answer.json.map(({ number }: { number: number }) => number)
}

/** A filter and the builds of pipeline `web` that it finds. */
const filters: readonly (readonly [query: string, numbers: readonly number[]])[] = [
  ['', [7, 6, 5, 4, 3, 2, 1]],
  ['branch=main', [6, 5, 2, 1]],
  ['branch[]=dev&branch[]=release/1.0', [7, 3]],
  ['branch%5B%5D=dev&branch=main', [7, 6, 5, 2, 1]],
  ['branch=feature/a,b', [4]],
  ['branch=feature/*', [4]],
  ['branch=*e*', [7, 4, 3]],
  ['branch=Main', []],
  ['branch=', [7, 6, 5, 4, 3, 2, 1]],
  [`commit=${'a'.repeat(40)}`, [1]],
  ['commit=aaaaaaa', []],
  ['state=passed', [1]],
  ['state=blocked', [3]],
  ['state[]=finished', [6, 3, 2, 1]],
  ['state=failing&state=running', [7, 4]],
  ['state=creating', []],
  ['created_from=2026-03-01T10:05:00Z', [7, 6, 5]],
  ['created_to=2026-03-01T10:05:00Z', [4, 3, 2, 1]],
  ['created_from=2026-03-01T11:05:00%2B01:00&created_to=2026-03-01T10:06:00.000Z', [5]],
  ['created_from=2026-03-01T11:05:00+01:00', [7, 6, 5]],
  ['created_from=2026-03-01T21:05:00%2B11:00&created_to=2026-03-01T09:36-00:30', [5]],
  ['created_from=2026-03-02', []],
  ['finished_from=2026-03-01T10:03:50Z', [6, 3]],
  ['meta_data[release]=one', [1]],
  ['meta_data[release]=one&meta_data[release]=two', [2, 1]],
  ['meta_data[flag]=true', [1]],
  ['meta_data[release]=one&meta_data[flag]=false', []],
  ['meta_data[empty]=', [2]],
  ['meta_data[__proto__]=x', []],
  ['include_paused=false', [7, 6, 4, 3, 2, 1]],
  ['unknown=1&exclude_pipeline=false', [7, 6, 5, 4, 3, 2, 1]],
]

const refusals: readonly (readonly [query: string, message: string])[] = [
  ['page=x', 'page must be a positive integer'],
  ['per_page=-1', 'per_page must be a positive integer'],
  ['page=1.5', 'page must be a positive integer'],
  ['exclude_jobs=maybe', 'exclude_jobs must be true or false'],
  ['creator=robin', 'creator must be a user UUID'],
  ['created_from=yesterday', 'created_from must be an ISO 8601 time'],
  ['created_to=2026-02-30', 'created_to must be an ISO 8601 time'],
  ['finished_from=1772355900', 'finished_from must be an ISO 8601 time'],
  ['meta_data=x', 'meta_data must be given as meta_data[key]=value'],
  ['created_from=2026-03-01&created_from=2026-03-02', 'Repeated parameter: created_from'],
  [
    'state=x&state=passed&state=y',
    'Invalid states: x, y. Valid states are creating, scheduled, running, passed, failing, failed, blocked, canceling, canceled, skipped, not_run, waiting, waiting_failed, finished.',
  ],
]

const filterRows: readonly ConformanceRow[] = filters.map(([query, expected], at) =>
  row(
    'seed',
    `FI${at + 1} D wire/filters: ${query === '' ? 'no filter: newest first' : `filter ${query}`}`,
    async (target) => {
      assert.deepEqual(numbers(await ask(target, `${builds}?${query}`)), expected)
    },
  ),
)

const refusalRows: readonly ConformanceRow[] = refusals.map(([query, message], at) =>
  row('seed', `FR${at + 1} D wire/filters: refused: ${query}`, async (target) => {
    expectRefusal(await ask(target, `${builds}?${query}`), 400, message)
  }),
)

const pagingRows: readonly ConformanceRow[] = [
  ...rowsOf('seed', {
    'PA1 D wire/paging: links: the ones that apply, in order; other parameters unchanged and encoded':
      async (target) => {
        const at = `${target.baseUrl}${builds}`
        const middle = await ask(
          target,
          `${builds}?meta_data[a b]=&page=2&branch[]=main&per_page=2`,
        )
        assert.equal(rels(middle), 'first prev')
        const pages = await ask(target, `${builds}?page=2&per_page=2`)
        assert.deepEqual(links(pages), [
          { url: `${at}?page=1&per_page=2`, rel: 'first' },
          { url: `${at}?page=1&per_page=2`, rel: 'prev' },
          { url: `${at}?page=3&per_page=2`, rel: 'next' },
          { url: `${at}?page=4&per_page=2`, rel: 'last' },
        ])
        const filtered = await ask(target, `${builds}?branch[]=main&x=a,b;c&per_page=2`)
        const kept = 'branch%5B%5D=main&x=a%2Cb%3Bc'
        assert.deepEqual(links(filtered), [
          { url: `${at}?${kept}&page=2&per_page=2`, rel: 'next' },
          { url: `${at}?${kept}&page=2&per_page=2`, rel: 'last' },
        ])
      },
    'PA2 D wire/paging: last is left out if it needs a count; a single page has no links': async (
      target,
    ) => {
      assert.equal(rels(await ask(target, `${builds}?state=finished&per_page=2`)), 'next')
      assert.equal(
        rels(await ask(target, `${builds}?branch=main&meta_data[release]=one&per_page=1`)),
        '',
      )
      assert.equal((await ask(target, builds)).headers.get('link'), null)
    },
    'PA3 D wire/paging: absent, empty and 0 are the default; 100 at most; past the end is empty':
      async (target) => {
        for (const query of ['page=0&per_page=0', 'page=&per_page=', 'per_page=1000']) {
          assert.equal((await ask(target, `${builds}?${query}`)).json.length, 7, query)
        }
        const past = await ask(target, `${builds}?page=9&per_page=3`)
        assert.deepEqual(past.json, [])
        assert.deepEqual(links(past), [
          { url: `${target.baseUrl}${builds}?page=1&per_page=3`, rel: 'first' },
          { url: `${target.baseUrl}${builds}?page=3&per_page=3`, rel: 'prev' },
        ])
      },
  }),
  ...rowsOf([], {
    'PA4 M wire/depth: a page beyond the depth limit is refused with 400': async (target) => {
      const message =
        'Listing builds this deep is not supported. Please narrow your query using filters such as branch or created_from.'
      expectRefusal(await ask(target, `/v2/builds?page=101&per_page=100`), 400, message)
      expectStatus(await ask(target, `/v2/builds?page=100&per_page=100`), 200)
    },
  }),
  ...rowsOf('threeBuilds', {
    'PA5 M api: following next reads every build once, newest first': async (target) => {
      const seen: string[] = []
      let url: string | undefined =
        `${target.baseUrl}/v2/organizations/${target.org}/builds?per_page=2&exclude_jobs=true`
      let last: string | undefined
      while (url !== undefined && seen.length < 60) {
        const answer: ApiResponse = await ask(target, url)
        expectStatus(answer, 200)
        for (const build of answer.json) {
          assert.ok(last === undefined || build.created_at <= last, 'newest first')
          last = build.created_at
          seen.push(build.id)
        }
        url = links(answer).find(({ rel }) => rel === 'next')?.url
      }
      assert.ok(seen.length >= 3, `${seen.length} builds, though the pipeline alone has three`)
      assert.equal(new Set(seen).size, seen.length)
    },
  }),
  ...rowsOf('seed', {
    'PA6 D wire/paging: organizations and pipelines are sorted by slug, tests by scope and name':
      async (target) => {
        const pipelines = await ask(target, '/v2/organizations/acme/pipelines?per_page=2')
        expectEach(pipelines.json, 'slug', ['api', 'secret'])
        assert.equal(rels(pipelines), 'next last')
        const tests = await ask(target, '/v2/analytics/organizations/acme/suites/web-unit/tests')
        expectEach(tests.json, 'scope', ['', 'Cart', 'Cart'])
        expectEach(tests.json, 'name', ['boots', 'adds', 'removes'])
      },
  }),
]

const optionRows = rowsOf('seed', {
  'LO1 M api: exclude_jobs removes the key; exclude_pipeline works on the pipeline list only':
    async (target) => {
      const [build] = (
        await ask(target, `${builds}?exclude_jobs=True&exclude_pipeline=1&per_page=1`)
      ).json
      assert.ok(!('jobs' in build) && !('pipeline' in build))
      const [other] = (
        await ask(target, '/v2/organizations/acme/builds?exclude_pipeline=true&per_page=1')
      ).json
      assert.ok('pipeline' in other && 'jobs' in other)
    },
  'LO2 M wire/filters: retried executions are listed on request, directly before their retry':
    async (target) => {
      const find = async (query: string) =>
        (await ask(target, `${builds}?${query}`)).json.find(
          ({ number }: { number: number }) => number === 2,
        ).jobs
      assert.equal((await find('')).length, 2)
      const jobs = await find('include_retried_jobs=true')
      expectEach(jobs, 'retried', [true, false, false])
      assert.equal(jobs[0].retried_in_job_id, jobs[1].id)
    },
  'LO3 M wire/filters: include_paused=false leaves out jobs on paused queues, and their builds':
    async (target) => {
      const found = (await ask(target, `${builds}?include_paused=false`)).json
      const second = found.find(({ number }: { number: number }) => number === 2)
      expectEach(second.jobs, 'step_key', ['unit'])
    },
  'LO4 D wire/filters: creator filters by user, also in upper case; the three lists agree': async (
    target,
  ) => {
    const { id } = (await ask(target, `${builds}/4`)).json.creator
    for (const creator of [id, String(id).toUpperCase()]) {
      assert.deepEqual(numbers(await ask(target, `${builds}?creator=${creator}`)), [4])
      assert.deepEqual(numbers(await ask(target, `/v2/builds?creator=${creator}`)), [4])
      assert.deepEqual(
        numbers(await ask(target, `/v2/organizations/acme/builds?creator=${creator}`)),
        [4],
      )
    }
  },
  'LO5 M api: a label finds test records; several are OR': async (target) => {
    const tests = '/v2/analytics/organizations/acme/suites/web-unit/tests'
    assert.equal((await ask(target, `${tests}?label=flaky`)).json.length, 1)
    assert.equal((await ask(target, `${tests}?label[]=flaky&label[]=slow`)).json.length, 2)
    assert.equal((await ask(target, `${tests}?label=SLOW`)).json.length, 0)
    assert.ok(!('labels' in (await ask(target, tests)).json[0]))
  },
})

export const listRows: readonly ConformanceRow[] = [
  ...filterRows,
  ...refusalRows,
  ...pagingRows,
  ...optionRows,
]
