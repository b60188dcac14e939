import { strict as assert } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { suitePath } from '../probe.js'
import {
  ask,
  type ConformanceRow,
  expectInvalid,
  expectRefusal,
  expectStatus,
  rowsOf,
  type Target,
} from '../target.js'

async function someTest(target: Target) {
  const answer = await ask(target, `${suitePath(target)}?per_page=1`)
  expectStatus(answer, 200)
  return answer.json[0]
}

/** Test records of any server for which the configuration names a suite. */
export const anyTestRows: readonly ConformanceRow[] = [
  ...rowsOf('suite', {
    'AT-list M api: the tests of a suite: a bare array of records without labels': async (
      target,
    ) => {
      const answer = await ask(target, suitePath(target))
      expectStatus(answer, 200)
      assert.ok(answer.json.length > 0, 'the suite showed a test when the kit looked')
      for (const test of answer.json) {
        for (const key of ['id', 'url', 'web_url', 'scope', 'name'])
          assert.equal(typeof test[key], 'string', key)
        assert.ok('location' in test && 'file_name' in test)
      }
      expectRefusal(
        await ask(target, `${suitePath(target)}?page=x`),
        400,
        'page must be a positive integer',
      )
    },
    'AT-get M api: a test is the same by its id, at its url, and by scope and name': async (
      target,
    ) => {
      const test = await someTest(target)
      const { scope, name } = test
      const found = await ask(target, `${suitePath(target)}/find`, {
        method: 'POST',
        json: { scope, name },
      })
      for (const answer of [
        await ask(target, `${suitePath(target)}/${test.id}`),
        await ask(target, test.url),
        found,
      ]) {
        expectStatus(answer, 200)
        assert.deepEqual(answer.json, test)
      }
    },
    'AT-find-none D wire/tests: find: no test is 404, a missing or wrong member 422, invalid JSON 400':
      async (target) => {
        const find = (asked: object) =>
          ask(target, `${suitePath(target)}/find`, { method: 'POST', ...asked })
        expectRefusal(
          await find({ json: { scope: 'no such scope', name: 'no such name' } }),
          404,
          'No test found',
        )
        const nameless = await find({ json: { scope: '' } })
        expectInvalid(nameless, { field: 'name', code: 'missing' })
        expectRefusal(await find({ body: '{' }), 400, 'Problems parsing JSON')
      },
  }),
  ...rowsOf(['suite', 'writes'], {
    'AT-labels M api: a new label is shown and finds the test; a removed label does neither':
      async (target) => {
        const test = await someTest(target)
        const label = `kit-${randomUUID()}`
        const path = `${suitePath(target)}/${test.id}/labels`
        const change = (operator: string) =>
          ask(target, path, { method: 'PATCH', json: { operator, labels: [label] } })
        const tagged = async () =>
          (await ask(target, `${suitePath(target)}?label=${label}`)).json.length
        const added = await change('add')
        expectStatus(added, 200)
        assert.equal(added.json.id, test.id)
        assert.ok(added.json.labels.includes(label))
        assert.equal(await tagged(), 1)
        assert.deepEqual((await change('add')).json.labels, added.json.labels)
        const removed = await change('remove')
        assert.ok(!removed.json.labels.includes(label))
        assert.equal(await tagged(), 0)
        assert.deepEqual((await change('remove')).json.labels, removed.json.labels)
      },
    'AT-label-list D wire/tests: labels finds the tests that have each of its labels, and none after a !':
      async (target) => {
        const test = await someTest(target)
        const [one, other] = [`kit-${randomUUID()}`, `kit-${randomUUID()}`]
        const change = (operator: string) =>
          ask(target, `${suitePath(target)}/${test.id}/labels`, {
            method: 'PATCH',
            json: { operator, labels: [one] },
          })
        const isFound = async (labels: string) => {
          const query = `per_page=100&labels=${encodeURIComponent(labels)}`
          const { json } = await ask(target, `${suitePath(target)}?${query}`)
          return json.some(({ id }: { id: string }) => id === test.id)
        }
        await change('add')
        assert.deepEqual(
          [await isFound(one), await isFound(`${one},!${other}`), await isFound(`!${other}`)],
          [true, true, true],
        )
        assert.deepEqual(
          [await isFound(`${one},${other}`), await isFound(`!${one}`)],
          [false, false],
        )
        await change('remove')
        assert.deepEqual([await isFound(one), await isFound(`!${one}`)], [false, true])
      },
    'AT-labels-bad D wire/tests: a bad label change is 422 and changes nothing': async (target) => {
      const test = await someTest(target)
      const change = (json: object) =>
        ask(target, `${suitePath(target)}/${test.id}/labels`, { method: 'PATCH', json })
      const before = (await change({ operator: 'add', labels: [] })).json.labels
      for (const json of [
        {},
        { operator: 'replace', labels: ['x'] },
        { operator: 'add', labels: ['x', ''] },
      ]) {
        expectRefusal(await change(json), 422, 'Validation Failed')
      }
      assert.deepEqual((await change({ operator: 'add', labels: [] })).json.labels, before)
    },
  }),
]
