import { strict as assert } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { buildsPath } from '../capabilities.js'
import { type Answered, ask, expectRefusal, expectStatus, NotApplicable, type Row, type Target } from '../target.js'

const create = (target: Target, json: object): Promise<Answered> =>
  ask(target, buildsPath(target), { method: 'POST', json: { commit: 'HEAD', branch: 'main', ...json } })

const put = (target: Target, number: number, verb: string, asked: object = {}): Promise<Answered> =>
  ask(target, `${buildsPath(target)}/${number}/${verb}`, { method: 'PUT', ...asked })

/** A build of this row's own, on a branch that nobody else has. */
async function made(target: Target, more: object = {}) {
  const branch = `conformance/${randomUUID()}`
  const answer = await create(target, { branch, ...more })
  expectStatus(answer, 201)
  return answer.json
}

const buildRows: readonly Row[] = [
  {
    id: 'AW-create',
    section: 'api.md',
    level: 'M',
    title: 'create: 201, scheduled, source api, and found by number, url, and branch',
    needs: 'writes',
    async run(target) {
      const branch = `conformance/${randomUUID()}`
      const answer = await create(target, { branch, commit: 'HEAD' })
      expectStatus(answer, 201)
      const { id, number, url, state, source, blocked, cancel_reason, rebuilt_from, commit } = answer.json
      assert.equal(answer.headers.get('location'), url)
      assert.deepEqual(
        { state, source, blocked, cancel_reason, rebuilt_from, commit },
        { state: 'scheduled', source: 'api', blocked: false, cancel_reason: null, rebuilt_from: null, commit: 'HEAD' },
      )
      assert.equal((await ask(target, url)).json.id, id)
      assert.equal((await ask(target, `${buildsPath(target)}/${number}`)).json.id, id)
      const found = await ask(target, `${buildsPath(target)}?branch=${encodeURIComponent(branch)}`)
      assert.deepEqual(
        found.json.map((build: { id: string }) => build.id),
        [id],
      )
    },
  },
  {
    id: 'AW-number',
    section: 'api.md',
    level: 'M',
    title: 'numbers increase with each build, also when many are created at once',
    needs: 'writes',
    async run(target) {
      const first = await made(target)
      const many = await Promise.all(Array.from({ length: 5 }, () => made(target)))
      const numbers = many.map(({ number }) => number)
      assert.equal(new Set(numbers).size, 5)
      for (const number of numbers) assert.ok(number > first.number)
    },
  },
  {
    id: 'AW-fields',
    section: 'wire.md §12',
    level: 'M',
    title: 'message, env, meta_data, author and pull request come back from create, get and list',
    needs: 'writes',
    async run(target) {
      const sent = {
        message: 'Grüße, 世界 🚀',
        env: { KEY: 'value', EMPTY: '' },
        meta_data: { text: 'x', flag: true },
        author: { name: 'Jo Doe', email: 'jo@acme.example' },
      }
      const pull = { pull_request_id: 12, pull_request_base_branch: 'main', pull_request_labels: ['a', 'b'] }
      const build = await made(target, { ...sent, ...pull })
      const got = (await ask(target, build.url)).json
      const [listed] = (await ask(target, `${buildsPath(target)}?branch=${encodeURIComponent(build.branch)}`)).json
      for (const one of [build, got, listed]) {
        assert.equal(one.message, sent.message)
        assert.deepEqual(one.env, sent.env)
        assert.equal(String(one.meta_data.flag), 'true')
        assert.equal(one.meta_data.text, 'x')
        assert.equal(String(one.pull_request.id), '12')
        assert.equal(one.pull_request.base, 'main')
        assert.deepEqual(one.pull_request.labels, ['a', 'b'])
      }
    },
  },
  {
    id: 'AW-coerced',
    section: 'wire.md §12',
    level: 'D',
    title: 'numbers and booleans in env become strings, numbers in meta_data too, and a number in digits is a number',
    needs: 'writes',
    async run(target) {
      const build = await made(target, { env: { N: 5, B: true }, meta_data: { n: 5 }, pull_request_id: '12' })
      assert.deepEqual(build.env, { N: '5', B: 'true' })
      assert.deepEqual(build.meta_data, { n: '5' })
      assert.equal(build.pull_request.id, '12')
    },
  },
  {
    id: 'AW-meta-data',
    section: 'wire.md §5',
    level: 'M',
    title: 'meta_data finds a build by key and value, several keys are AND',
    needs: 'writes',
    async run(target) {
      const value = randomUUID()
      const build = await made(target, { meta_data: { 'kit[1]': value, flag: false } })
      const key = encodeURIComponent('meta_data[kit[1]]')
      const find = async (query: string) =>
        (await ask(target, `${buildsPath(target)}?${key}=${value}${query}`)).json.map(({ id }: { id: string }) => id)
      assert.deepEqual(await find(''), [build.id])
      assert.deepEqual(await find('&meta_data[flag]=false'), [build.id])
      assert.deepEqual(await find('&meta_data[flag]=true'), [])
    },
  },
  {
    id: 'AW-branch-text',
    section: 'wire.md §5',
    level: 'M',
    title: 'a branch with commas, blanks, brackets and an ampersand is one branch',
    needs: 'writes',
    async run(target) {
      const branch = `kit/${randomUUID()}, a;b [c]&d=e+f%20é`
      const build = await made(target, { branch })
      const found = await ask(target, `${buildsPath(target)}?branch[]=${encodeURIComponent(branch)}`)
      assert.deepEqual(
        found.json.map(({ id }: { id: string }) => id),
        [build.id],
      )
    },
  },
  {
    id: 'AW-missing',
    section: 'api.md',
    level: 'M',
    title: 'create without commit or branch is 422 with message and errors',
    needs: 'writes',
    async run(target) {
      for (const [json, fields] of [
        [{ commit: null }, ['commit']],
        [{ branch: '' }, ['branch']],
        [{ commit: '  ', branch: null }, ['commit', 'branch']],
      ] as const) {
        const answer = await create(target, json)
        expectRefusal(answer, 422, 'Validation Failed')
        assert.deepEqual(
          answer.json.errors,
          fields.map((field) => ({ field, code: 'missing' })),
        )
      }
    },
  },
  {
    id: 'AW-syntax',
    section: 'wire.md §7',
    level: 'D',
    title: 'a body that is no JSON, no object or no UTF-8 is 400, never 5xx',
    needs: 'writes',
    async run(target) {
      const post = (body: string) => ask(target, buildsPath(target), { method: 'POST', body })
      for (const body of ['{', '{"commit":}', "{'commit': 'x'}", '{"a":1}x']) {
        expectRefusal(await post(body), 400, 'Problems parsing JSON')
      }
      for (const body of ['[]', '"x"', 'null', '1'])
        expectRefusal(await post(body), 400, 'Body should be a JSON object')
    },
  },
  {
    id: 'AW-type',
    section: 'wire.md §20',
    level: 'S',
    title: 'JSON is read under any content type',
    needs: 'writes',
    async run(target) {
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json; charset=utf-8']) {
        const body = JSON.stringify({ commit: 'HEAD', branch: `conformance/${randomUUID()}` })
        const headers = { 'content-type': type }
        expectStatus(await ask(target, buildsPath(target), { method: 'POST', headers, body }), 201)
      }
    },
  },
  {
    id: 'AW-rights',
    section: 'wire.md §0',
    level: 'D',
    title: 'a token without write_builds is told so before its body is read',
    needs: ['writes', 'reader'],
    async run(target) {
      const answer = await ask(target, buildsPath(target), { method: 'POST', as: 'reader', body: '{' })
      expectRefusal(answer, 403, "Your access token doesn't have the write_builds scope")
    },
  },
  {
    id: 'AW-cancel',
    section: 'api.md',
    level: 'M',
    title: 'cancel: 200 and the build, canceled or on the way; a second time is 422 with the reason',
    needs: 'writes',
    async run(target) {
      const build = await made(target)
      const answer = await put(target, build.number, 'cancel')
      expectStatus(answer, 200)
      assert.equal(answer.json.id, build.id)
      assert.ok(['canceled', 'canceling'].includes(answer.json.state), answer.json.state)
      const again = await put(target, build.number, 'cancel')
      expectStatus(again, 422)
      assert.match(String(again.json?.message), /cancel/)
      const found = await ask(target, `${buildsPath(target)}?branch=${encodeURIComponent(build.branch)}&state=canceled`)
      if (answer.json.state === 'canceled') assert.equal(found.json.length, 1)
    },
  },
  {
    id: 'AW-cancel-reason',
    section: 'wire.md §13',
    level: 'D',
    title: 'cancel keeps the reason it is given',
    needs: 'writes',
    async run(target) {
      const build = await made(target)
      const answer = await put(target, build.number, 'cancel', { json: { cancel_reason: 'Not needed' } })
      assert.equal(answer.json.cancel_reason, 'Not needed')
      assert.equal((await ask(target, build.url)).json.cancel_reason, 'Not needed')
    },
  },
  {
    id: 'AW-rebuild',
    section: 'api.md',
    level: 'M',
    title: 'rebuild: 200 and a new build with a new number, which says where it is from',
    needs: 'writes',
    async run(target) {
      const build = await made(target, { message: 'Once', env: { A: '1' }, pull_request_id: 3, meta_data: { k: 'v' } })
      const answer = await put(target, build.number, 'rebuild')
      expectStatus(answer, 200)
      const { id, number, state, rebuilt_from, commit, branch, message, env, pull_request } = answer.json
      assert.notEqual(id, build.id)
      assert.ok(number > build.number)
      assert.equal(state, 'scheduled')
      assert.deepEqual(rebuilt_from, { id: build.id, number: build.number, url: build.url })
      const { commit: c, branch: b, message: m, env: e, pull_request: p } = build
      assert.deepEqual([commit, branch, message, env, pull_request], [c, b, m, e, p])
      assert.equal((await ask(target, build.url)).json.number, build.number)
    },
  },
  {
    id: 'AW-rebuild-body',
    section: 'wire.md §13',
    level: 'D',
    title: 'rebuild ignores whatever body it gets',
    needs: 'writes',
    async run(target) {
      const build = await made(target)
      for (const asked of [{}, { json: {} }, { body: 'x=1' }, { json: { branch: 'other' } }]) {
        const answer = await put(target, build.number, 'rebuild', asked)
        expectStatus(answer, 200)
        assert.equal(answer.json.branch, build.branch)
      }
    },
  },
  {
    id: 'AW-retry',
    section: 'api.md',
    level: 'M',
    title: 'retry failed jobs: 202 and the build with the number of jobs queued, nothing to retry included',
    needs: 'writes',
    async run(target) {
      const build = await made(target)
      for (const asked of [{}, { json: {} }, { json: { states: '' } }, { json: { states: 'failed, timed_out' } }]) {
        const answer = await put(target, build.number, 'retry_failed_jobs', asked)
        expectStatus(answer, 202)
        assert.equal(answer.json.id, build.id)
        assert.equal(answer.json.retried_jobs_count, 0)
      }
      await put(target, build.number, 'cancel')
      const read = (await ask(target, build.url)).json
      assert.ok(!('retried_jobs_count' in read))
    },
  },
  {
    id: 'AW-retry-states',
    section: 'api.md',
    level: 'M',
    title: 'retry names states that there are not, and lists the five that there are',
    needs: 'writes',
    async run(target) {
      const build = await made(target)
      const answer = await put(target, build.number, 'retry_failed_jobs', { json: { states: 'passed,failed,broken' } })
      expectStatus(answer, 400)
      const message = String(answer.json?.message)
      for (const word of ['passed', 'broken', 'canceled, expired, failed, soft_failed, timed_out']) {
        assert.ok(message.includes(word), message)
      }
    },
  },
]

const retryCanceled: Row = {
  id: 'AW-retry-canceled',
  section: 'wire.md §13',
  level: 'M',
  title: 'retry queues canceled jobs anew: a new job beside the old one, which is shown only when asked for',
  needs: 'writes',
  async run(target) {
    const build = await made(target)
    const canceled = await put(target, build.number, 'cancel')
    if (canceled.json.state !== 'canceled') throw new NotApplicable('the build is canceled only after a while')
    const before = canceled.json.jobs.filter((job: { type: string; state: string }) => job.state === 'canceled')
    const scripts = before.filter(({ type }: { type: string }) => type === 'script')
    const answer = await put(target, build.number, 'retry_failed_jobs', { json: { states: 'canceled' } })
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
    assert.equal((await put(target, build.number, 'retry_failed_jobs')).json.retried_jobs_count, 0)
  },
}

/** Writes at any server that allows them: each row makes what it changes. */
export const anyWriteRows: readonly Row[] = [...buildRows, retryCanceled]
