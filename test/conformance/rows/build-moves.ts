import { strict as assert } from 'node:assert'
import { ask, expectRefusal, expectStatus, type Row, row, rowsOf } from '../target.js'
import { type JobState, jobStates, workbench } from './workbench.js'

/** What leads a build of `bench` to each state that cancel accepts. */
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

const cancelRows: readonly Row[] = cancelable.map(([state, moves, jobs], at) =>
  row(
    'seed',
    `CN${at + 1} M wire/moves: cancel ends a build that is ${state}; what had finished is untouched`,
    async (target) => {
      const bench = await workbench(target)
      const build = await bench.create()
      for (const [key, ...states] of moves) await bench.move(build, key, ...states)
      assert.equal((await bench.get(build)).state, state)
      const answer = await bench.builds(`/${build.number}/cancel`, { method: 'PUT', json: { cancel_reason: 'Enough' } })
      expectStatus(answer, 200)
      assert.equal(answer.json.id, build.id)
      assert.equal(answer.json.state, 'canceled')
      assert.equal(answer.json.cancel_reason, 'Enough')
      assert.ok(answer.json.finished_at)
      assert.deepEqual(jobStates(answer.json), jobs)
      for (const job of answer.json.jobs) {
        if (job.type !== 'script' || job.state !== 'canceled') continue
        const onAgent = job.agent !== null
        assert.deepEqual(
          [job.signal, job.signal_reason, job.exit_status],
          onAgent ? ['SIGTERM', 'cancel', -1] : [null, null, null],
        )
      }
    },
  ),
)

