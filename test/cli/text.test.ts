import { execFileSync } from 'node:child_process'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { hasColor } from '../../cli/src/io/color.js'
import type { usageError } from '../../cli/src/io/command-error.js'
import { emojify } from '../../cli/src/io/emoji.js'
import { safeUrl } from '../../cli/src/io/hyperlink.js'
import type { OutputStream } from '../../cli/src/io/io.js'
import { dropControls, jsonLine, tsvLine } from '../../cli/src/io/machine.js'
import type { Notes } from '../../cli/src/io/notes.js'
import { commandLine, type Printable, say } from '../../cli/src/io/printable.js'
import { createRedactor, maskBody } from '../../cli/src/io/redact.js'
import { age, duration, jobDuration, moment } from '../../cli/src/io/time.js'
import { cells, shorten, wrap } from '../../cli/src/io/width.js'
import type { Printer } from '../../cli/src/views/print.js'

const HOSTILE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

describe('text of a server', () => {
  const text = fc.string({ unit: 'binary' })

  it('cannot steer a terminal', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(String(say`${value}`)).not.toMatch(HOSTILE)
      }),
    )
    expect(String(say`${say`${'a\u001b[2Jb'}`}${'\u202ec'}\n`)).toBe('a\ufffd[2Jb\ufffdc\n')
  })

  it('does not compile as it is where people read', () => {
    type Taken =
      | Parameters<OutputStream['write']>
      | Parameters<Notes['note']>
      | Parameters<typeof usageError>
    expectTypeOf<[string]>().not.toExtend<Taken>()
    expectTypeOf<[Printable]>().toExtend<Taken>()
    expectTypeOf<string[]>().not.toExtend<Parameters<Printer['lines']>[0]>()
    expectTypeOf<{ toString(): string }>().not.toExtend<Printable>()
  })

  it('is one word of a command line, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(text, fc.constantFrom('$(x)', '`x`', "'", '-p', 'acme/web#1', '#', '~', '!!')),
          {
            maxLength: 4,
          },
        ),
        (words) => {
          const line = String(commandLine(['builds', ...words]))
          const read = execFileSync('sh', ['-c', `set -- ${line}; printf '%s\\0' "$@"`], {
            encoding: 'utf8',
          })
          expect(read.split('\0').slice(2, -1)).toEqual(words.map((word) => String(say`${word}`)))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('stays one line and loses its controls in tab-separated output', () => {
    expect(tsvLine(['a\tb', 'c\nd\re', 'f\\g', null, true, 'x\u0007\u202ey'])).toBe(
      'a\\tb\tc\\nd\\re\tf\\\\g\t\ttrue\txy\n',
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (values) => {
        const line = tsvLine(values)
        expect(line.slice(0, -1).split('\t')).toHaveLength(values.length)
        expect(dropControls(line)).toBe(line)
      }),
    )
  })

  it('survives JSON unchanged, without a raw control character', () => {
    fc.assert(
      fc.property(text, (value) => {
        const line = jsonLine({ value })
        expect(JSON.parse(line).value).toBe(value)
        expect(line.slice(0, -1)).not.toMatch(HOSTILE)
      }),
    )
  })

  it('becomes a link only as http or https, written anew, without a user', () => {
    expect(safeUrl('https://ci.example.test/a b\u001b]8;;x')).not.toContain('\u001b')
    expect(safeUrl('javascript:alert(1)')).toBeNull()
    expect(safeUrl('https://user:secret@ci.example.test/')).toBeNull()
    expect(safeUrl(null)).toBeNull()
  })
})

describe('width', () => {
  it('counts graphemes and never cuts one in two', () => {
    expect(cells('修正')).toBe(4)
    expect(cells('👩‍👩‍👧‍👦')).toBe(2)
    expect(String(shorten(say`修正ログイン`, 7))).toBe('修正ロ…')
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 0, max: 40 }),
        (value, width) => {
          expect(cells(shorten(say`${value}`, width))).toBeLessThanOrEqual(Math.max(width, 0))
        },
      ),
    )
  })

  it('wraps at blanks', () => {
    expect(wrap(say`one two three`, 8).map(String)).toEqual(['one two', 'three'])
    expect(wrap(say`PUT /v2/a/long/path: no`, 12, null).map(String)).toEqual([
      'PUT /v2/a/long/path:',
      'no',
    ])
  })

  it('of a long text is measured only as far as a caller needs', () => {
    const long = '👩‍🚀'.repeat(10_000)
    expect(cells(long)).toBe(20_000)
    const counted = cells(long, 80)
    expect(counted).toBeGreaterThan(80)
    expect(counted).toBeLessThan(1_000)
    expect(String(shorten(say`${long}`, 5))).toBe('👩‍🚀👩‍🚀…')
  })
})

describe('time', () => {
  const now = Date.parse('2026-11-27T14:28:11Z')

  it.each([1e20, -1e20, 8.64e15 + 1])(
    'has words for %d ms, which no calendar reaches',
    (instant) => {
      for (const utc of [true, false])
        expect(moment(instant, utc)).toMatch(/^[+-]\d{6}-\d\d-\d\d \d\d:\d\d:\d\d/u)
    },
  )

  it('tells ages in English words and local time', () => {
    expect(age(now - 8_000, now, true)).toBe('8s ago')
    expect(age(now - 26 * 60_000, now, true)).toBe('26m ago')
    expect(age(now - 119 * 60_000, now, true)).toBe('119m ago')
    expect(age(now - 2 * 3_600_000, now, true)).toBe('2h ago')
    expect(age(now - 30 * 3_600_000, now, true)).toBe('Thu 08:28')
    expect(age(Date.parse('2026-10-26T10:00:00Z'), now, true)).toBe('2026-10-26')
    expect(age(now + 5_000, now, true)).toBe('0s ago')
  })

  it('measures differences of instants', () => {
    const told = [0, 48_000, 363_000, 3_900_000, 100_800_000].map(duration)
    expect(told).toEqual(['0s', '48s', '6m 03s', '1h 05m', '1d 04h'])
    expect(jobDuration(48_000)).toBe('0m 48s')
  })
})

