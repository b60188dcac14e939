import { describe, expect, test } from 'vitest'
import { takeSetContext } from '../../../cli/src/server/set-context.js'

describe('server start --set-context', () => {
  test.each([
    [['--port', '0', '--set-context', 'local', '--json'], 'local', ['--port', '0', '--json']],
    [['--set-context=local'], 'local', []],
    [['start', '--set-context', 'a.b-c', '--seed', 'empty'], 'a.b-c', ['start', '--seed', 'empty']],
    [['--seed', 'demo'], null, ['--seed', 'demo']],
    [['--', '--set-context', 'x'], null, ['--', '--set-context', 'x']],
  ])('%o', (words, name, args) => {
    expect(takeSetContext(words)).toEqual({ name, args })
  })

  test.each([
    [['--set-context']],
    [['--set-context', '--json']],
    [['--set-context=a b']],
    [['--set-context', 'a', '--set-context', 'b']],
  ])('%o is a usage error', (words) => {
    expect(() => takeSetContext(words)).toThrow()
  })
})
