import { strict as assert } from 'node:assert'
import {
  ask,
  type ConformanceRow,
  expectParts,
  expectRefusal,
  expectStatus,
  row,
} from '../target.js'
import { benchRows, type JobState, jobStates, workbench } from './workbench.js'

/** The steps that bring a build of `bench` to each state that cancel accepts. */
const cancelable: readonly (readonly [
  state: string,
  moves: readonly (readonly [key: string, ...states: JobState[]])[],
  jobs: readonly string[],
])[] = [
  ['scheduled', [], ['canceled', 'canceled', 'canceled', 'canceled']],
  ['running', [['test', 'running']], ['canceled', 'canceled', 'canceled', 'canceled']],
  [
    'failing',
    [
      ['lint', 'running'],
      ['test', 'running', 'failed'],
    ],
    ['canceled', 'failed', 'waiting_failed', 'waiting_failed'],
  ],
]

const cancelRows: readonly ConformanceRow[] = cancelable.map(([state, moves, jobs], at) =>
  row(
    'seed',
    `CN${at + 1} M wire/moves: cancel ends a build that is ${state}; what had finished is untouched`,
    async (target) => {
      const bench = await workbench(target)
      const build = await bench.create()
      for (const [key, ...states] of moves) await bench.move(build, key, ...states)
      assert.equal((await bench.get(build)).state, state)
      const answer = await bench.put(build, 'cancel', { json: { cancel_reason: 'Enough' } })
      expectStatus(answer, 200)
      expectParts(answer.json, { id: build.id, state: 'canceled', cancel_reason: 'Enough' })
      assert.ok(answer.json.finished_at)
      assert.deepEqual(jobStates(answer.json), jobs)
      for (const job of answer.json.jobs) {
        if (job.type !== 'script' || job.state !== 'canceled') continue
        const end = job.agent === null ? [null, null, null] : ['SIGTERM', 'cancel', -1]
        assert.deepEqual([job.signal, job.signal_reason, job.exit_status], end)
      }
    },
  ),
)

