import { BUILD_STATES, JOB_STATES, stateMark } from '@buildwire/sdk/contract'
import { expect, test } from 'vitest'

test('every state of builds and jobs that people see has a kind and a mark of one cell', () => {
  const states = new Set([...BUILD_STATES, ...JOB_STATES])
  // `finished` is a filter, and no record has it.
  states.delete('finished')
  for (const state of states) {
    const { kind, mark, ascii, words } = stateMark(state)
    expect(kind, state).not.toBe('unknown')
    expect([...mark], state).toHaveLength(1)
    expect(ascii, state).toMatch(/^[ -~]$/)
    expect(words).not.toContain('_')
  }
  const kinds = new Map([...states].map((state) => [stateMark(state).kind, stateMark(state)]))
  expect(new Set([...kinds.values()].map(({ mark }) => mark)).size).toBe(kinds.size)
  expect(new Set([...kinds.values()].map(({ ascii }) => ascii)).size).toBe(kinds.size)
})

test.each([
  ['waiting_failed', 'did not run'],
  ['blocked_failed', 'did not run'],
  ['timed_out', 'timed out'],
  ['passed', 'passed'],
])('%s is called %s', (state, words) => expect(stateMark(state).words).toBe(words))

test('a state of a newer service is shown as it is', () => {
  expect(stateMark('on_fire')).toEqual({ kind: 'unknown', mark: '?', ascii: '?', words: 'on fire' })
  expect(stateMark('constructor').kind).toBe('unknown')
})