export const buildMoveRows: readonly Row[] = [
  ...cancelRows,
  ...rowsOf('seed', {
    'CN4 D wire/moves: cancel takes any body: nothing, {}, a reason of another type, no JSON': async (target) => {
      const bench = await workbench(target)
      for (const asked of [{}, { json: {} }, { json: { cancel_reason: 7 } }, { body: 'a=1' }, { body: '[]' }]) {
        const build = await bench.create()
        const answer = await bench.builds(`/${build.number}/cancel`, { method: 'PUT', ...asked })
        expectStatus(answer, 200)
        assert.equal(answer.json.cancel_reason, null)
      }
    },
    'CN5 M wire/moves: cancel refuses every other state, and says which': async (target) => {
      const bench = await workbench(target)
      for (const outcome of ['passed', 'failed'] as const) {
        const build = await bench.create()
        await bench.control.builds.advance({ id: build.id, to: 'finished', outcome })
        const answer = await bench.builds(`/${build.number}/cancel`, { method: 'PUT' })
        expectRefusal(answer, 422, `Build can't be canceled because it is ${outcome}`)
      }
      const gated = await workbench(target, 'bench-gated')
      const build = await gated.create()
      await gated.control.builds.advance({ id: build.id, to: 'blocked' })
      const answer = await gated.builds(`/${build.number}/cancel`, { method: 'PUT' })
      expectRefusal(answer, 422, "Build can't be canceled because it is blocked")
    },
    'CN6 D wire/moves: with a grace, jobs on an agent and their build are canceling first': async (target) => {
      const bench = await workbench(target)
      await bench.control.apply({ settings: { cancelGraceMs: 5_000 } })
      try {
        const build = await bench.create()
        await bench.move(build, 'test', 'running')
        const answer = await bench.builds(`/${build.number}/cancel`, { method: 'PUT' })
        assert.equal(answer.json.state, 'canceling')
        assert.equal(answer.json.finished_at, null)
        assert.deepEqual(jobStates(answer.json), ['canceled', 'canceling', 'canceled', 'canceled'])
        await bench.control.clock.advance({ ms: 5_000 })
        const after = await bench.get(build)
        assert.equal(after.state, 'canceled')
        assert.equal(Date.parse(after.finished_at ?? '') - Date.parse(after.created_at ?? ''), 5_000)
      } finally {
        await bench.control.apply({ settings: { cancelGraceMs: null } })
      }
    },
    'CN7 M wire/ground: writes name builds by number alone, and want the right to write': async (target) => {
      const bench = await workbench(target)
      const build = await bench.create()
      for (const verb of ['cancel', 'rebuild', 'retry_failed_jobs']) {
        for (const number of [build.id, '0', `0${build.number}`, '99999']) {
          expectRefusal(await bench.builds(`/${number}/${verb}`, { method: 'PUT' }), 404, 'No build found')
        }
        const other = `/v2/organizations/acme/pipelines/web/builds/1/${verb}`
        expectRefusal(await ask(target, other, { method: 'PUT', as: 'sam' }), 403, 'Forbidden')
      }
      assert.equal((await bench.get(build)).state, 'scheduled')
    },
    'RB1 M wire/moves: rebuild copies what was captured and nothing else, in any state': async (target) => {
      const bench = await workbench(target)
      const original = await bench.create({ message: 'm', env: { A: '1' }, meta_data: { k: 'v' }, pull_request_id: 9 })
      await bench.control.builds.advance({ id: original.id, to: 'finished', outcome: 'failed' })
      await bench.builds(`/${original.number}/retry_failed_jobs`, { method: 'PUT' })
      const { json: made, ...answer } = await bench.builds(`/${original.number}/rebuild`, { method: 'PUT' })
      expectStatus({ json: made, ...answer }, 200)
      const { commit, branch, message, env, state, source, meta_data, cancel_reason, blocked, started_at } = made
      assert.deepEqual(
        { commit, branch, message, env, state, source, meta_data, cancel_reason, blocked, started_at },
        {
          commit: 'HEAD',
          branch: 'main',
          message: 'm',
          env: { A: '1' },
          state: 'scheduled',
          source: 'api',
          meta_data: {},
          cancel_reason: null,
          blocked: false,
          started_at: null,
        },
      )
      assert.deepEqual(made.rebuilt_from, { id: original.id, number: original.number, url: original.url })
      assert.deepEqual(jobStates(made), ['scheduled', 'scheduled', 'waiting', 'waiting'])
    },
    'RB2 D wire/moves: rebuild is refused only where the pipeline forbids it': async (target) => {
      const bench = await workbench(target, 'bench-frozen')
      const build = await bench.create()
      const answer = await bench.builds(`/${build.number}/rebuild`, { method: 'PUT' })
      expectRefusal(answer, 422, 'Rebuilds are disabled for this pipeline')
    },
    'RT1 M wire/moves: retry makes one new job beside each selected one, and moves no build by itself': async (
      target,
    ) => {
      const bench = await workbench(target)
      const build = await bench.create()
      await bench.move(build, 'lint', 'running', 'failed')
      await bench.move(build, 'test', 'running', 'failed')
      const failed = await bench.get(build)
      const answer = await bench.builds(`/${build.number}/retry_failed_jobs`, {
        method: 'PUT',
        json: { states: ' failed, ,soft_failed' },
      })
      expectStatus(answer, 202)
      assert.equal(answer.json.retried_jobs_count, 2)
      assert.equal(answer.json.state, 'failed')
      assert.equal(answer.json.finished_at, failed.finished_at)
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
      assert.equal(running.state, 'running')
      assert.equal(running.finished_at, null)
      assert.equal(running.started_at, failed.started_at)
    },
    'RT2 D wire/moves: retry reads states as text: blanks and doubles are fine, empty and null mean all': async (
      target,
    ) => {
      const bench = await workbench(target)
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
        const answer = await bench.builds(`/${build.number}/retry_failed_jobs`, { method: 'PUT', json })
        assert.equal(answer.json.retried_jobs_count, count)
      }
      const build = await bench.create()
      const typed = await bench.builds(`/${build.number}/retry_failed_jobs`, {
        method: 'PUT',
        json: { states: ['failed'] },
      })
      expectRefusal(typed, 400, 'states must be a comma-separated string')
    },
  }),
]
