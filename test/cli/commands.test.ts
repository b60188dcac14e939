import { operations } from '@buildwire/sdk/contract'
import { describe, expect, it } from 'vitest'
import { commandClass, commands, topics } from '../../cli/src/commands/index.js'
import { commandName } from '../../cli/src/help/manifest.js'
import { exitCodeOf, exitCodeTable } from '../../cli/src/io/exit-codes.js'
import { buildManifest } from '../../cli/src/run/build-manifest.js'
import { runCli, VERSION } from './support/run-cli.js'

const manifest = await buildManifest(VERSION)
const described = Object.values(manifest.commands)
const ordinary = described.filter(
  ({ id }) => !['server:start', 'server:exec', 'server:prove'].includes(id),
)

describe('the command tree', () => {
  it('has topics that are no commands, and no command of an unknown topic', () => {
    for (const topic of Object.keys(topics)) expect(Object.keys(commands)).not.toContain(topic)
    for (const name of Object.keys(commands)) {
      const [topic = '', verb] = name.split(' ')
      if (verb !== undefined) expect(Object.keys(topics)).toContain(topic)
    }
  })

  it('gives one letter one name, but for api', () => {
    const names = new Map<string, string>()
    for (const { id, flags } of described) {
      for (const { char, name } of Object.values(flags)) {
        if (
          char === undefined ||
          (id === 'api' && /^(?:method|raw-field|field|header|include)$/u.test(name))
        )
          continue
        expect([char, names.get(char) ?? name]).toEqual([char, name])
        names.set(char, name)
      }
    }
  })

  it('reads no argument from stdin and lets no flag swallow the words behind it', async () => {
    for (const [name, entry] of Object.entries(commands)) {
      const Command = await commandClass(name, entry)
      for (const arg of Object.values(Command.args ?? {}))
        expect([name, arg]).toEqual([name, expect.objectContaining({ ignoreStdin: true })])
      for (const flag of Object.values(Command.flags ?? {}) as {
        multiple?: boolean
        multipleNonGreedy?: boolean
      }[]) {
        if (flag.multiple) expect([name, flag.multipleNonGreedy]).toEqual([name, true])
      }
    }
  })

  it.each(described.map((command) => [commandName(command.id), command] as const))(
    '%s has a summary, and two examples that name it',
    (name, command) => {
      expect(command.summary).toMatch(/^[A-Z]/u)
      expect(command.examples.length).toBeGreaterThanOrEqual(
        name === 'version' || name === 'doctor' ? 1 : 2,
      )
      for (const example of command.examples) expect(example).toContain(`ci ${name}`)
    },
  )

  it.each(
    ordinary.flatMap((command) => command.examples.map((example) => [example, command] as const)),
  )('the example %s is read without a complaint', async (example, command) => {
    const { canonicalize, flagTable } = await import('../../cli/src/flags/argv.js')
    const [, ...words] = example.match(/"[^"]*"|'[^']*'|[^\s"']+(?:="[^"]*")?/gu) ?? []
    const rest = words.slice(commandName(command.id).split(' ').length)
    const cut = rest.findIndex((word) => word === '|' || word === '<' || word === '>')
    expect(() =>
      canonicalize(cut === -1 ? rest : rest.slice(0, cut), flagTable(Object.values(command.flags))),
    ).not.toThrow()
  })
})

describe('ci help scopes', () => {
  it('names each command under the scope that it needs', async () => {
    const { stdout } = await runCli(['help', 'scopes'])
    /** The commands of each scope; `builds list, get` is two commands. */
    const listed = new Map(
      stdout
        .split(/\n {2}(?=[a-z])/u)
        .slice(1)
        .map((entry) => {
          const [scope = '', ...words] = entry.trim().split(/\s+/u)
          const names = words
            .join(' ')
            .split('; ')
            .flatMap((group) => {
              const [topic = '', ...verbs] = group.split(/,? /u)
              return verbs.length === 0 ? [topic] : verbs.map((verb) => `${topic} ${verb}`)
            })
          return [scope, names] as const
        }),
    )
    const missing: string[] = []
    for (const [name, entry] of Object.entries(commands)) {
      const [first] = (await commandClass(name, entry)).operations ?? []
      const scope = first === undefined || name === 'mcp' ? null : operations[first].scope
      if (scope !== null && listed.get(scope)?.includes(name) !== true)
        missing.push(`${scope} ${name}`)
    }
    expect(missing).toEqual([])
  })
})

