import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeLabels, labelsMatcher } from '../../../mock-server/src/domain/test-labels.js'
import { readCreateBuild } from '../../../mock-server/src/routes/builds/create-body.js'

const lenient = { strict: false }
const read = (body: Record<string, unknown>) =>
  readCreateBuild({ commit: 'HEAD', branch: 'main', ...body }, lenient)
const invalid = (field: string) => ({ field, code: 'invalid' })
const validation = (...errors: object[]) => ({
  ok: false,
  failure: { code: 'unprocessable', message: 'Validation Failed', errors },
})
const pull = { id: null, base: null, repository: null, labels: [], draft: false }

// What is usual, read and refused, are rows of the conformance suite.
describe('the body of create', () => {
  it.each([
    [
      { commit: ' v1 ', branch: 'a b' },
      { commit: ' v1 ', branch: 'a b' },
    ],
    [{ author: { name: 'N' } }, { author: { name: 'N', email: '' } }],
    [{ author: { name: ' ', email: '' } }, { author: null }],
    [{ author: { name: null, other: 1 } }, { author: null }],
    [{ pull_request_id: '042' }, { pull_request: { ...pull, id: '42' } }],
    [{ pull_request_repository: 'r' }, { pull_request: { ...pull, repository: 'r' } }],
    [{ pull_request_labels: ['a', 'b'] }, { pull_request: { ...pull, labels: ['a', 'b'] } }],
  ])('reads of %j: %j', (body, value) => {
    expect(read(body)).toMatchObject({ ok: true, value })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ author: [] }, 'author'],
    [{ author: { name: 1 } }, 'author.name'],
    [{ clean_checkout: 1 }, 'clean_checkout'],
    [{ ignore_pipeline_branch_filters: 'TRUE' }, 'ignore_pipeline_branch_filters'],
    [{ env: 'A=1' }, 'env'],
    ...[-1, 1.5, '0', '1e3', true].map((pull_request_id): [Record<string, unknown>, string] => [
      { pull_request_id },
      'pull_request_id',
    ]),
    [{ pull_request_labels: 'x' }, 'pull_request_labels'],
  ])('refuses %j', (body, field) => {
    expect(read(body)).toMatchObject(validation(invalid(field)))
  })

  it('collects every error in the order of the table, before a bad name in env is refused by its sentence', () => {
    const body = {
      pull_request_labels: 1,
      meta_data: 1,
      message: 1,
      author: 1,
      clean_checkout: 1,
      branch: 1,
    }
    expect(readCreateBuild({ ...body, env: { 'not ok': null } }, lenient)).toEqual(
      validation(
        { field: 'commit', code: 'missing' },
        ...[
          'branch',
          'author',
          'clean_checkout',
          'env.not ok',
          'message',
          'meta_data',
          'pull_request_labels',
        ].map(invalid),
      ),
    )
    expect(read({ env: { 'my-var': 'x' }, message: 1 })).toMatchObject(
      validation(invalid('message')),
    )
  })

  it('treats names such as __proto__ as data', () => {
    const decision = read(
      JSON.parse('{"env":{"__proto__":"x","constructor":"y"},"meta_data":{"__proto__":true}}'),
    )
    expect(
      decision.ok && [Object.entries(decision.value.env), Object.entries(decision.value.meta_data)],
    ).toEqual([
      [
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ],
      [['__proto__', true]],
    ])
  })

  it('never throws for any body', () => {
    const names = [
      'commit',
      'branch',
      'author',
      'env',
      'meta_data',
      'pull_request_id',
      'pull_request_labels',
      'x',
    ]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (body) => {
        const decision = readCreateBuild(body, { strict: true })
        if (!decision.ok) expect(decision.failure.code).toBe('unprocessable')
      }),
    )
  })
})

it.each([
  [['a'], 'add', ['b', 'a', 'b'], ['a', 'b']],
  [['a'], 'add', [], ['a']],
  [['a', 'b'], 'remove', ['a', 'c'], ['b']],
  [['a'], 'remove', ['A'], ['a']],
  [[], 'add', ['z', 'y'], ['z', 'y']],
] as const)(
  'of the labels %j: %s %j gives %j, twice too',
  (current, operator, labels, expected) => {
    expect(changeLabels(current, { operator, labels })).toEqual(expected)
    expect(changeLabels(expected, { operator, labels })).toEqual(expected)
  },
)

it.each([
  ['a', ['a', 'b'], true],
  ['a,b', ['a', 'b'], true],
  [' b , a ', ['a', 'b'], true],
  ['a,c', ['a', 'b'], false],
  ['A', ['a'], false],
  ['!c', ['a'], true],
  ['!a', ['a'], false],
  ['a,! b', ['a', 'b'], false],
  [',', [], true],
] as const)('the list %j matches the labels %j: %j', (list, labels, matches) => {
  expect(labelsMatcher(list)(labels)).toBe(matches)
})
