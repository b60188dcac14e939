import { expect, test } from 'vitest'
import { checkInterval } from '../../../cli/src/watch/interval.js'

test('--interval: at least 2 s, 100 ms on this machine', () => {
  expect(checkInterval(2000, 'https://ci.example.test')).toBe(2000)
  expect(() => checkInterval(1999, 'https://ci.example.test')).toThrow('--interval must be at least 2s here')
  expect(checkInterval(100, 'http://127.0.0.1:4010')).toBe(100)
  expect(() => checkInterval(99, 'http://[::1]:4010')).toThrow('at least 0.1s')
})
