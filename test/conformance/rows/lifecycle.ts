import { strict as assert } from 'node:assert'
import type { Job } from '@buildwire/sdk/contract'
import { expectParts, expectRefusal, expectStatus } from '../target.js'
import { benchRows, jobStates, workbench } from './workbench.js'

export const lifecycleRows = benchRows({
  'LC1 M wire/build-lifecycle: failing_at is set by the first hard failure, and never cleared':
    async (bench) => {
      const build = await bench.create()
      await bench.move(build, 'lint', 'running')
      await bench.move(build, 'test', 'running', 'failed')
      const failing = await bench.get(build)
      assert.equal(failing.state, 'failing')
      assert.ok(failing.failing_at)
      await bench.put(build, 'retry_failed_jobs')
      await bench.move(build, 'test', 'running', 'passed')
      await bench.move(build, 'lint', 'passed')
      await bench.move(build, 'ship', 'running', 'passed')
      const passed = await bench.get(build)
      expectParts(passed, { state: 'passed', failing_at: failing.failing_at })
    },
  'LC2 M wire/build-lifecycle: a reached block step makes blocked true; unblocking goes on': async (
    _,
    target,
  ) => {
    const bench = await workbench(target, 'bench-gated')
    const build = await bench.create()
    assert.deepEqual(jobStates(build), ['scheduled', 'waiting', 'blocked'])
    await bench.move(build, 'a', 'running', 'passed')
    const blocked = await bench.get(build)
    assert.deepEqual([blocked.state, blocked.blocked], ['passed', true])
    assert.ok(blocked.finished_at)
    const step = blocked.jobs?.find(({ type }: Job) => type === 'manual')
    await bench.control.jobs.unblock({ job_id: step?.id ?? '', user: 'robin@acme.example' })
    const going = await bench.get(build)
    assert.deepEqual([going.state, going.blocked, going.finished_at], ['running', false, null])
    assert.deepEqual(jobStates(going), ['passed', 'unblocked', 'scheduled'])
  },
  'LC3 M wire/job-lifecycle: an automatic retry happens in the turn of the failure': async (
    _,
    target,
  ) => {
    const bench = await workbench(target, 'bench-auto')
    const build = await bench.create()
    await bench.move(build, 'a', 'running', 'failed')
    const retried = await bench.get(build, '?include_retried_jobs=true')
    assert.equal(retried.state, 'running')
    assert.deepEqual(jobStates(retried), ['failed', 'scheduled'])
    assert.equal(retried.jobs?.[0]?.retry_type, 'automatic')
    await bench.move(build, 'a', 'running', 'failed')
    assert.equal((await bench.get(build)).state, 'failed')
  },
  'LC4 M wire/job-lifecycle: a promise moves no build, is made once, and may be broken': async (
    _,
    target,
  ) => {
    const bench = await workbench(target, 'bench-auto')
    const build = await bench.create()
    await bench.move(build, 'a', 'running')
    const id = (await bench.get(build)).jobs?.[0]?.id ?? ''
    await bench.control.jobs.promiseFailure({ job_id: id, exit_status: 3 })
    const promised = await bench.get(build)
    assert.equal(promised.state, 'running')
    assert.equal(promised.jobs?.[0]?.promised_exit_status, 3)
    assert.ok(promised.jobs?.[0]?.promised_exit_status_at)
    await assert.rejects(bench.control.jobs.promiseFailure({ job_id: id, exit_status: 3 }))
    await bench.move(build, 'a', 'passed')
    assert.equal((await bench.get(build)).state, 'passed')
  },
  'LC5 M wire/job-lifecycle: a trigger job makes its build and follows its end': async (
    _,
    target,
  ) => {
    const bench = await workbench(target, 'bench-chain')
    const build = await bench.create()
    assert.equal(build.jobs?.[0]?.triggered_build, null)
    await bench.move(build, 'go', 'running')
    const made = (await bench.get(build)).jobs?.[0]?.triggered_build
    assert.ok(made)
    const child = await (await workbench(target)).builds(`/${made.number}`)
    assert.equal(child.json.source, 'trigger_job')
    assert.deepEqual(child.json.triggered_from, {
      build_id: build.id,
      build_number: build.number,
      build_pipeline_slug: 'bench-chain',
    })
    await bench.control.builds.advance({ id: child.json.id, to: 'finished', outcome: 'failed' })
    const ended = await bench.get(build)
    assert.equal(ended.jobs?.[0]?.state, 'failed')
    assert.equal(ended.state, 'failed')
  },
  'LG1 D wire/logs: a log is empty before the start, grows at its end, and stays after the job':
    async (bench) => {
      const build = await bench.create()
      const job = build.jobs?.find(({ step_key }: Job) => step_key === 'test')
      const log = async () => (await bench.builds(`/${build.number}/jobs/${job?.id}/log`)).json
      const { content, size, header_times } = await log()
      assert.deepEqual({ content, size, header_times }, { content: '', size: 0, header_times: [] })
      await bench.move(build, 'test', 'running')
      await bench.control.clock.advance({ ms: 20_000 })
      const early = await log()
      await bench.control.clock.advance({ ms: 20_000 })
      const late = await log()
      assert.ok(
        late.content.length > early.content.length && late.content.startsWith(early.content),
      )
      assert.equal(late.size, Buffer.byteLength(late.content))
      await bench.move(build, 'test', 'failed')
      const end = await log()
      assert.match(end.content, /Exited with status 1\n$/)
      await bench.control.clock.advance({ ms: 3_600_000 })
      assert.deepEqual(await log(), end)
    },
  'LG2 D wire/logs: a log as text: log.txt, or Accept: text/plain; only script jobs have one':
    async (bench) => {
      const build = await bench.create()
      await bench.move(build, 'test', 'running', 'passed')
      const { jobs = [] } = await bench.get(build)
      const path = (type: string) => {
        const job = jobs.find((one) =>
          type === 'script' ? one.step_key === 'test' : one.type === type,
        )
        return `/${build.number}/jobs/${job?.id}/log`
      }
      const { json } = await bench.builds(path('script'))
      const asText = await bench.builds(`${path('script')}.txt`)
      expectStatus(asText, 200)
      assert.equal(asText.headers.get('content-type'), 'text/plain; charset=utf-8')
      assert.equal(asText.text, json.content)
      assert.equal(
        (await bench.builds(path('script'), { headers: { accept: 'text/plain' } })).text,
        json.content,
      )
      const head = await bench.builds(`${path('script')}.txt`, { method: 'HEAD' })
      assert.equal(head.headers.get('content-length'), String(json.size))
      expectRefusal(await bench.builds(path('waiter')), 404, 'No job found')
      expectRefusal(await bench.builds(`${path('waiter')}.txt`), 404, 'No job found')
      const denied = await bench.builds(path('script'), { as: 'reader' })
      expectRefusal(denied, 403, "Your access token doesn't have the read_build_logs scope")
    },
})
