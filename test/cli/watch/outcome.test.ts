import type { Build } from '@buildwire/sdk/contract'
import { expect, test } from 'vitest'
import { checkInterval } from '../../../cli/src/watch/find-build.js'
import {
  exitCodeOfBuild,
  outcomeExitCode,
  waitRules,
  worstExitCode,
} from '../../../cli/src/watch/outcome.js'
import { build, job } from './builds.js'

const finished = { finished_at: '2026-11-27T13:08:52.000Z' }

test.each([
  ['passed', { ...finished }, 0],
  ['failed', { ...finished }, 1],
  ['canceled', { ...finished }, 6],
  ['skipped', { ...finished }, 12],
  ['not_run', { ...finished }, 12],
  ['running', {}, 8],
  ['passed', { ...finished, blocked: true }, 11],
  ['failed', { ...finished, jobs: [job({ state: 'scheduled' })] }, 8],
  ['exploded', {}, 8],
  ['exploded', { ...finished }, 1],
] satisfies [string, Partial<Build>, number][])(
  'C1: a build in state %s with %o exits with %s',
  (state, fields, code) => {
    expect(exitCodeOfBuild(build({ state, ...fields }))).toBe(code)
  },
)

test('a watch exits with 1 for an unknown state, with 8 without an outcome, and with 0 under --until blocked', () => {
  expect(
    ['unknown', 'timeout', null, 'blocked'].map((outcome) => outcomeExitCode(outcome as never)),
  ).toEqual([1, 8, 8, 11])
  expect(outcomeExitCode('blocked', 'blocked')).toBe(0)
  expect(outcomeExitCode('failed', 'blocked')).toBe(1)
  expect(waitRules('blocked', true)).toEqual({ until: 'finished', onBlocked: 'stop' })
})

test('the worst of several exit codes is a failure, then an error, then any other code but 0', () => {
  const all = [0, 12, 8, 11, 6, 5, 1]
  for (let from = 0; from < all.length; from++)
    expect(worstExitCode(all.slice(0, from + 1).reverse())).toBe(all[from])
  expect(worstExitCode([])).toBe(0)
})

test('--interval is at least 2 s, or 100 ms for a server on this machine', () => {
  expect(checkInterval(2000, 'https://ci.example.test')).toBe(2000)
  expect(() => checkInterval(1999, 'https://ci.example.test')).toThrow(
    '--interval must be at least 2s here',
  )
  expect(checkInterval(100, 'http://127.0.0.1:4010')).toBe(100)
  expect(() => checkInterval(99, 'http://[::1]:4010')).toThrow('at least 0.1s')
})
