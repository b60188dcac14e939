import { strict as assert } from 'node:assert'
import {
  ask,
  type ConformanceRow,
  expectInvalid,
  expectParts,
  expectRefusal,
  expectStatus,
  row,
  rowsOf,
} from '../target.js'
import { benchRows, jobStates, workbench } from './workbench.js'

const minimal = { commit: 'HEAD', branch: 'main' }
const invalid = (field: string) => ({ field, code: 'invalid' })
const missing = (field: string) => ({ field, code: 'missing' })

/** More fields of a body beside commit and branch, and the fields that the build then has. */
const accepted: readonly (readonly [title: string, body: object, shown: object])[] = [
  ['nothing else', {}, { message: null, env: {}, meta_data: {}, pull_request: {}, commit: 'HEAD' }],
  [
    'null for every optional property',
    nulls(),
    { message: null, env: {}, meta_data: {}, pull_request: {} },
  ],
  ['an empty message', { message: '' }, { message: '' }],
  [
    'numbers and booleans in env',
    { env: { N: 1.5, B: false, S: '' } },
    { env: { N: '1.5', B: 'false', S: '' } },
  ],
  [
    'numbers in meta_data',
    { meta_data: { n: 7, b: true, s: 'x' } },
    { meta_data: { n: '7', b: true, s: 'x' } },
  ],
  [
    'names such as __proto__',
    JSON.parse('{"meta_data":{"__proto__":"x"}}'),
    JSON.parse('{"meta_data":{"__proto__":"x"}}'),
  ],
  ['booleans as words', { clean_checkout: 'true', ignore_pipeline_branch_filters: 'false' }, {}],
  [
    'an author',
    { author: { name: 'Jo', email: 'jo@acme.example' } },
    { author: { name: 'Jo', email: 'jo@acme.example' } },
  ],
  [
    'an empty author',
    { author: {} },
    { author: { name: 'Robin Reyes', email: 'robin@acme.example' } },
  ],
  [
    'a pull request number',
    { pull_request_id: 7 },
    { pull_request: { id: '7', base: null, repository: null, labels: [], draft: false } },
  ],
  [
    'its digits',
    { pull_request_id: '7' },
    { pull_request: { id: '7', base: null, repository: null, labels: [], draft: false } },
  ],
  [
    'a base branch alone',
    { pull_request_base_branch: 'dev' },
    { pull_request: { id: '', base: 'dev', repository: null, labels: [], draft: false } },
  ],
  [
    'empty pull request texts',
    { pull_request_id: '', pull_request_base_branch: '', pull_request_repository: '' },
    { pull_request: {} },
  ],
  ['an unknown property', { unknown_property: 1 }, {}],
]

function nulls(): object {
  const names = [
    'author',
    'clean_checkout',
    'ignore_pipeline_branch_filters',
    'env',
    'message',
    'meta_data',
  ]
  const more = [
    'pull_request_id',
    'pull_request_base_branch',
    'pull_request_repository',
    'pull_request_labels',
  ]
  return Object.fromEntries([...names, ...more].map((name) => [name, null]))
}

/**
 * Bodies that are refused, with their errors. Commit and branch are added unless the body names
 * them.
 */
const refused: readonly (readonly [body: object, ...errors: object[]])[] = [
  [{ commit: undefined, branch: null }, missing('commit'), missing('branch')],
  [{ commit: ' ', branch: '' }, missing('commit'), missing('branch')],
  [{ commit: 1, branch: ['main'] }, invalid('commit'), invalid('branch')],
  [{ author: 'Jo' }, invalid('author')],
  [{ clean_checkout: 'yes' }, invalid('clean_checkout')],
  [{ ignore_pipeline_branch_filters: 1 }, invalid('ignore_pipeline_branch_filters')],
  [{ env: ['A=1'] }, invalid('env')],
  [{ env: { A: null, B: {}, C: [] } }, invalid('env.A'), invalid('env.B'), invalid('env.C')],
  [{ message: 7 }, invalid('message')],
  [{ meta_data: 'x' }, invalid('meta_data')],
  [{ meta_data: { a: null, '': 'x' } }, invalid('meta_data.a'), invalid('meta_data.')],
  [{ pull_request_id: 0 }, invalid('pull_request_id')],
  [{ pull_request_id: 'seven' }, invalid('pull_request_id')],
  [
    { pull_request_base_branch: 1, pull_request_repository: 2 },
    invalid('pull_request_base_branch'),
    invalid('pull_request_repository'),
  ],
  [{ pull_request_labels: ['a', 1] }, invalid('pull_request_labels')],
  [
    { pull_request_labels: 1, env: 1, author: 1 },
    invalid('author'),
    invalid('env'),
    invalid('pull_request_labels'),
  ],
  [{ env: { A: 2 ** 53 }, meta_data: { B: -1e300 } }, invalid('env.A'), invalid('meta_data.B')],
]

