import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { topicByName } from '../../cli/src/commands/index.js'
import { canonicalize, type FlagSpec, flagTable, unmaskValue } from '../../cli/src/flags/argv.js'
import { resolveCommand } from '../../cli/src/help/resolve.js'
import { takeSetContext } from '../../cli/src/server/start.js'

const flags: FlagSpec[] = [
  { name: 'message', char: 'm', type: 'option' },
  { name: 'branch', char: 'b', type: 'option', multiple: true },
  { name: 'json', type: 'option', bare: '*' },
  { name: 'created-from', type: 'option', aliases: ['since'] },
  { name: 'watch', type: 'boolean' },
  { name: 'web', char: 'w', type: 'boolean' },
  { name: 'current-branch', char: 'B', type: 'boolean' },
  { name: 'help', char: 'h', type: 'boolean' },
]
const table = flagTable(flags)
const read = (...words: string[]) => {
  const { argv, tail, help } = canonicalize(words, table)
  return { argv: argv.map(unmaskValue), tail, help }
}

describe('the argv pre-pass', () => {
  it('takes the text behind = as the value, whatever it looks like (C15)', () => {
    expect(read('--message=-b is broken').argv).toEqual(['--message', '-b is broken'])
    expect(read('--message=--json').argv).toEqual(['--message', '--json'])
    expect(read('--message=').argv).toEqual(['--message', ''])
    expect(read('-m=-b').argv).toEqual(['--message', '-b'])
    expect(read('-m-b').argv).toEqual(['--message', '-b'])
  })

  it('takes the next word for the value unless it is itself a flag of the command', () => {
    expect(read('-m', '-b is broken').argv).toEqual(['--message', '-b is broken'])
    expect(read('-m', '-5').argv).toEqual(['--message', '-5'])
    expect(read('-m', '--unknown').argv).toEqual(['--message', '--unknown'])
    expect(() => read('-m', '--json')).toThrow('write --message=--json if it is the value')
    expect(() => read('-m', '-b')).toThrow('write --message=-b if it is the value')
    expect(() => read('-m')).toThrow('-m needs a value')
  })

  it('lets a flag of several values take one word each', () => {
    expect(read('-b', 'a,b', '--branch', 'c', '42').argv).toEqual([
      '--branch',
      'a,b',
      '--branch',
      'c',
      '42',
    ])
  })

  it('gives a bare flag its word and leaves the next one alone', () => {
    expect(read('--json', 'number').argv).toEqual(['--json', '*', 'number'])
    expect(read('--json=number,state').argv).toEqual(['--json', 'number,state'])
  })

  it('knows clusters and synonyms', () => {
    expect(read('-Bw').argv).toEqual(['--current-branch', '--web'])
    expect(read('-wb', 'main').argv).toEqual(['--web', '--branch', 'main'])
    expect(read('--since=2h').argv).toEqual(['--created-from', '2h'])
  })

  it('keeps the words behind -- in order, doubles too', () => {
    expect(read('x', '--', 'a', 'b', 'a', '--json').tail).toEqual(['a', 'b', 'a', '--json'])
  })

  it('finds --help, but not as the value of a flag', () => {
    expect(read('--help').help).toBe(true)
    expect(read('-h').help).toBe(true)
    expect(read('--message=--help').help).toBe(false)
    expect(canonicalize(['--', '--help'], table).help).toBe(false)
  })

  it('refuses unknown flags, values of switches, and a second value', () => {
    expect(() => read('--nope')).toThrow('unknown flag --nope')
    expect(() => read('-Bx')).toThrow('unknown flag -x')
    expect(() => read('--watch=yes')).toThrow('--watch takes no value')
    expect(() => read('-m', 'a', '-m', 'b')).toThrow('-m was given twice')
  })

  it('hands any value through unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(read(`--message=${value}`).argv).toEqual(['--message', value])
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.string()), (values) => {
        const words = values.map((value) => `--branch=${value}`)
        expect(read(...words).argv.filter((_, at) => at % 2 === 1)).toEqual(values)
      }),
    )
  })
})

test('a topic is known by its singular too, and builds as runs', () => {
  expect(['build', 'run', 'runs', 'job', 'artifact', 'auth'].map(topicByName)).toEqual([
    'builds',
    'builds',
    'builds',
    'jobs',
    'artifacts',
    'auth',
  ])
  expect(['bulds', 'constructor', 'list'].map(topicByName)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

describe('the resolver', () => {
  const globals = flagTable([
    { name: 'pipeline', char: 'p', type: 'option' },
    { name: 'json', type: 'option', bare: '*' },
    { name: 'quiet', type: 'boolean' },
  ])
  const names = {
    command: (name: string) =>
      ({ 'builds list': 'builds list', 'builds ls': 'builds list', version: 'version' })[name],
    topic: (word: string) => (word === 'builds' ? word : undefined),
  }
  const find = (...words: string[]) => resolveCommand(words, names, globals)

  it('skips global flags in front of and between the words of a name', () => {
    expect(find('-p', 'acme/web', 'builds', '--json', 'list', '-L', '5')).toEqual({
      kind: 'command',
      id: 'builds list',
      rest: ['-p', 'acme/web', '--json', '-L', '5'],
    })
    expect(find('--pipeline=web', 'builds', 'ls')).toMatchObject({
      id: 'builds list',
      rest: ['--pipeline=web'],
    })
    expect(find('--quiet', 'version')).toMatchObject({ id: 'version', rest: ['--quiet'] })
  })

  it('recognizes topics, unknown words, and flags before the command', () => {
    expect(find('builds')).toEqual({ kind: 'topic', topic: 'builds', rest: [] })
    expect(find()).toEqual({ kind: 'none', rest: [] })
    expect(find('bilds', 'list')).toEqual({ kind: 'unknown', words: ['bilds'] })
    expect(find('builds', 'lst')).toEqual({ kind: 'unknown', words: ['builds', 'lst'] })
    expect(find('--limit', '5', 'builds', 'list')).toEqual({ kind: 'early_flag', flag: '--limit' })
    expect(find('builds', '--limit', '5', 'list')).toEqual({ kind: 'early_flag', flag: '--limit' })
  })
})

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
