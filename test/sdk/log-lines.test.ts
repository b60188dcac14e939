import { dropEscapes, type LogEscapes, logLine, logLines } from '@buildwire/sdk/contract'
import { describe, expect, test } from 'vitest'

const ESC = '\u001b'

function texts(log: string, escapes?: LogEscapes) {
  return Array.from(logLines(log, escapes), ({ text }) => text)
}

describe('the lines of a log', () => {
  test('end at line feeds, of which the last one adds no line', () => {
    expect(texts('')).toEqual([])
    expect(texts('\n')).toEqual([''])
    expect(texts('a\n\nb')).toEqual(['a', '', 'b'])
  })

  test('have no carriage returns at their ends', () => {
    expect(texts('a\r\r\nb\r\n\r\n')).toEqual(['a', 'b', ''])
  })

  test('have the last state as text, and yield what carriage returns drew over', () => {
    const line = logLine('10%\rERROR: checksum mismatch\r\r100%\r')
    expect(line.text).toBe('100%')
    expect([...line.earlier()]).toEqual(['10%', 'ERROR: checksum mismatch'])
    expect([...logLine('done').earlier()]).toEqual([])
  })

  test('a state without text draws over nothing', () => {
    for (const escapes of ['colors', 'none'] as const) {
      const line = logLine(`${ESC}[31m50%\r${ESC}[K\r${ESC}[0m`, escapes)
      expect(dropEscapes(line.text)).toBe('50%')
      expect([...line.earlier()]).toEqual([])
    }
  })

  test('a control string without an end goes up to the end of its line', () => {
    expect(texts(`a${ESC}]0;title\nb${ESC}_bk;t=1\nc`)).toEqual(['a', 'b', 'c'])
    expect(dropEscapes(`a${ESC}]0;title\nb`)).toBe('a\nb')
  })
})

describe('escape sequences', () => {
  const log = `${ESC}_bk;t=17\u0007${ESC}[1;31mred${ESC}[0m${ESC}[2J${ESC}]0;x${ESC}\\ \u009b3Jend${ESC}c`

  test('are dropped', () => {
    expect(texts(log)).toEqual(['red end'])
  })

  test('are kept where they color text', () => {
    expect(texts(log, 'colors')).toEqual([`${ESC}[1;31mred${ESC}[0m end`])
  })
})
