import { strict as assert } from 'node:assert'
import { ask, expectInvalid, expectParts, expectRefusal, expectStatus, rowsOf } from '../target.js'

const builds = '/v2/organizations/acme/pipelines/web/builds'
const tests = '/v2/analytics/organizations/acme/suites/web-unit/tests'
const commit = '1'.repeat(40)

export const writeRows = rowsOf('seed', {
  'WR1 M wire/create: get and the list return the fields that create accepted': async (target) => {
    const sent = {
      commit,
      branch: 'topic',
      message: 'Try it',
      env: { N: 1, OK: true, TEXT: 'x' },
      meta_data: { flag: false, n: 3 },
      author: { name: 'Jo', email: 'jo@acme.example' },
      pull_request_id: '7',
      pull_request_labels: ['ready'],
    }
    const created = await ask(target, builds, { method: 'POST', json: sent })
    expectStatus(created, 201)
    assert.equal(created.headers.get('location'), created.json.url)
    const got = (await ask(target, created.json.url)).json
    const [listed] = (await ask(target, `${builds}?branch=topic`)).json
    for (const build of [created.json, got, listed]) {
      expectParts(build, { state: 'scheduled', source: 'api', number: created.json.number })
      expectParts(build, {
        env: { N: '1', OK: 'true', TEXT: 'x' },
        meta_data: { flag: false, n: '3' },
      })
      assert.deepEqual(build.author, sent.author)
      assert.equal(build.pull_request.id, '7')
    }
  },
  'WR2 M wire/create: create reports all field errors together': async (target) => {
    const refused = await ask(target, builds, { method: 'POST', json: { branch: 3, env: [] } })
    const invalid = ['branch', 'env'].map((field) => ({ field, code: 'invalid' }))
    expectInvalid(refused, { field: 'commit', code: 'missing' }, ...invalid)
  },
  'WR3 D wire/ground: a body that is not a JSON object is 400, too large 413, encoded 415': async (
    target,
  ) => {
    const post = (asked: object) => ask(target, builds, { method: 'POST', ...asked })
    expectRefusal(await post({ body: '{' }), 400, 'Problems parsing JSON')
    expectRefusal(await post({ body: '[1]' }), 400, 'Body should be a JSON object')
    const deep = await post({ body: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` })
    expectRefusal(deep, 400, 'Problems parsing JSON')
    expectRefusal(await post({ body: '{"a":"\\ud800"}' }), 400, 'Problems parsing JSON')
    expectRefusal(
      await post({ body: `{"a":"${'x'.repeat(1_048_576)}"}` }),
      413,
      'Request body is too large',
    )
    const encoded = await post({ body: '{}', headers: { 'content-encoding': 'gzip' } })
    expectRefusal(encoded, 415, 'Content-Encoding is not supported')
  },
  'WR4 M wire/moves: cancel works once; the second error names the state': async (target) => {
    const { json: made } = await ask(target, builds, {
      method: 'POST',
      json: { commit, branch: 'main' },
    })
    const path = `${builds}/${made.number}/cancel`
    const canceled = await ask(target, path, { method: 'PUT', json: { cancel_reason: 'why not' } })
    expectStatus(canceled, 200)
    expectParts(canceled.json, { state: 'canceled', cancel_reason: 'why not' })
    assert.ok(canceled.json.finished_at)
    expectRefusal(
      await ask(target, path, { method: 'PUT' }),
      422,
      "Build can't be canceled because it is canceled",
    )
  },
  'WR5 M wire/moves: rebuild makes a new build with the fields of the original': async (target) => {
    const rebuilt = await ask(target, `${builds}/6/rebuild`, { method: 'PUT', body: 'not json' })
    expectStatus(rebuilt, 200)
    assert.equal(rebuilt.json.state, 'scheduled')
    assert.equal(rebuilt.json.rebuilt_from.number, 6)
    assert.deepEqual(rebuilt.json.meta_data, {})
    assert.equal(rebuilt.json.pull_request.id, '42')
    const again = await ask(target, `${builds}/${rebuilt.json.number}/rebuild`, { method: 'PUT' })
    assert.equal(again.json.rebuilt_from.number, rebuilt.json.number)
  },
  'WR6 M wire/moves: retry failed jobs queues them and returns their number': async (target) => {
    const path = `${builds}/2/retry_failed_jobs`
    const bad = await ask(target, path, { method: 'PUT', json: { states: 'failed,nope' } })
    const valid = 'canceled, expired, failed, soft_failed, timed_out'
    expectRefusal(bad, 400, `Invalid states: nope. Valid states are ${valid}.`)
    const retried = await ask(target, path, { method: 'PUT', json: { states: 'failed' } })
    expectStatus(retried, 202)
    assert.equal(retried.json.retried_jobs_count, 1)
    const nothing = await ask(target, path, { method: 'PUT' })
    expectStatus(nothing, 202)
    assert.equal(nothing.json.retried_jobs_count, 0)
  },
  'WR7 M wire/tests: find by scope and name, and change labels': async (target) => {
    const found = await ask(target, `${tests}/find`, {
      method: 'POST',
      json: { scope: '', name: 'boots' },
    })
    expectStatus(found, 200)
    const nothing = await ask(target, `${tests}/find`, {
      method: 'POST',
      json: { scope: 'x', name: 'boots' },
    })
    expectRefusal(nothing, 404, 'No test found')
    const labels = async (operator: string, names: readonly string[]) => {
      const path = `${tests}/${found.json.id}/labels`
      const answer = await ask(target, path, { method: 'PATCH', json: { operator, labels: names } })
      expectStatus(answer, 200)
      return answer.json.labels
    }
    assert.deepEqual(await labels('add', ['b', 'a', 'b']), ['b', 'a'])
    assert.deepEqual(await labels('add', ['a']), ['b', 'a'])
    assert.deepEqual(await labels('remove', ['b', 'absent']), ['a'])
    assert.deepEqual(await labels('add', []), ['a'])
  },
  'WR8 D wire/refresh: a revoked token is then refused with the ordinary 401': async (target) => {
    const made = await target.control?.accessTokens.create({
      user: 'robin@acme.example',
      scopes: ['read_user'],
    })
    const token = made?.access_token ?? ''
    expectStatus(await ask(target, '/v2/user', { as: token }), 200)
    const revoked = await ask(target, '/v2/access-token', { method: 'DELETE', as: token })
    expectStatus(revoked, 204)
    assert.equal(revoked.text, '')
    expectStatus(await ask(target, '/v2/user', { as: token }), 401)
  },
})
