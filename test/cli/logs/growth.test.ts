import { describe, expect, test } from 'vitest'
import { grow, noGrowth, rest } from '../../../cli/src/logs/growth.js'
import { lastLines } from '../../../cli/src/logs/print-log.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (part: Uint8Array) => new TextDecoder().decode(part)

describe('a log that grows', () => {
  test('hands out whole lines once, and the unfinished last one at the end', () => {
    const first = grow(noGrowth, bytes('one\ntw'))
    expect(text(first.fresh)).toBe('one\n')
    const second = grow(first.growth, bytes('one\ntwo\nthr'))
    expect(text(second.fresh)).toBe('two\n')
    expect(text(rest(second.growth, bytes('one\ntwo\nthr')))).toBe('thr')
  })

  test('never splits a character or an escape', () => {
    const all = bytes('\u001b[31m修正\u001b[0m\n🎉 done\n')
    let growth = noGrowth
    let seen = ''
    for (let size = 0; size <= all.length; size++) {
      const grown = grow(growth, all.subarray(0, size))
      seen += text(grown.fresh)
      growth = grown.growth
    }
    expect(seen).toBe('\u001b[31m修正\u001b[0m\n🎉 done\n')
  })

  test('starts anew when it got shorter', () => {
    const before = grow(noGrowth, bytes('one\ntwo\n')).growth
    const grown = grow(before, bytes('new\n'))
    expect({ restarted: grown.restarted, fresh: text(grown.fresh) }).toEqual({ restarted: true, fresh: 'new\n' })
  })

  test('is asked every 2 s while it grows, up to 10 s while it does not, every 30 s when it is huge', () => {
    let { growth } = grow(noGrowth, bytes('a\n'))
    expect(growth.delayMs).toBe(2000)
    const delays = []
    for (let look = 0; look < 6; look++) {
      growth = grow(growth, bytes('a\n')).growth
      delays.push(growth.delayMs)
    }
    expect(delays).toEqual([3000, 4500, 6750, 10_000, 10_000, 10_000])
    expect(grow(growth, bytes('a\nb\n')).growth.delayMs).toBe(2000)
    expect(grow(growth, new Uint8Array(5 * 1024 * 1024 + 1)).growth.delayMs).toBe(30_000)
  })

  test.each([
    ['a\nb\nc\n', 2, 'b\nc\n'],
    ['a\nb\nc', 2, 'b\nc'],
    ['a\nb\n', 5, 'a\nb\n'],
    ['\n\n\n', 1, '\n'],
    ['a', 1, 'a'],
    ['', 3, ''],
  ])('the tail of %j by %d lines is %j', (all, count, tail) => {
    expect(text(lastLines(bytes(all), count))).toBe(tail)
  })
})
