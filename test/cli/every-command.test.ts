import { beforeEach, describe, expect, it } from 'vitest'
import { commandClass, commands } from '../../cli/src/commands/index.js'
import { type CommandCase, commandCases, wordsOf } from './support/cases.js'
import type { RunOptions } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
beforeEach(async () => {
  await started.server.control.rules.delete()
})

const run = (argv: readonly string[], options?: RunOptions) =>
  started.run([...argv, '--retries', '0'], options)

const answer = (
  operation: string,
  status: number,
  json: object,
  headers: Record<string, string> = {},
) =>
  started.server.control.rules.create({
    match: { operation },
    actions: [{ respond: { status, json, headers } }],
  })

/** Our fault words never reach a user, and nothing leaks the token. */
function expectClean(text: string): void {
  expect(text).not.toContain(started.token)
  expect(text).not.toMatch(/undefined|\[object|› |TypeError|at async/u)
}

type Fault = readonly [
  title: string,
  code: number,
  word: string,
  prepare: (of: CommandCase) => unknown,
]

const faults: readonly Fault[] = [
  [
    '401',
    4,
    'unauthorized',
    (of) => answer(of.operation, 401, { message: 'Authentication required' }),
  ],
  [
    '403 for a scope',
    9,
    'insufficient_scope',
    ({ operation, scope }) => {
      const message = `Your access token doesn't have the ${scope} scope`
      return answer(operation, 403, { message }, { 'X-OAuth-Scopes': 'read_artifacts' })
    },
  ],
  ['404', 5, 'not_found', (of) => answer(of.operation, 404, { message: 'No pipeline found' })],
  [
    '422',
    7,
    'unprocessable',
    (of) => {
      const errors = [{ field: 'commit', code: 'missing' }]
      return answer(of.operation, 422, { message: 'Validation Failed', errors })
    },
  ],
  [
    '429',
    10,
    'rate_limited',
    (of) => answer(of.operation, 429, { message: 'Too many' }, { 'Retry-After': '3600' }),
  ],
  ['500', 3, 'server_error', (of) => answer(of.operation, 500, { message: 'Boom' })],
  [
    'a reset',
    3,
    'connection',
    ({ operation }) =>
      started.server.control.rules.create({ match: { operation }, actions: [{ socket: 'reset' }] }),
  ],
]

/** Commands that send requests and have other tests: several requests, or output of another form. */
const testedElsewhere = [
  'artifacts download',
  'auth login',
  'auth logout',
  'auth status',
  'builds logs',
  'builds watch',
  'doctor',
  'mcp',
  'server capture',
  'token exec',
  'token inspect',
  'token mint',
  'why',
]

it('every command that sends requests has a case, or other tests', async () => {
  const names = new Set(commandCases.map(({ name }) => name.replace(/ \(.*\)$/u, '')))
  const others: string[] = []
  for (const [name, entry] of Object.entries(commands)) {
    const { operations = [] } = await commandClass(name, entry)
    if (operations.length > 0 && !names.has(name)) others.push(name)
  }
  expect(others.sort()).toEqual(testedElsewhere)
})

describe.each(commandCases)('$name', (of) => {
  const words = wordsOf(of)
  const isApi = of.prints === 'bytes'

  it.each(faults)(
    'meets %s with its exit code, the same for people and programs',
    async (_, code, word, prepare) => {
      await prepare(of)
      const people = await run(words)
      const program = await run(isApi ? words : [...words, '--json'])
      expect({ people: people.code, program: program.code }).toEqual({
        people: code,
        program: code,
      })
      expect(people.stderr).toMatch(/^(?:.*\n)*Error: \S/u)
      if (!isApi) {
        expect(people.stdout).toBe('')
        expect(program.stdout).toBe('')
        const last = program.stderr.trimEnd().split('\n').at(-1) ?? ''
        const { error } = JSON.parse(last)
        expect(error).toMatchObject({ code: word, exitCode: code })
        expect(Object.keys(error)).toEqual(
          'code message status operationId requestId detail errors requiredScope grantedScopes retryAfterMs details hint exitCode'.split(
            ' ',
          ),
        )
      }
      const lines = people.stderr.slice(people.stderr.indexOf('Error: ')).trimEnd().split('\n')
      expect(lines.length).toBeLessThanOrEqual(4)
      for (const text of [people.stderr, program.stderr]) expectClean(text)
    },
  )

  it('needs a token, and says how to get one', async () => {
    const { code, stdout, stderr } = await run(words, { env: { BUILDWIRE_TOKEN: '' } })
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain('Try: ci auth login')
  })

  it('needs a server, and says how to get one', async () => {
    const { code, stderr } = await run(words, { env: { BUILDWIRE_BASE_URL: '' } })
    expect(code).toBe(78)
    expect(stderr).toContain('Try: ci server start --set-context local')
  })

  it('refuses a flag that it does not have, before it asks anybody', async () => {
    await started.server.control.requests.delete()
    const { code, stdout, stderr } = await run([...words, '--no-such-flag'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('unknown flag --no-such-flag')
    expect(await started.server.control.requests.list()).toEqual([])
  })

  if (of.makes === true) {
    it('says that the build may exist when the answer was lost', async () => {
      await started.server.control.rules.create({
        match: { operation: of.operation },
        actions: [{ networkError: 'afterCommit' }],
      })
      const { code, stderr } = await run(words)
      expect(code).toBe(3)
      expect(stderr).toContain('may exist')
    })
  }
})

describe('data and nothing else on stdout (C8)', () => {
  const plain = commandCases.filter(
    ({ name, prints }) =>
      prints !== 'page' &&
      !/^tests (get|find|label)|cancel|create|rebuild|retry|unblock/u.test(name),
  )

  it.each(plain)(
    '$name prints JSON that parses, with warnings and notes on stderr only',
    async (of) => {
      const { code, stdout } = await run(
        [...wordsOf(of), ...(of.prints === 'bytes' ? [] : ['--json'])],
        { columns: 100 },
      )
      expect(code).toBe(0)
      const value: unknown = JSON.parse(stdout)
      expect(Array.isArray(value)).toBe(of.prints === 'list' || of.prints === 'bytes')
    },
  )

  it.each(plain)('$name takes a jq filter', async (of) => {
    const { code, stdout } = await run([...wordsOf(of), '--jq', 'type'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: of.prints === 'record' ? 'object\n' : 'array\n',
    })
  })

  it.each(plain)('$name draws for a terminal, within its width', async (of) => {
    const { cells } = await import('../../cli/src/io/width.js')
    for (const columns of [60, 100, 160]) {
      const { code, stdout } = await run([...wordsOf(of), '--no-color'], { columns, rows: 500 })
      expect(code).toBe(0)
      if (of.prints !== 'list') continue
      for (const line of stdout.split('\n')) expect(cells(line)).toBeLessThanOrEqual(columns)
    }
  })
})
