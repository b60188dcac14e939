import type { LogStream } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanLine as clean, cleanLines, type LogLooks } from '../../../cli/src/logs/escapes.js'
import { inOrder } from '../../../cli/src/logs/in-order.js'
import { LineBuffer } from '../../../cli/src/logs/line-buffer.js'
import { logFrom, logTail, type OpenLog } from '../../../cli/src/logs/read-log.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (part: Uint8Array) => new TextDecoder().decode(part)
const textOf = async (parts: AsyncIterable<Uint8Array>) => {
  const all = []
  for await (const part of parts) all.push(part.slice())
  return text(Buffer.concat(all))
}

/** A log that is sent in parts of 1 000 bytes, and the requested parts. */
function served(log: Uint8Array, ranges: boolean) {
  const requests: object[] = []
  let sent = 0
  const open: OpenLog = async (part) => {
    requests.push(part)
    const { from = 0, last } = part
    const offset = last === undefined ? Math.min(from, log.length) : Math.max(0, log.length - last)
    async function* body() {
      for (let at = offset; at < log.length; at += 1000) {
        const piece = log.subarray(at, at + 1000)
        sent += piece.length
        yield piece
      }
    }
    const stream = {
      size: log.length,
      offset,
      partial: ranges,
      cancel: () => {},
      [Symbol.asyncIterator]: body,
    }
    return stream as unknown as LogStream
  }
  return { open, requests, sent: () => sent }
}

describe('a line buffer', () => {
  test('returns every line once and whole, however the bytes are cut', () => {
    const all = bytes('\u001b[31m修正\u001b[0m\n🎉 done\nthr')
    for (let size = 1; size <= all.length; size++) {
      const buffer = new LineBuffer()
      let seen = ''
      for (let at = 0; at < all.length; at += size)
        seen += text(Buffer.concat(buffer.add(all.subarray(at, at + size))))
      expect(seen).toBe('\u001b[31m修正\u001b[0m\n🎉 done\n')
      expect(text(buffer.rest())).toBe('thr')
    }
  })

  test('returns a very long line in pieces, cut after a carriage return or a whole character', () => {
    const buffer = new LineBuffer()
    let seen = ''
    for (let at = 0; at < 40; at++)
      seen += text(Buffer.concat(buffer.add(bytes('€'.repeat(33_333)))))
    seen += text(buffer.rest())
    expect(seen).toBe('€'.repeat(40 * 33_333))
    const bar = Buffer.concat(buffer.add(bytes(`${'x'.repeat(2_000_000)}\r100%`)))
    expect([bar.length, text(buffer.rest())]).toEqual([2_000_001, '100%'])
  })
})

describe('the tail of a log', () => {
  test.each([
    ['a\nb\nc\n', 2, 'b\nc\n'],
    ['a\nb\nc', 2, 'b\nc'],
    ['a\nb\n', 5, 'a\nb\n'],
    ['\n\n\n', 1, '\n'],
    ['a', 1, 'a'],
    ['', 3, ''],
  ])('of %j by %d lines is %j', async (all, count, tail) => {
    expect(await textOf(await logTail(served(bytes(all), true).open, count))).toBe(tail)
  })

  const lines = Array.from({ length: 300_000 }, (_, at) => `line ${at}`)
  const log = bytes(lines.join('\n'))

  test.each([1, 5_000, 100_000, 299_999, 300_000, 400_000])(
    'of %d lines is right, with ranges and without',
    async (count) => {
      const expected = lines.slice(-count).join('\n')
      for (const ranges of [true, false]) {
        const tail = await logTail(served(log, ranges).open, count)
        expect(tail.offset).toBe(log.length - expected.length)
        expect((await textOf(tail)) === expected).toBe(true)
      }
    },
  )

  test('requests no more than it needs', async () => {
    const { open, requests } = served(log, true)
    await logTail(open, 10)
    expect(requests).toEqual([{ last: 65_536 }])
  })
})

describe('reading ahead', () => {
  test('starts eight logs beside the one in use, holds half a mebibyte of each, and keeps their order', async () => {
    const logs = Array.from({ length: 30 }, (_, at) =>
      served(new Uint8Array(1_000_000).fill(97 + (at % 26)), true),
    )
    let begun = 0
    let used = 0
    const reading = inOrder(logs, (log, at) => {
      begun += 1
      return logFrom(log.open, 0, at === 0 ? 'now' : 'later')
    })
    for await (const [log, part] of reading) {
      expect(begun).toBe(Math.min(30, used + 9))
      expect(log.sent()).toBeLessThan(600_000)
      used += 1
      expect(await textOf(part)).toBe(
        String.fromCharCode(96 + (used > 26 ? used - 26 : used)).repeat(1_000_000),
      )
    }
    expect(used).toBe(30)
  })
})

const ESC = '\u001b'
const cleanLine = (line: string, looks: LogLooks) => String(clean(line, looks))

describe('a line of a log', () => {
  test('keeps its colours on a terminal, and no other escapes', () => {
    const line = `${ESC}[31mred${ESC}[0m ${ESC}[2J${ESC}]0;title\u0007${ESC}[10;10H${ESC}cdone`
    expect(cleanLine(line, 'colored')).toBe(`${ESC}[31mred${ESC}[0m done${ESC}[0m`)
    expect(cleanLine(line, 'uncolored')).toBe('red done')
    expect(cleanLine(line, 'piped')).toBe('red done')
  })

  test('loses the time marks of agents', () => {
    expect(cleanLine(`${ESC}_bk;t=1700000000000\u0007$ make`, 'piped')).toBe('$ make')
    expect(cleanLine(`${ESC}_bk;t=1${ESC}\\$ make`, 'colored')).toBe('$ make')
  })

  test('an error that a progress bar drew over is a line of its own', () => {
    const log = 'a\n1%\rERROR: checksum mismatch\r2%\r100%\nb\n'
    const lines = ['a', 'ERROR: checksum mismatch', '100%', 'b']
    expect(cleanLines(log, 'piped').map(String)).toEqual(lines)
    expect(cleanLines(log, 'uncolored').map(String)).toEqual(lines)
  })

  test('keeps only the last state of a line that overwrote itself', () => {
    expect(cleanLine('10%\r50%\r100%', 'colored')).toBe('100%')
    expect(cleanLine('10%\r50%\r100%\r\r', 'piped')).toBe('100%')
  })

  test('CR CR LF is one line end', () => {
    expect(cleanLines('a\r\r\nb\r\nc\n', 'piped').map(String)).toEqual(['a', 'b', 'c'])
    expect(cleanLines('', 'piped')).toEqual([])
    expect(cleanLines('\n', 'piped').map(String)).toEqual([''])
  })

  test('keeps text without escapes unchanged', () => {
    expect(cleanLine('修正 ✓ 🎉\tend', 'colored')).toBe('修正 ✓ 🎉\tend')
    expect(cleanLine('修正 ✓ 🎉\tend', 'piped')).toBe('修正 ✓ 🎉\tend')
  })

  test('of any bytes only colours reach a terminal, and no escapes a pipe', () => {
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
          expect(text).not.toMatch(
            /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u,
          )
        }
      }),
    )
  })
})
