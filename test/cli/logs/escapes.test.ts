import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanLine as clean, type LogLooks, logLines } from '../../../cli/src/logs/escapes.js'

const ESC = '\u001b'
const cleanLine = (line: string, looks: LogLooks) => String(clean(line, looks))

describe('a line of a log', () => {
  test('keeps its colours on a terminal, and nothing else that steers one', () => {
    const line = `${ESC}[31mred${ESC}[0m ${ESC}[2J${ESC}]0;title\u0007${ESC}[10;10H${ESC}cdone`
    expect(cleanLine(line, 'colored')).toBe(`${ESC}[31mred${ESC}[0m done${ESC}[0m`)
    expect(cleanLine(line, 'uncolored')).toBe('red done')
    expect(cleanLine(line, 'piped')).toBe('red done')
  })

  test('loses the time marks of agents', () => {
    expect(cleanLine(`${ESC}_bk;t=1700000000000\u0007$ make`, 'piped')).toBe('$ make')
    expect(cleanLine(`${ESC}_bk;t=1${ESC}\\$ make`, 'colored')).toBe('$ make')
  })

  test('of a line that overwrote itself the last state stays', () => {
    expect(cleanLine('10%\r50%\r100%', 'colored')).toBe('100%')
    expect(cleanLine('10%\r50%\r100%\r\r', 'piped')).toBe('100%')
  })

  test('CR CR LF is one line end', () => {
    expect(logLines('a\r\r\nb\r\nc\n').map((line) => cleanLine(line, 'piped'))).toEqual(['a', 'b', 'c'])
    expect(logLines('')).toEqual([])
    expect(logLines('\n')).toEqual([''])
  })

  test('text without escapes stays as it is', () => {
    expect(cleanLine('修正 ✓ 🎉\tend', 'colored')).toBe('修正 ✓ 🎉\tend')
    expect(cleanLine('修正 ✓ 🎉\tend', 'piped')).toBe('修正 ✓ 🎉\tend')
  })

  test('whatever the bytes, nothing but colours reaches a terminal, and nothing at all a pipe', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        `${ESC}[31m`,
        `${ESC}[2J`,
        `${ESC}]8;;http://x\u0007`,
        `${ESC}_x`,
        `${ESC}P1$r`,
        '\u009b3J',
        '\r',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join('').replaceAll('\n', '')
        const colored = cleanLine(line, 'colored').replace(/\u001b\[[0-9;:]*m/gu, '')
        for (const text of [colored, cleanLine(line, 'uncolored'), cleanLine(line, 'piped')]) {
          expect(text).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
    )
  })
})
