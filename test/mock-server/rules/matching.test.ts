import { describe, expect, it } from 'vitest'
import { seededIds } from '../../../mock-server/src/base/ids.js'
import { firstDifference, type MatchableRequest } from '../../../mock-server/src/rules/match.js'
import type { Rule } from '../../../mock-server/src/rules/rule.js'
import { createRules } from '../../../mock-server/src/rules/rules.js'

const subject: MatchableRequest = {
  operation: 'builds.cancel',
  method: 'PUT',
  path: '/v2/organizations/acme/pipelines/web/builds/7/cancel',
  query: [
    ['state[]', 'failed'],
    ['state[]', 'passed'],
    ['page', '2'],
  ],
  headers: [['x-mode', 'fast']],
  json: { cancel_reason: 'No longer needed', meta: { 'a.b': 1, deep: [{ ok: true }] } },
  form: [['client_id', 'laptop']],
  org_slug: 'acme',
  pipeline_slug: 'web',
  number: 7,
}

describe('a match', () => {
  it.each<[string, Rule['match'], string | null]>([
    ['nothing asked', {}, null],
    ['operation', { operation: 'builds.cancel' }, null],
    ['another operation', { operation: 'builds.list' }, 'operation'],
    ['method', { method: 'GET' }, 'method'],
    ['path glob', { path: '/v2/*/builds/*/cancel' }, null],
    ['path glob is anchored', { path: '/v2/*/builds' }, 'path'],
    ['any of repeated parameters', { query: { 'state[]': 'passed' } }, null],
    ['numbers by their text', { query: { page: 2 } }, null],
    ['absence', { query: { per_page: { present: false } } }, null],
    ['presence', { query: { per_page: { present: true } } }, 'query.per_page'],
    ['header names in any case', { headers: { 'X-Mode': { contains: 'fas' } } }, null],
    ['dotted JSON path', { json: { 'meta.deep.0.ok': true } }, null],
    ['a key with a dot in it', { json: { 'meta.a.b': 1 } }, null],
    ['JSON types matter', { json: { 'meta.deep.0.ok': 'true' } }, 'json.meta.deep.0.ok'],
    ['JSON glob', { json: { cancel_reason: { glob: 'No*' } } }, null],
    ['form', { form: { client_id: 'kiosk' } }, 'form.client_id'],
    ['path parameters', { org_slug: 'acme', pipeline_slug: 'web', number: 7 }, null],
    ['names such as __proto__', { json: { '__proto__.polluted': { present: false } } }, null],
  ])('%s', (_, match, difference) => {
    expect(firstDifference(match ?? {}, subject)?.path ?? null).toBe(difference)
  })

  it('takes linear time for hostile globs', () => {
    const path = `/${'a'.repeat(8000)}`
    const startedAt = performance.now()
    expect(firstDifference({ path: `${'*a'.repeat(400)}*b` }, { ...subject, path })).not.toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(200)
  })
})

describe('picking a rule', () => {
  const rulesOf = (...rules: Rule[]) => createRules(seededIds(1), rules)
  const delay = { delayMs: 0 } as const

  it('asks by priority, then by age; one rule per request', () => {
    const rules = rulesOf(
      { id: 'old', actions: [delay] },
      { id: 'high', priority: 5, actions: [delay] },
      { id: 'new', actions: [delay] },
    )
    expect(rules.take(subject)?.id).toBe('high')
    rules.delete('high')
    expect(rules.take(subject)?.id).toBe('old')
    expect(rules.get('new')).toMatchObject({ matched: 0, applied: 0 })
  })

  it('lets pass by skip, ends by times, and then asks the next rule', () => {
    const rules = rulesOf(
      { id: 'a', skip: 1, times: 2, actions: [delay] },
      { id: 'b', actions: [delay] },
    )
    expect([1, 2, 3, 4].map(() => rules.take(subject)?.id)).toEqual(['b', 'a', 'a', 'b'])
    expect(rules.get('a')).toMatchObject({ matched: 3, applied: 2, left: 0 })
    expect(rules.unused()).toEqual([])
  })

  it('moves state variables in the same turn', () => {
    const rules = rulesOf(
      // biome-ignore lint/suspicious/noThenProperty: the rule's own word; a map of texts is no thenable
      { id: 'first', when: { step: '' }, then: { step: 'two' }, actions: [delay] },
      { id: 'second', when: { step: 'two' }, actions: [delay] },
    )
    expect([rules.take(subject)?.id, rules.take(subject)?.id, rules.take(subject)?.id]).toEqual([
      'first',
      'second',
      'second',
    ])
  })

  it('rolls the same dice for the same random seed and rule, whatever else is drawn', () => {
    const roll = (before: number) => {
      const rules = rulesOf(
        { id: 'noise', match: { method: 'GET' }, probability: 0.5, actions: [delay] },
        { id: 'dice', match: { method: 'PUT' }, probability: 0.5, actions: [delay] },
      )
      for (let n = 0; n < before; n++) rules.take({ ...subject, method: 'GET' })
      return Array.from({ length: 200 }, () => rules.take(subject) !== null)
    }
    expect(roll(0)).toEqual(roll(17))
    const share = roll(0).filter(Boolean).length
    expect(share).toBeGreaterThan(70)
    expect(share).toBeLessThan(130)
  })

  it('puts counters and variables back from a snapshot', () => {
    // biome-ignore lint/suspicious/noThenProperty: the rule's own word; a map of texts is no thenable
    const rules = rulesOf({ id: 'a', times: 3, then: { x: '1' }, actions: [delay] })
    rules.take(subject)
    const other = rulesOf()
    other.restore(JSON.parse(JSON.stringify(rules.snapshot())))
    expect(other.get('a')).toMatchObject({ matched: 1, applied: 1, left: 2 })
    expect(other.snapshot().variables).toEqual({ x: '1' })
  })
})