describe('exit codes', () => {
  it('of an unknown error is internal', () => {
    expect(exitCodeOf({ code: 'no_such_code' })).toBe(70)
  })

  it('are in the help text, all of them', async () => {
    const { stdout } = await runCli(['help', 'exit-codes'])
    for (const { code, name } of exitCodeTable)
      expect(stdout).toMatch(new RegExp(`^ +${code} +${name}`, 'mu'))
  })
})

describe('help', () => {
  it('lists every topic and command', async () => {
    const { code, stdout } = await runCli(['--help'])
    expect(code).toBe(0)
    for (const name of Object.keys(topics)) expect(stdout).toContain(`\n  ${name} `)
    expect((await runCli([])).stdout).toBe(stdout)
    expect((await runCli(['help'])).stdout).toBe(stdout)
  })

  it('of a topic lists its commands; a topic alone is not a command', async () => {
    const asked = await runCli(['builds', '--help'])
    expect(asked.stdout).toContain('ci builds list')
    const bare = await runCli(['builds'])
    expect(bare).toEqual({ code: 2, stdout: '', stderr: asked.stdout })
  })

  it('of a command as JSON is its schema', async () => {
    const { stdout } = await runCli(['builds', 'list', '--help', '--json'])
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(manifest.commands['builds:list'])))
  })

  it.each([40, 60, 80, 120])(
    'breaks lines at blanks for %i columns, but no command',
    async (columns) => {
      const { stdout } = await runCli(['--help'], { columns, env: { NO_COLOR: '1' } })
      const long = stdout.split('\n').filter((line) => line.length > columns)
      expect(long.filter((line) => !line.startsWith('  ci '))).toEqual([])
      expect(stdout.replace(/\s+/gu, ' ')).toContain('service, from the command line')
    },
  )

  it('fits 60 columns, and is the same text under -h, --help and help', async () => {
    const short = await runCli(['builds', 'create', '-h'], { columns: 60, env: { NO_COLOR: '1' } })
    for (const line of short.stdout.split('\n'))
      if (!line.startsWith('  $ ')) expect(line.length).toBeLessThanOrEqual(60)
    const wide = await runCli(['builds', 'create', '--help'])
    expect((await runCli(['help', 'builds', 'create'])).stdout).toBe(wide.stdout)
  })

  it.each(Object.keys(manifest.helpTopics))('has the text %s, within 80 columns', async (topic) => {
    const { code, stdout } = await runCli(['help', topic])
    expect(code).toBe(0)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('has recipes that run', { timeout: 120_000 }, async () => {
    const { startServer } = await import('./support/server.js')
    const started = await startServer()
    const text = (await runCli(['help', 'formatting'])).stdout
    const recipes = [...text.matchAll(/^ {4}ci (builds list[^\n]*(?:\n {6}[^\n]*)*)/gmu)].map(
      ([, line = '']) => line.replace(/\n */gu, ' '),
    )
    expect(recipes.length).toBeGreaterThanOrEqual(5)
    for (const recipe of recipes) {
      const words = (recipe.match(/'[^']*'|\S+/gu) ?? []).map((word) => word.replace(/^'|'$/gu, ''))
      const { code, stdout } = await runCli([...words, '-p', 'acme/web'], { env: started.env })
      expect([recipe, code, stdout === '' && !recipe.includes('-b main')]).toEqual([
        recipe,
        0,
        false,
      ])
    }
    await started.close()
  })

  it('names similar commands and flags when a word is wrong', async () => {
    const wrong = async (...argv: string[]) => {
      const { code, stdout, stderr } = await runCli(argv)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      return stderr
    }
    expect(await wrong('builds', 'lst')).toContain('Did you mean ci builds list')
    expect(await wrong('build', 'lst')).toContain('Did you mean ci builds list')
    expect(await wrong('logs', '42')).toContain('Did you mean ci builds logs?')
    expect(await wrong('list')).toContain(
      'Did you mean ci builds list, ci jobs list, ci annotations list?',
    )
    expect(await wrong('bulds', 'list')).toContain('Did you mean ci builds?')
    expect(await wrong('builds', 'list', '--brnch=x')).toContain('Did you mean --branch?')
    expect(await wrong('help', 'exit-code')).toContain('Did you mean exit-codes?')
    expect(await wrong('--limit', '3', 'builds', 'list')).toContain('is before the command')
    expect(await wrong('builds', 'list', 'extra')).toContain('is an extra argument')
    expect(await wrong('tests', 'get')).toContain('TEST is missing')
  })
})
