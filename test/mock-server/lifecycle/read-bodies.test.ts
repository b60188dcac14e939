import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRetryStates } from '../../../mock-server/src/domain/retry.js'
import { changeLabels } from '../../../mock-server/src/domain/test-labels.js'
import { readCreateBuild } from '../../../mock-server/src/routes/build-body.js'
import { readFindTest, readLabelChange } from '../../../mock-server/src/routes/tests.js'

const lenient = { strict: false }
const read = (body: Record<string, unknown>) => readCreateBuild({ commit: 'HEAD', branch: 'main', ...body }, lenient)
const invalid = (field: string) => ({ field, code: 'invalid' })
const validation = (...errors: object[]) => ({
  ok: false,
  failure: { code: 'unprocessable', message: 'Validation Failed', errors },
})

describe('the body of create', () => {
  it('needs only commit and branch', () => {
    expect(read({})).toEqual({
      ok: true,
      value: {
        commit: 'HEAD',
        branch: 'main',
        author: null,
        clean_checkout: false,
        ignore_pipeline_branch_filters: false,
        env: {},
        message: null,
        meta_data: {},
        pull_request: null,
      },
    })
  })

  it.each([
    [undefined, 'missing'],
    [null, 'missing'],
    ['', 'missing'],
    [' \n', 'missing'],
    [7, 'invalid'],
    [{}, 'invalid'],
    [['main'], 'invalid'],
  ])('refuses commit and branch that are %j as %s', (value, code) => {
    const body = { commit: value, branch: value }
    expect(readCreateBuild(body, lenient)).toMatchObject(
      validation({ field: 'commit', code }, { field: 'branch', code }),
    )
  })

  it('keeps commit and branch as given', () => {
    expect(read({ commit: ' v1 ', branch: 'a b' })).toMatchObject({ value: { commit: ' v1 ', branch: 'a b' } })
  })

  it.each([
    ['author', { name: 'N', email: 'e@acme.example' }, { name: 'N', email: 'e@acme.example' }],
    ['author', { name: 'N' }, { name: 'N', email: '' }],
    ['author', {}, null],
    ['author', { name: ' ', email: '' }, null],
    ['author', { name: null, other: 1 }, null],
    ['author', null, null],
    ['clean_checkout', true, true],
    ['clean_checkout', 'true', true],
    ['clean_checkout', 'false', false],
    ['clean_checkout', null, false],
    ['ignore_pipeline_branch_filters', 'true', true],
    ['env', { A: 'x', B: 1, C: true, D: 1.5, E: '' }, { A: 'x', B: '1', C: 'true', D: '1.5', E: '' }],
    ['env', null, {}],
    ['message', '', ''],
    ['message', null, null],
    ['meta_data', { a: 'x', b: true, c: 7, '': undefined }, null],
    ['meta_data', { a: 'x', b: true, c: 7 }, { a: 'x', b: true, c: '7' }],
    ['pull_request_id', null, null],
    ['pull_request_id', '', null],
  ] as const)('reads %s %j as %j', (field, given, value) => {
    const decision = read({ [field]: given })
    if (field === 'meta_data' && value === null) {
      expect(decision).toMatchObject(validation(invalid('meta_data.')))
      return
    }
    const key = field === 'pull_request_id' ? 'pull_request' : field
    expect(decision).toMatchObject({ ok: true, value: { [key]: value } })
  })

  it.each([
    [{ author: 'Robin' }, 'author'],
    [{ author: [] }, 'author'],
    [{ author: { name: 1 } }, 'author.name'],
    [{ clean_checkout: 'yes' }, 'clean_checkout'],
    [{ clean_checkout: 1 }, 'clean_checkout'],
    [{ ignore_pipeline_branch_filters: 'TRUE' }, 'ignore_pipeline_branch_filters'],
    [{ env: 'A=1' }, 'env'],
    [{ env: ['A'] }, 'env'],
    [{ env: { A: null } }, 'env.A'],
    [{ env: { A: [] } }, 'env.A'],
    [{ env: { A: {} } }, 'env.A'],
    [{ message: 7 }, 'message'],
    [{ meta_data: 'x' }, 'meta_data'],
    [{ meta_data: { k: null } }, 'meta_data.k'],
    [{ meta_data: { k: ['x'] } }, 'meta_data.k'],
    [{ meta_data: { '': 'x' } }, 'meta_data.'],
    [{ pull_request_id: 0 }, 'pull_request_id'],
    [{ pull_request_id: -1 }, 'pull_request_id'],
    [{ pull_request_id: 1.5 }, 'pull_request_id'],
    [{ pull_request_id: '0' }, 'pull_request_id'],
    [{ pull_request_id: '1e3' }, 'pull_request_id'],
    [{ pull_request_id: true }, 'pull_request_id'],
    [{ pull_request_base_branch: 7 }, 'pull_request_base_branch'],
    [{ pull_request_repository: {} }, 'pull_request_repository'],
    [{ pull_request_labels: 'x' }, 'pull_request_labels'],
    [{ pull_request_labels: ['x', 1] }, 'pull_request_labels'],
  ])('refuses %j', (body, field) => {
    expect(read(body)).toMatchObject(validation(invalid(field)))
  })

  it('collects every error in the order of the table', () => {
    const decision = readCreateBuild(
      {
        pull_request_labels: 1,
        meta_data: 1,
        message: 1,
        env: { 'not ok': null },
        author: 1,
        clean_checkout: 1,
        branch: 1,
      },
      lenient,
    )
    expect(decision).toEqual(
      validation(
        { field: 'commit', code: 'missing' },
        invalid('branch'),
        invalid('author'),
        invalid('clean_checkout'),
        invalid('env.not ok'),
        invalid('message'),
        invalid('meta_data'),
        invalid('pull_request_labels'),
      ),
    )
  })

  it('refuses a bad name in env by a sentence, after all field errors', () => {
    expect(read({ env: { OK: '1', 'my-var': 'x' } })).toEqual({
      ok: false,
      failure: {
        code: 'unprocessable',
        message: '"my-var" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)',
      },
    })
    expect(read({ env: { 'my-var': 'x' }, message: 1 })).toMatchObject(validation(invalid('message')))
  })

  it.each([
    [{ pull_request_id: 7 }, { id: '7', base: null, repository: null, labels: [], draft: false }],
    [{ pull_request_id: '042' }, { id: '42', base: null, repository: null, labels: [], draft: false }],
    [{ pull_request_base_branch: 'main' }, { id: null, base: 'main', repository: null, labels: [], draft: false }],
    [{ pull_request_repository: 'r' }, { id: null, base: null, repository: 'r', labels: [], draft: false }],
    [{ pull_request_labels: ['a', 'b'] }, { id: null, base: null, repository: null, labels: ['a', 'b'], draft: false }],
    [{ pull_request_base_branch: '', pull_request_repository: '', pull_request_id: '' }, null],
  ])('makes of %j the pull request %j', (body, pull_request) => {
    expect(read(body)).toMatchObject({ ok: true, value: { pull_request } })
  })

  it('ignores a property that it does not know, unless the server is strict', () => {
    expect(read({ comit: 'x' }).ok).toBe(true)
    expect(readCreateBuild({ commit: 'x', branch: 'y', comit: 'x' }, { strict: true })).toMatchObject(
      validation({ field: 'comit', code: 'unknown' }),
    )
  })

  it('takes names such as __proto__ for data', () => {
    const decision = read(JSON.parse('{"env":{"__proto__":"x","constructor":"y"},"meta_data":{"__proto__":true}}'))
    expect(decision.ok && Object.entries(decision.value.env)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    expect(decision.ok && Object.entries(decision.value.meta_data)).toEqual([['__proto__', true]])
  })

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'commit',
            'branch',
            'author',
            'env',
            'meta_data',
            'pull_request_id',
            'pull_request_labels',
            'x',
          ),
          fc.jsonValue(),
        ),
        (body) => {
          const decision = readCreateBuild(body, { strict: true })
          if (!decision.ok) expect(decision.failure.code).toBe('unprocessable')
        },
      ),
    )
  })
})