const acceptedRows: readonly ConformanceRow[] = accepted.map(([title, body, shown], at) =>
  row('seed', `CR${at + 1} D wire/create: create accepts ${title}`, async (target) => {
    const bench = await workbench(target)
    const answer = await bench.builds('', { method: 'POST', json: { ...minimal, ...body } })
    // A strict server refuses an unknown property, and accepts the other bodies.
    if ('unknown_property' in body && answer.status !== 201) {
      return expectInvalid(answer, { field: 'unknown_property', code: 'unknown' })
    }
    expectStatus(answer, 201)
    for (const [key, value] of Object.entries(shown)) assert.deepEqual(answer.json[key], value)
    assert.deepEqual((await bench.get(answer.json)).number, answer.json.number)
  }),
)

const refusedRows: readonly ConformanceRow[] = refused.map(([body, ...errors], at) =>
  row(
    'writes',
    `CF${at + 1} D wire/create: create refuses ${JSON.stringify(body)}`,
    async (target) => {
      const path = `/v2/organizations/${target.org}/pipelines/${target.pipeline}/builds`
      const answer = await ask(target, path, { method: 'POST', json: { ...minimal, ...body } })
      expectInvalid(answer, ...errors)
    },
  ),
)

export const createRows: readonly ConformanceRow[] = [
  ...acceptedRows,
  ...refusedRows,
  ...rowsOf('writes', {
    'CE1 D wire/create: an invalid name in env is refused with a message': async (target) => {
      const path = `/v2/organizations/${target.org}/pipelines/${target.pipeline}/builds`
      const answer = await ask(target, path, {
        method: 'POST',
        json: { ...minimal, env: { 'my-var': '1' } },
      })
      const message =
        '"my-var" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)'
      expectRefusal(answer, 422, message)
      assert.equal(answer.json.errors, undefined)
    },
  }),
  ...benchRows({
    'CE2 M wire/create: the pipeline’s branch filter applies unless the request disables it':
      async (_, target) => {
        const bench = await workbench(target, 'bench-picky')
        const on = (branch: string, more = {}) =>
          bench.builds('', { method: 'POST', json: { commit: 'HEAD', branch, ...more } })
        expectStatus(await on('release/1'), 201)
        expectRefusal(
          await on('release/old'),
          422,
          'Branch release/old is not built by this pipeline',
        )
        expectRefusal(await on('dev'), 422, 'Branch dev is not built by this pipeline')
        expectStatus(await on('dev', { ignore_pipeline_branch_filters: true }), 201)
      },
    'CE3 M api: a new build is scheduled, by the caller, with source api and the next number':
      async (bench) => {
        const first = await bench.create()
        const second = await bench.create()
        expectParts(second, { number: first.number + 1, state: 'scheduled', source: 'api' })
        assert.equal(second.creator?.email, 'robin@acme.example')
        expectParts(second, { scheduled_at: second.created_at, started_at: null })
        assert.deepEqual(jobStates(second), ['scheduled', 'scheduled', 'waiting', 'waiting'])
      },
    'CE4 D wire/create: older builds of the branch are skipped or canceled if the pipeline says so':
      async (_, target) => {
        const bench = await workbench(target, 'bench-newest')
        const queued = await bench.create()
        const running = await bench.create()
        assert.equal((await bench.get(queued)).state, 'skipped')
        await bench.move(running, 'test', 'running')
        const newest = await bench.create()
        const canceled = await bench.get(running)
        expectParts(canceled, {
          state: 'canceled',
          cancel_reason: `Superseded by build #${newest.number}`,
        })
      },
    'CE5 D server/steps: parallel groups, matrices and groups become jobs that name them': async (
      _,
      target,
    ) => {
      const { jobs = [] } = await (await workbench(target, 'bench-wide')).create()
      assert.deepEqual(
        jobs.map((job) => [
          job.step_key,
          job.parallel_group_index,
          job.parallel_group_total,
          job.matrix,
          job.group_key,
        ]),
        [
          ['a', 0, 3, null, undefined],
          ['a', 1, 3, null, undefined],
          ['a', 2, 3, null, undefined],
          ['b', null, null, { os: 'linux' }, undefined],
          ['b', null, null, { os: 'mac' }, undefined],
          ['c', null, null, null, 'group'],
        ],
      )
    },
    'CE6 D wire/ground: the order of checks is scope, path, rights, body': async (_, target) => {
      const path = '/v2/organizations/acme/pipelines'
      const post = (pipeline: string, as: string) =>
        ask(target, `${path}/${pipeline}/builds`, { method: 'POST', body: '{', as })
      expectRefusal(
        await post('web', 'reader'),
        403,
        "Your access token doesn't have the write_builds scope",
      )
      expectRefusal(await post('nowhere', 'admin'), 404, 'No pipeline found')
      expectRefusal(await post('secret', 'sam'), 404, 'No pipeline found')
      expectRefusal(await post('web', 'sam'), 403, 'Forbidden')
      expectRefusal(await post('api', 'sam'), 400, 'Problems parsing JSON')
    },
  }),
]
