import { strict as assert } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { buildsPath } from '../probe.js'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectInvalid,
  expectParts,
  expectRefusal,
  expectStatus,
  rowsOf,
  type Target,
} from '../target.js'
import { idsOf } from './any-build.js'

const create = (target: Target, json: object): Promise<ApiResponse> =>
  ask(target, buildsPath(target), {
    method: 'POST',
    json: { commit: 'HEAD', branch: 'main', ...json },
  })

/** A build of this row, on a branch that no other build has. */
export async function made(target: Target, more: object = {}) {
  const branch = `conformance/${randomUUID()}`
  const answer = await create(target, { branch, ...more })
  expectStatus(answer, 201)
  return answer.json
}

/** Creating builds, at any server that allows it. */
export const anyCreateRows: readonly ConformanceRow[] = [
  ...rowsOf('writes', {
    'AW-create M api: create: 201, scheduled, source api, and found by number, url and branch':
      async (target) => {
        const branch = `conformance/${randomUUID()}`
        const answer = await create(target, { branch, commit: 'HEAD' })
        expectStatus(answer, 201)
        const { id, number, url } = answer.json
        assert.equal(answer.headers.get('location'), url)
        expectParts(answer.json, {
          state: 'scheduled',
          source: 'api',
          blocked: false,
          commit: 'HEAD',
        })
        expectParts(answer.json, { cancel_reason: null, rebuilt_from: null })
        assert.equal((await ask(target, url)).json.id, id)
        assert.equal((await ask(target, `${buildsPath(target)}/${number}`)).json.id, id)
        const found = await ask(
          target,
          `${buildsPath(target)}?branch=${encodeURIComponent(branch)}`,
        )
        assert.deepEqual(idsOf(found.json), [id])
      },
    'AW-number M api: numbers increase with each build, also if many are created at once': async (
      target,
    ) => {
      const first = await made(target)
      const many = await Promise.all(Array.from({ length: 5 }, () => made(target)))
      const numbers = many.map(({ number }) => number)
      assert.equal(new Set(numbers).size, 5)
      for (const number of numbers) assert.ok(number > first.number)
    },
    'AW-fields M wire/create: message, env, meta_data, author and pull request are in every response':
      async (target) => {
        const sent = {
          message: 'Grüße, 世界 🚀',
          env: { KEY: 'value', EMPTY: '' },
          meta_data: { text: 'x', flag: true },
          author: { name: 'Jo Doe', email: 'jo@acme.example' },
        }
        const pull = {
          pull_request_id: 12,
          pull_request_base_branch: 'main',
          pull_request_labels: ['a', 'b'],
        }
        const build = await made(target, { ...sent, ...pull })
        const got = (await ask(target, build.url)).json
        const [listed] = (
          await ask(target, `${buildsPath(target)}?branch=${encodeURIComponent(build.branch)}`)
        ).json
        for (const one of [build, got, listed]) {
          expectParts(one, { message: sent.message, env: sent.env })
          assert.equal(String(one.meta_data.flag), 'true')
          assert.equal(one.meta_data.text, 'x')
          assert.equal(String(one.pull_request.id), '12')
          expectParts(one.pull_request, { base: 'main', labels: ['a', 'b'] })
        }
      },
    'AW-coerced D wire/create: env and meta_data turn numbers into texts, and a number may be sent as digits':
      async (target) => {
        const build = await made(target, {
          env: { N: 5, B: true },
          meta_data: { n: 5 },
          pull_request_id: '12',
        })
        expectParts(build, { env: { N: '5', B: 'true' }, meta_data: { n: '5' } })
        assert.equal(build.pull_request.id, '12')
      },
    'AW-meta-data M wire/filters: meta_data finds a build by key and value; several keys are AND':
      async (target) => {
        const value = randomUUID()
        const build = await made(target, { meta_data: { 'kit[1]': value, flag: false } })
        const key = encodeURIComponent('meta_data[kit[1]]')
        const find = async (query: string) =>
          idsOf((await ask(target, `${buildsPath(target)}?${key}=${value}${query}`)).json)
        assert.deepEqual(await find(''), [build.id])
        assert.deepEqual(await find('&meta_data[flag]=false'), [build.id])
        assert.deepEqual(await find('&meta_data[flag]=true'), [])
      },
    'AW-branch-text M wire/filters: a branch with commas, spaces, brackets and ampersands is one branch':
      async (target) => {
        const branch = `kit/${randomUUID()}, a;b [c]&d=e+f%20é`
        const build = await made(target, { branch })
        const found = await ask(
          target,
          `${buildsPath(target)}?branch[]=${encodeURIComponent(branch)}`,
        )
        assert.deepEqual(idsOf(found.json), [build.id])
      },
    'AW-missing M api: create without commit or branch is 422 with message and errors': async (
      target,
    ) => {
      for (const [json, fields] of [
        [{ commit: null }, ['commit']],
        [{ branch: '' }, ['branch']],
        [{ commit: '  ', branch: null }, ['commit', 'branch']],
      ] as const) {
        const answer = await create(target, json)
        expectInvalid(answer, ...fields.map((field) => ({ field, code: 'missing' })))
      }
    },
    'AW-syntax D wire/refusals: a body that is not JSON, not an object or not UTF-8 is 400, never 5xx':
      async (target) => {
        const post = (body: string) => ask(target, buildsPath(target), { method: 'POST', body })
        for (const body of ['{', '{"commit":}', "{'commit': 'x'}", '{"a":1}x']) {
          expectRefusal(await post(body), 400, 'Problems parsing JSON')
        }
        for (const body of ['[]', '"x"', 'null', '1'])
          expectRefusal(await post(body), 400, 'Body should be a JSON object')
      },
    'AW-type S wire/leniency: JSON is read under any content type': async (target) => {
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'application/json; charset=utf-8',
      ]) {
        const body = JSON.stringify({ commit: 'HEAD', branch: `conformance/${randomUUID()}` })
        const headers = { 'content-type': type }
        expectStatus(await ask(target, buildsPath(target), { method: 'POST', headers, body }), 201)
      }
    },
  }),
  ...rowsOf(['writes', 'reader'], {
    'AW-rights D wire/ground: a token without write_builds is refused before the body is read':
      async (target) => {
        const answer = await ask(target, buildsPath(target), {
          method: 'POST',
          as: 'reader',
          body: '{',
        })
        expectRefusal(answer, 403, "Your access token doesn't have the write_builds scope")
      },
  }),
]
