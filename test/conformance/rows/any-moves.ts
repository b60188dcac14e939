import { strict as assert } from 'node:assert'
import { buildsPath } from '../probe.js'
import {
  type ApiResponse,
  ask,
  expectParts,
  expectStatus,
  NotApplicable,
  rowsOf,
  type Target,
} from '../target.js'
import { made } from './any-create.js'

const put = (
  target: Target,
  number: number,
  verb: string,
  asked: object = {},
): Promise<ApiResponse> =>
  ask(target, `${buildsPath(target)}/${number}/${verb}`, { method: 'PUT', ...asked })

/**
 * Cancel, rebuild and retry at any server that allows writes. Each row creates the builds that it
 * changes.
 */
export const anyMoveRows = rowsOf('writes', {
  'AW-cancel M api: cancel: 200 and the build, canceled or canceling; again it is 422 with the reason':
    async (target) => {
      const build = await made(target)
      const answer = await put(target, build.number, 'cancel')
      expectStatus(answer, 200)
      assert.equal(answer.json.id, build.id)
      assert.ok(['canceled', 'canceling'].includes(answer.json.state), answer.json.state)
      const again = await put(target, build.number, 'cancel')
      expectStatus(again, 422)
      assert.match(String(again.json?.message), /cancel/)
      const found = await ask(
        target,
        `${buildsPath(target)}?branch=${encodeURIComponent(build.branch)}&state=canceled`,
      )
      if (answer.json.state === 'canceled') assert.equal(found.json.length, 1)
    },
  'AW-cancel-reason D wire/moves: cancel keeps the given reason': async (target) => {
    const build = await made(target)
    const answer = await put(target, build.number, 'cancel', {
      json: { cancel_reason: 'Not needed' },
    })
    assert.equal(answer.json.cancel_reason, 'Not needed')
    assert.equal((await ask(target, build.url)).json.cancel_reason, 'Not needed')
  },
  'AW-rebuild M api: rebuild: 200 and a new build with a new number, which names its source':
    async (target) => {
      const build = await made(target, {
        message: 'Once',
        env: { A: '1' },
        pull_request_id: 3,
        meta_data: { k: 'v' },
      })
      const answer = await put(target, build.number, 'rebuild')
      expectStatus(answer, 200)
      const { id, number, state, rebuilt_from, commit, branch, message, env, pull_request } =
        answer.json
      assert.notEqual(id, build.id)
      assert.ok(number > build.number)
      assert.equal(state, 'scheduled')
      assert.deepEqual(rebuilt_from, { id: build.id, number: build.number, url: build.url })
      const { commit: c, branch: b, message: m, env: e, pull_request: p } = build
      assert.deepEqual([commit, branch, message, env, pull_request], [c, b, m, e, p])
      assert.equal((await ask(target, build.url)).json.number, build.number)
    },
  'AW-rebuild-body D wire/moves: rebuild ignores its body': async (target) => {
    const build = await made(target)
    for (const asked of [{}, { json: {} }, { body: 'x=1' }, { json: { branch: 'other' } }]) {
      const answer = await put(target, build.number, 'rebuild', asked)
      expectStatus(answer, 200)
      assert.equal(answer.json.branch, build.branch)
    }
  },
  'AW-retry M api: retry failed jobs: 202 and the build with the number of jobs, also if it is 0':
    async (target) => {
      const build = await made(target)
      for (const asked of [
        {},
        { json: {} },
        { json: { states: '' } },
        { json: { states: 'failed, timed_out' } },
      ]) {
        const answer = await put(target, build.number, 'retry_failed_jobs', asked)
        expectStatus(answer, 202)
        expectParts(answer.json, { id: build.id, retried_jobs_count: 0 })
      }
      await put(target, build.number, 'cancel')
      const read = (await ask(target, build.url)).json
      assert.ok(!('retried_jobs_count' in read))
    },
  'AW-retry-states M api: retry names unknown states, and lists the five known ones': async (
    target,
  ) => {
    const build = await made(target)
    const answer = await put(target, build.number, 'retry_failed_jobs', {
      json: { states: 'passed,failed,broken' },
    })
    expectStatus(answer, 400)
    const message = String(answer.json?.message)
    for (const word of ['passed', 'broken', 'canceled, expired, failed, soft_failed, timed_out']) {
      assert.ok(message.includes(word), message)
    }
  },
  'AW-retry-canceled M wire/moves: retry queues a new job for each canceled one, which is then hidden':
    async (target) => {
      const build = await made(target)
      const canceled = await put(target, build.number, 'cancel')
      if (canceled.json.state !== 'canceled')
        throw new NotApplicable('the build is canceled only after a while')
      const before = canceled.json.jobs.filter(
        (job: { type: string; state: string }) => job.state === 'canceled',
      )
      const scripts = before.filter(({ type }: { type: string }) => type === 'script')
      const answer = await put(target, build.number, 'retry_failed_jobs', {
        json: { states: 'canceled' },
      })
      expectStatus(answer, 202)
      assert.equal(answer.json.retried_jobs_count, scripts.length)
      const all = (await ask(target, `${build.url}?include_retried_jobs=true`)).json.jobs
      for (const { id } of scripts) {
        const old = all.find((job: { id: string }) => job.id === id)
        assert.equal(old?.retried, true)
        assert.ok(all.some((job: { id: string }) => job.id === old.retried_in_job_id))
        const latest = (await ask(target, build.url)).json.jobs
        assert.ok(latest.every((job: { id: string }) => job.id !== id))
      }
      assert.equal(
        (await put(target, build.number, 'retry_failed_jobs')).json.retried_jobs_count,
        0,
      )
    },
})