export const buildMoveRows: readonly ConformanceRow[] = [
  ...cancelRows,
  ...benchRows({
    'CN4 D wire/moves: cancel accepts any body: none, {}, a reason of another type, invalid JSON':
      async (bench) => {
        for (const asked of [
          {},
          { json: {} },
          { json: { cancel_reason: 7 } },
          { body: 'a=1' },
          { body: '[]' },
        ]) {
          const build = await bench.create()
          const answer = await bench.put(build, 'cancel', { ...asked })
          expectStatus(answer, 200)
          assert.equal(answer.json.cancel_reason, null)
        }
      },
    'CN5 M wire/moves: cancel refuses every other state, and names the state': async (
      bench,
      target,
    ) => {
      for (const outcome of ['passed', 'failed'] as const) {
        const build = await bench.create()
        await bench.control.builds.advance({ id: build.id, to: 'finished', outcome })
        const answer = await bench.put(build, 'cancel')
        expectRefusal(answer, 422, `Build can't be canceled because it is ${outcome}`)
      }
      const gated = await workbench(target, 'bench-gated')
      const build = await gated.create()
      await gated.control.builds.advance({ id: build.id, to: 'blocked' })
      const answer = await gated.put(build, 'cancel')
      expectRefusal(answer, 422, "Build can't be canceled because it is blocked")
    },
    'CN6 D wire/moves: with a grace period, jobs on an agent and their build are canceling first':
      async (bench) => {
        await bench.control.apply({ settings: { cancelGraceMs: 5_000 } })
        try {
          const build = await bench.create()
          await bench.move(build, 'test', 'running')
          const answer = await bench.put(build, 'cancel')
          expectParts(answer.json, { state: 'canceling', finished_at: null })
          assert.deepEqual(jobStates(answer.json), [
            'canceled',
            'canceling',
            'canceled',
            'canceled',
          ])
          await bench.control.clock.advance({ ms: 5_000 })
          const after = await bench.get(build)
          assert.equal(after.state, 'canceled')
          assert.equal(
            Date.parse(after.finished_at ?? '') - Date.parse(after.created_at ?? ''),
            5_000,
          )
        } finally {
          await bench.control.apply({ settings: { cancelGraceMs: null } })
        }
      },
    'CN7 M wire/ground: writes find builds by number only, and need the right to write': async (
      bench,
      target,
    ) => {
      const build = await bench.create()
      for (const verb of ['cancel', 'rebuild', 'retry_failed_jobs']) {
        for (const number of [build.id, '0', `0${build.number}`, '99999']) {
          expectRefusal(
            await bench.builds(`/${number}/${verb}`, { method: 'PUT' }),
            404,
            'No build found',
          )
        }
        const other = `/v2/organizations/acme/pipelines/web/builds/1/${verb}`
        expectRefusal(await ask(target, other, { method: 'PUT', as: 'sam' }), 403, 'Forbidden')
      }
      assert.equal((await bench.get(build)).state, 'scheduled')
    },
    'RB1 M wire/moves: rebuild copies exactly the fields of the original, in any state': async (
      bench,
    ) => {
      const original = await bench.create({
        message: 'm',
        env: { A: '1' },
        meta_data: { k: 'v' },
        pull_request_id: 9,
      })
      await bench.control.builds.advance({ id: original.id, to: 'finished', outcome: 'failed' })
      await bench.put(original, 'retry_failed_jobs')
      const { json: made, ...answer } = await bench.put(original, 'rebuild')
      expectStatus({ json: made, ...answer }, 200)
      expectParts(made, {
        commit: 'HEAD',
        branch: 'main',
        message: 'm',
        env: { A: '1' },
        meta_data: {},
      })
      expectParts(made, {
        state: 'scheduled',
        source: 'api',
        cancel_reason: null,
        blocked: false,
        started_at: null,
      })
      assert.deepEqual(made.rebuilt_from, {
        id: original.id,
        number: original.number,
        url: original.url,
      })
      assert.deepEqual(jobStates(made), ['scheduled', 'scheduled', 'waiting', 'waiting'])
    },
    'RB2 D wire/moves: rebuild is refused only if the pipeline forbids it': async (_, target) => {
      const bench = await workbench(target, 'bench-frozen')
      const build = await bench.create()
      const answer = await bench.put(build, 'rebuild')
      expectRefusal(answer, 422, 'Rebuilds are disabled for this pipeline')
    },
    'RT1 M wire/moves: retry makes one new job for each selected one, and keeps the state of the build':
      async (bench) => {
        const build = await bench.create()
        await bench.move(build, 'lint', 'running', 'failed')
        await bench.move(build, 'test', 'running', 'failed')
        const failed = await bench.get(build)
        const answer = await bench.put(build, 'retry_failed_jobs', {
          json: { states: ' failed, ,soft_failed' },
        })
        expectStatus(answer, 202)
        expectParts(answer.json, {
          retried_jobs_count: 2,
          state: 'failed',
          finished_at: failed.finished_at,
        })
        assert.deepEqual(jobStates(answer.json), ['scheduled', 'scheduled', 'waiting', 'waiting'])
        const { jobs = [] } = await bench.get(build, '?include_retried_jobs=true')
        const [old, next] = jobs
        assert.equal(old?.retried, true)
        assert.equal(old?.retried_in_job_id, next?.id)
        assert.equal(old?.retry_type, 'manual')
        assert.deepEqual(next?.retry_source, { job_id: old?.id, retry_type: 'manual' })
        assert.equal(next?.retries_count, 1)
        assert.equal(next?.scheduled_at, build.created_at)
        await bench.move(build, 'test', 'running')
        const running = await bench.get(build)
        expectParts(running, { state: 'running', finished_at: null, started_at: failed.started_at })
      },
    'RT2 D wire/moves: retry reads states as text: spaces and duplicates are accepted, empty means all':
      async (bench) => {
        const cases = [
          [{ states: '' }, 2],
          [{ states: null }, 2],
          [{ states: 'failed,failed' }, 1],
          [{ states: 'soft_failed' }, 1],
          [{ states: 'expired,timed_out,canceled' }, 0],
        ] as const
        for (const [json, count] of cases) {
          const build = await bench.create()
          await bench.move(build, 'lint', 'running', 'failed')
          await bench.move(build, 'test', 'running', 'failed')
          const answer = await bench.put(build, 'retry_failed_jobs', { json })
          assert.equal(answer.json.retried_jobs_count, count)
        }
        const build = await bench.create()
        const typed = await bench.put(build, 'retry_failed_jobs', { json: { states: ['failed'] } })
        expectRefusal(typed, 400, 'states must be a comma-separated string')
      },
  }),
]
