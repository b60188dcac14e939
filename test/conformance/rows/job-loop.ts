import { strict as assert } from 'node:assert'
import type { Build, Job } from '@buildwire/sdk/contract'
import { type ApiRequest, type ApiResponse, ask, expectRefusal, expectStatus } from '../target.js'
import { benchRows, type JobState, type Workbench, workbench } from './workbench.js'

export const jobOf = ({ jobs = [] }: Build, key: string): Job => {
  const job = jobs.find(({ step_key }) => step_key === key)
  if (job === undefined) throw new Error(`no job ${key}`)
  return job
}

export const jobAt = (
  bench: Workbench,
  build: Build,
  { id }: Job,
  verb = '',
  asked: ApiRequest = {},
): Promise<ApiResponse> => bench.builds(`/${build.number}/jobs/${id}${verb}`, asked)

const put = { method: 'PUT' } as const

/** A build whose `test` has failed. */
async function failed(bench: Workbench): Promise<Build> {
  const build = await bench.create()
  await bench.move(build, 'test', 'running', 'failed')
  return bench.get(build)
}

const notRetryable = 'Only failed, timed out or canceled jobs can be retried'

export const jobLoopRows = benchRows({
  'JL1 D wire/extensions: jobs.get: the same job as in its build, also if it was retried': async (
    bench,
  ) => {
    const build = await failed(bench)
    for (const job of build.jobs ?? []) assert.deepEqual((await jobAt(bench, build, job)).json, job)
    const test = jobOf(build, 'test')
    await jobAt(bench, build, test, '/retry', put)
    assert.equal((await jobAt(bench, build, test)).json.retried, true)
    const other = await bench.create()
    expectRefusal(await jobAt(bench, other, test), 404, 'No job found')
  },
  'JL2 D wire/moves: jobs.retry: 200 and a new scheduled job; works once, then for the new job':
    async (bench) => {
      const build = await failed(bench)
      const old = jobOf(build, 'test')
      const answer = await jobAt(bench, build, old, '/retry', put)
      expectStatus(answer, 200)
      const { id, state, retries_count, retry_source, step } = answer.json
      assert.deepEqual([state, retries_count, step.id], ['scheduled', 1, old.step?.id])
      assert.deepEqual(retry_source, { job_id: old.id, retry_type: 'manual' })
      expectRefusal(
        await jobAt(bench, build, old, '/retry', put),
        422,
        'The job has already been retried',
      )
      expectRefusal(await jobAt(bench, build, answer.json, '/retry', put), 400, notRetryable)
      await bench.move(build, 'test', 'running', 'failed')
      assert.equal((await jobAt(bench, build, answer.json, '/retry', put)).json.retries_count, 2)
      assert.ok((await bench.get(build)).jobs?.every((job) => job.id !== id && job.id !== old.id))
    },
  'JL3 D wire/moves: jobs.retry accepts the five states of retry_failed_jobs, and script jobs only':
    async (bench) => {
      const endings: readonly (readonly [key: string, ...states: JobState[]])[] = [
        ['test', 'running', 'failed'],
        ['lint', 'running', 'failed'],
        ['test', 'running', 'timing_out', 'timed_out'],
        ['test', 'expired'],
        ['test', 'canceled'],
      ]
      for (const [key, ...states] of endings) {
        const build = await bench.create()
        await bench.move(build, key, ...states)
        expectStatus(
          await jobAt(bench, build, jobOf(await bench.get(build), key), '/retry', put),
          200,
        )
      }
      const build = await bench.create()
      const waiter = build.jobs?.find(({ type }) => type === 'waiter')
      if (waiter === undefined) throw new Error('no waiter')
      expectRefusal(
        await jobAt(bench, build, waiter, '/retry', put),
        400,
        'Only script jobs can be retried',
      )
      await bench.move(build, 'test', 'running')
      expectRefusal(
        await jobAt(bench, build, jobOf(build, 'test'), '/retry', put),
        400,
        notRetryable,
      )
      await bench.move(build, 'test', 'passed')
      expectRefusal(
        await jobAt(bench, build, jobOf(build, 'test'), '/retry', put),
        400,
        notRetryable,
      )
    },
  'JL4 D wire/moves: jobs.retry refuses jobs of a canceled build, and of a build that it triggered':
    async (bench, target) => {
      const build = await failed(bench)
      await bench.put(build, 'cancel')
      for (const key of ['test', 'lint']) {
        const answer = await jobAt(bench, build, jobOf(build, key), '/retry', put)
        expectRefusal(answer, 422, 'Jobs from canceled builds cannot be retried')
      }
      const chain = await workbench(target, 'bench-chain')
      const parent = await chain.create()
      await chain.move(parent, 'go', 'running')
      const started = jobOf(await chain.get(parent), 'go').triggered_build
      const child = (await bench.builds(`/${started?.number}`)).json
      await bench.move(child, 'test', 'running', 'failed')
      await chain.put(parent, 'cancel')
      const answer = await jobAt(bench, child, jobOf(child, 'test'), '/retry', put)
      expectRefusal(
        answer,
        422,
        'Jobs from builds that a canceled build triggered cannot be retried',
      )
    },
  'JL5 D wire/moves: jobs.unblock: a waiting job names its URL, and is unblocked once': async (
    _,
    target,
  ) => {
    const bench = await workbench(target, 'bench-gated')
    const build = await bench.create()
    const early = jobOf(build, 'go')
    assert.deepEqual([early.unblockable, early.unblock_url], [false, null])
    expectStatus(await jobAt(bench, build, early, '/unblock', put), 422)
    await bench.control.builds.advance({ id: build.id, to: 'blocked' })
    const waiting = jobOf(await bench.get(build), 'go')
    assert.equal(waiting.unblockable, true)
    const answer = await ask(target, waiting.unblock_url ?? '', put)
    expectStatus(answer, 200)
    const { state, unblockable, unblock_url, unblocked_by, unblocked_at } = answer.json
    assert.deepEqual([state, unblockable, unblock_url], ['unblocked', false, null])
    assert.equal(unblocked_by.id, (await ask(target, '/v2/user')).json.id)
    assert.ok(unblocked_at)
    assert.equal(jobOf(await bench.get(build), 'b').state, 'scheduled')
    const again = await jobAt(bench, build, waiting, '/unblock', put)
    expectRefusal(again, 422, "A manual job that is unblocked can't be unblocked")
    expectStatus(await jobAt(bench, build, jobOf(build, 'a'), '/unblock', put), 422)
  },
  'JL6 D wire/moves: jobs.unblock reads its body: texts or lists of texts, and a member': async (
    _,
    target,
  ) => {
    const bench = await workbench(target, 'bench-gated')
    const build = await bench.create()
    await bench.control.builds.advance({ id: build.id, to: 'blocked' })
    const job = jobOf(await bench.get(build), 'go')
    const send = (json: unknown) => jobAt(bench, build, job, '/unblock', { ...put, json })
    const refused: readonly (readonly [body: object, field: string])[] = [
      [{ fields: 'beta' }, 'fields'],
      [{ fields: { release: 7 } }, 'fields.release'],
      [{ unblocker: 'robin' }, 'unblocker'],
      [{ unblocker: '00000000-0000-4000-8000-000000000000' }, 'unblocker'],
    ]
    for (const [body, field] of refused) {
      const answer = await send(body)
      expectStatus(answer, 422)
      assert.deepEqual(answer.json.errors, [{ field, code: 'invalid' }])
    }
    const { id } = (await ask(target, '/v2/user')).json
    const answer = await send({ unblocker: id, fields: { release: 'beta', regions: ['eu', 'us'] } })
    expectStatus(answer, 200)
    assert.equal(answer.json.unblocked_by.id, id)
  },
  'JL7 D wire/logs: log.txt sends the bytes of Range, and reports a range that does not exist':
    async (bench) => {
      const build = await failed(bench)
      const job = jobOf(build, 'test')
      await bench.control.jobLogs.set({ job_id: job.id, content: 'eins\nzwei\nf\u00fcnf\n' })
      const ask = (range: string) => jobAt(bench, build, job, '/log.txt', { headers: { range } })
      const parts: readonly (readonly [range: string, text: string, shown: string])[] = [
        ['bytes=-6', 'f\u00fcnf\n', 'bytes 10-15/16'],
        ['bytes=5-', 'zwei\nf\u00fcnf\n', 'bytes 5-15/16'],
        ['bytes=5-8', 'zwei', 'bytes 5-8/16'],
        ['bytes=5-999', 'zwei\nf\u00fcnf\n', 'bytes 5-15/16'],
        ['bytes=-999', 'eins\nzwei\nf\u00fcnf\n', 'bytes 0-15/16'],
      ]
      for (const [range, text, shown] of parts) {
        const answer = await ask(range)
        expectStatus(answer, 206)
        assert.deepEqual([answer.text, answer.headers.get('content-range')], [text, shown])
      }
      for (const range of ['bytes=16-', 'bytes=-0']) {
        const answer = await ask(range)
        expectRefusal(answer, 416, 'Range is not satisfiable')
        assert.equal(answer.headers.get('content-range'), 'bytes */16')
      }
      for (const range of ['bytes=8-5', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
        const answer = await ask(range)
        assert.deepEqual([answer.status, answer.text.length], [200, 15])
      }
    },
})
