import { strict as assert } from 'node:assert'
import {
  ask,
  type ConformanceRow,
  expectInvalid,
  expectRefusal,
  expectStatus,
  row,
  rowsOf,
} from '../target.js'
import { idsOf } from './any-build.js'

const tests = '/v2/analytics/organizations/acme/suites/web-unit/tests'
const invalid = (field: string) => ({ field, code: 'invalid' })
const missing = (field: string) => ({ field, code: 'missing' })

const badFinds: readonly (readonly [body: object, ...errors: object[]])[] = [
  [{}, missing('scope'), missing('name')],
  [{ scope: null, name: '' }, missing('scope'), missing('name')],
  [{ scope: '', name: '  ' }, missing('name')],
  [{ scope: 1, name: true }, invalid('scope'), invalid('name')],
]

const badChanges: readonly (readonly [body: object, ...errors: object[]])[] = [
  [{}, missing('operator'), missing('labels')],
  [{ operator: 'set', labels: 'x' }, invalid('operator'), invalid('labels')],
  [{ operator: 'ADD', labels: [] }, invalid('operator')],
  [{ operator: 'add', labels: ['a', ' '] }, invalid('labels')],
  [{ operator: 'remove', labels: ['a', 1] }, invalid('labels')],
]

const findRows: readonly ConformanceRow[] = badFinds.map(([json, ...errors], at) =>
  row('seed', `TF${at + 1} D wire/tests: find refuses ${JSON.stringify(json)}`, async (target) => {
    const answer = await ask(target, `${tests}/find`, { method: 'POST', json })
    expectInvalid(answer, ...errors)
  }),
)

const labelRows: readonly ConformanceRow[] = badChanges.map(([json, ...errors], at) =>
  row(
    'seed',
    `TL${at + 1} D wire/tests: a label change refuses ${JSON.stringify(json)}`,
    async (target) => {
      const [test] = (await ask(target, tests)).json
      const answer = await ask(target, `${tests}/${test.id}/labels`, { method: 'PATCH', json })
      expectInvalid(answer, ...errors)
    },
  ),
)

export const testWriteRows: readonly ConformanceRow[] = [
  ...findRows,
  ...labelRows,
  ...rowsOf('seed', {
    'TF5 M wire/tests: find matches scope and name exactly, and needs only read_suites': async (
      target,
    ) => {
      const find = (scope: string, name: string, as = 'admin') =>
        ask(target, `${tests}/find`, { method: 'POST', json: { scope, name }, as })
      const found = await find('Cart', 'adds')
      expectStatus(found, 200)
      assert.ok(!('labels' in found.json))
      for (const [scope, name] of [
        ['cart', 'adds'],
        ['Cart', 'Adds'],
        ['', 'adds'],
        ['Cart ', 'adds'],
      ] as const) {
        expectRefusal(await find(scope, name), 404, 'No test found')
      }
      expectRefusal(
        await find('Cart', 'adds', 'bare'),
        403,
        "Your access token doesn't have the read_suites scope",
      )
    },
    'TL6 M wire/tests: label changes keep order, match exactly, and may be repeated': async (
      target,
    ) => {
      const found = await ask(target, `${tests}/find`, {
        method: 'POST',
        json: { scope: 'Cart', name: 'removes' },
      })
      const change = async (operator: string, labels: readonly string[]) => {
        const path = `${tests}/${String(found.json.id).toUpperCase()}/labels`
        const answer = await ask(target, path, { method: 'PATCH', json: { operator, labels } })
        expectStatus(answer, 200)
        return answer.json.labels
      }
      assert.deepEqual(await change('add', ['z', 'own', 'z']), ['slow', 'z', 'own'])
      assert.deepEqual(await change('add', ['z', 'own', 'z']), ['slow', 'z', 'own'])
      assert.deepEqual(await change('remove', ['Slow', 'z']), ['slow', 'own'])
      assert.deepEqual(await change('remove', ['Slow', 'z']), ['slow', 'own'])
      const listed = (await ask(target, `${tests}?label=own`)).json
      assert.deepEqual(idsOf(listed), [found.json.id])
      assert.deepEqual(await change('remove', ['own']), ['slow'])
    },
  }),
]
