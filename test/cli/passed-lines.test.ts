import { expect, it } from 'vitest'
import { foldPassed } from '../../cli/src/views/passed-lines.js'

const passed = (count: number) => Array.from({ length: count }, (_, at) => `  ✓ case ${at} (3 ms)`)

it('shows how many tests passed in place of a long run, and the last ones', () => {
  const lines = ['$ npm test', ...passed(30), '  ✗ adds', 'Exited with status 1']
  expect(foldPassed(lines)).toEqual([
    '$ npm test',
    28,
    '  ✓ case 28 (3 ms)',
    '  ✓ case 29 (3 ms)',
    '  ✗ adds',
    'Exited with status 1',
  ])
})

it('shows short runs, and lines that only mention that something passed', () => {
  const lines = [...passed(7), '✗ adds', ...passed(7), 'ok, that failed', 'not ok 3 - adds']
  expect(foldPassed(lines)).toEqual(lines)
})

it('folds a run at the end, and what Go and TAP print', () => {
  expect(foldPassed(passed(8))).toEqual([6, '  ✓ case 6 (3 ms)', '  ✓ case 7 (3 ms)'])
  const tap = Array.from({ length: 9 }, (_, at) => `ok ${at + 1} - case`)
  expect(foldPassed(tap)[0]).toBe(7)
  const go = Array.from({ length: 9 }, (_, at) => `--- PASS: Case${at} (0.00s)`)
  expect(foldPassed(go)[0]).toBe(7)
})