describe('the body of retry', () => {
  const all = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out']

  it.each([
    [undefined, all],
    [null, all],
    ['', all],
    [' , ', all],
    ['failed', ['failed']],
    [' failed , timed_out,, failed', ['failed', 'timed_out', 'failed']],
  ])('reads states %j', (given, states) => {
    expect(readRetryStates(given)).toEqual({ ok: true, value: states })
  })

  it('names the states that it does not know, once each, and all that it does', () => {
    expect(readRetryStates('passed,failed,nope,passed')).toEqual({
      ok: false,
      failure: {
        code: 'bad_request',
        message: 'Invalid states: passed, nope. Valid states are canceled, expired, failed, soft_failed, timed_out.',
      },
    })
  })

  it.each([7, true, ['failed'], {}])('refuses states that are no string: %j', (given) => {
    expect(readRetryStates(given)).toMatchObject({
      failure: { code: 'bad_request', message: 'states must be a comma-separated string' },
    })
  })
})

describe('the bodies of test records', () => {
  it('find wants a scope that may be empty and a name that may not', () => {
    expect(readFindTest({ scope: '', name: 'adds', more: 1 }, lenient)).toEqual({
      ok: true,
      value: { scope: '', name: 'adds' },
    })
    expect(readFindTest({}, lenient)).toMatchObject(
      validation({ field: 'scope', code: 'missing' }, { field: 'name', code: 'missing' }),
    )
    expect(readFindTest({ scope: null, name: ' ' }, lenient)).toMatchObject(
      validation({ field: 'scope', code: 'missing' }, { field: 'name', code: 'missing' }),
    )
    expect(readFindTest({ scope: 1, name: [] }, lenient)).toMatchObject(validation(invalid('scope'), invalid('name')))
    expect(readFindTest({ scope: '', name: 'x', y: 1 }, { strict: true })).toMatchObject(
      validation({ field: 'y', code: 'unknown' }),
    )
  })

  it.each([
    [
      {},
      [
        { field: 'operator', code: 'missing' },
        { field: 'labels', code: 'missing' },
      ],
    ],
    [
      { operator: null, labels: null },
      [
        { field: 'operator', code: 'missing' },
        { field: 'labels', code: 'missing' },
      ],
    ],
    [{ operator: 'set', labels: 'x' }, [invalid('operator'), invalid('labels')]],
    [{ operator: 'add', labels: ['a', ''] }, [invalid('labels')]],
    [{ operator: 'add', labels: ['a', ' '] }, [invalid('labels')]],
    [{ operator: 'add', labels: ['a', 1] }, [invalid('labels')]],
    [{ operator: 'ADD', labels: [] }, [invalid('operator')]],
  ])('a label change refuses %j', (body, errors) => {
    expect(readLabelChange(body, lenient)).toMatchObject(validation(...errors))
  })

  it.each([
    [['a'], 'add', ['b', 'a', 'b'], ['a', 'b']],
    [['a'], 'add', [], ['a']],
    [['a', 'b'], 'remove', ['a', 'c'], ['b']],
    [['a'], 'remove', ['A'], ['a']],
    [[], 'add', ['z', 'y'], ['z', 'y']],
  ] as const)('of %j: %s %j gives %j', (current, operator, labels, expected) => {
    expect(changeLabels(current, { operator, labels })).toEqual(expected)
    expect(changeLabels(expected, { operator, labels })).toEqual(expected)
  })
})