describe('colour (C12)', () => {
  const decide = (
    env: Record<string, string>,
    isTTY: boolean,
    flag?: 'auto' | 'always' | 'never',
  ) => hasColor({ env, isTTY, flag })

  it.each([
    [{}, undefined, true, false],
    [{ NO_COLOR: '1' }, undefined, false, false],
    [{ NO_COLOR: '' }, undefined, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, undefined, false, false],
    [{ FORCE_COLOR: '1' }, undefined, true, true],
    [{ FORCE_COLOR: '0' }, undefined, false, false],
    [{ CLICOLOR_FORCE: '1' }, undefined, true, true],
    [{ CLICOLOR_FORCE: '0' }, undefined, true, false],
    [{ CLICOLOR: '0' }, undefined, false, false],
    [{ TERM: 'dumb' }, undefined, false, false],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, undefined, true, true],
    [{ NO_COLOR: '1' }, 'always', true, true],
    [{ FORCE_COLOR: '1' }, 'never', false, false],
    [{ CLICOLOR: '0' }, 'auto', false, false],
  ] as const)(
    '%j with --color %s: %s on a terminal, %s in a pipe',
    (env, flag, onTerminal, inPipe) => {
      expect([decide(env, true, flag), decide(env, false, flag)]).toEqual([onTerminal, inPipe])
    },
  )
})

describe('--no-color and --color', () => {
  it('count for errors and help too, wherever they stand', async () => {
    const { runCli } = await import('./support/run-cli.js')
    const options = { columns: 80 }
    for (const line of [
      'builds lst',
      'builds list',
      '--help',
      'builds list --help',
      'help builds',
    ]) {
      const argv = line.split(' ')
      const coloured = await runCli(argv, options)
      expect(coloured.stdout + coloured.stderr).toContain('\u001b[')
      for (const off of [['--no-color'], ['--color=never'], ['--color', 'never']]) {
        const { stdout, stderr } = await runCli([...off, ...argv], options)
        expect(stdout + stderr).not.toContain('\u001b')
      }
    }
    const { stderr } = await runCli(['builds', 'list', '--color', 'always'])
    expect(stderr).toContain('\u001b[31mError:')
  })
})

describe('text from right to left in a row', () => {
  it('is isolated, whole and cut, and takes the cells that it took', () => {
    const text = say`${'שלום עולם'}`
    expect(String(shorten(text, 20))).toBe('\u2068שלום עולם\u2069')
    expect(String(shorten(text, 5))).toBe('\u2068שלום…\u2069')
    expect(cells(shorten(text, 5))).toBe(5)
    expect(String(shorten(say`${'hello'}`, 20))).toBe('hello')
  })
})

describe('emoji names', () => {
  it('become characters when they are known, and only where more than ASCII may be written', () => {
    expect(emojify(':hammer: Unit :+1:', false)).toBe('🔨 Unit 👍')
    expect(emojify(':hammer:', true)).toBe(':hammer:')
  })

  it.each([
    [':vitest: Unit tests 3/8', 'Unit tests 3/8'],
    ['Unit :eslint: :constructor: here', 'Unit eslint constructor here'],
    [':vitest:', 'vitest'],
    ['at 10:30:15, lib::row::b and d:e-f:g', 'at 10:30:15, lib::row::b and d:e-f:g'],
  ])('that only a service knows do not show: %s', (text, shown) => {
    expect(emojify(text, false)).toBe(shown)
    expect(emojify(text, true)).toBe(shown)
  })
})

describe('secrets', () => {
  it('are replaced wherever they stand, also encoded', () => {
    const redactor = createRedactor()
    const secret = 'bwua_Tö+ken/123'
    redactor.add(secret)
    const encoded = (['base64', 'base64url'] as const).map((encoding) =>
      Buffer.from(secret).toString(encoding),
    )
    for (const form of [secret, encodeURIComponent(secret), ...encoded])
      expect(redactor.redact(`x ${form} y`)).toBe('x [redacted] y')
  })

  it('are masked in a stream, wherever it is divided, and keep their length', async () => {
    const redactor = createRedactor()
    redactor.add('bwua_secret', 'bwua_secret_and_more')
    const text = 'a bwua_secret b bwua_secrex bwua_secret_and_more bwua_secretbwua_se'
    const masked = `a *********** b bwua_secrex ******************** ***********bwua_se`
    const streamed = async (parts: readonly string[]) => {
      const all: Uint8Array[] = []
      const stream = Readable.from(parts.map((part) => Buffer.from(part)))
      for await (const part of redactor.maskStream(stream)) all.push(part)
      return Buffer.concat(all).toString()
    }
    for (let first = 0; first <= text.length; first++) {
      for (const size of [1, 7, text.length]) {
        const parts = [
          text.slice(0, first),
          text.slice(first, first + size),
          text.slice(first + size),
        ]
        expect(await streamed(parts.filter((part) => part !== ''))).toBe(masked)
      }
    }
  })

  it('are masked by their names in JSON and in forms', () => {
    expect(maskBody('{"access_token":"abc","n":1}')).toBe('{"access_token":"[redacted]","n":1}')
    const masked = 'grant_type=x&client_assertion=[redacted]&scope=y'
    expect(maskBody('grant_type=x&client_assertion=abc.def&scope=y')).toBe(masked)
  })
})
