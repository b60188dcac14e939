import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createMockServer, type MockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { runProgram } from '../support/run-program.js'
import { readCommands } from './command-lines.js'
import { type Block, pages, root } from './markdown.js'

/**
 * Each code block of the documentation is compiled or run, so that no page can be wrong about it.
 * Python, Ruby and Java run where they are installed. `text` is output or a sketch and is not
 * checked. The `sh` blocks of a page run in one shell, one after the other, as a reader types them.
 * `sh read` marks commands for which a test has no service, terminal or build: the test parses
 * these as `ci` does.
 */
const blocks = pages.flatMap((page) => page.blocks)
const of = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))
const cases = (list: readonly Block[]) => list.map((block) => [block.place, block] as const)
const isSuite = ({ source }: Block) =>
  source.includes("from 'vitest'") || source.includes("/vitest'")
const bin = (name: string) => join(root, 'node_modules/.bin', name)

// The folder is inside the project, so that a block finds the packages by their names.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/docs-'))
let server: MockServer
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  server = createMockServer({ seed: 'demo', lifecycle: { policy: 'timed', speed: 200 } })
  await server.listen({ port: 0 })
  const { accessTokens, controlUrl } = await server.ready()
  env = {
    PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    TZ: 'UTC',
    CI: '1',
    NO_COLOR: '1',
    BUILDWIRE_CONFIG_DIR: join(folder, 'config'),
    BUILDWIRE_CREDENTIAL_STORE: 'file',
    BUILDWIRE_BASE_URL: server.baseUrl,
    BUILDWIRE_AUTH_URL: server.authUrl,
    BUILDWIRE_WEB_URL: server.webUrl,
    BUILDWIRE_TOKEN: accessTokens['admin'],
    BUILDWIRE_ORG: 'acme',
    BUILDWIRE_CONTROL_URL: controlUrl,
    BUILDWIRE_CONTROL_TOKEN: server.controlToken,
    BUILDWIRE_PRIVATE_KEY_FILE: join(root, 'examples/keys/demo-token-exchange.private.pem'),
  }
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Other languages: the program that runs a block, and the extension of its files. */
const others: Readonly<Record<string, readonly [program: string, ending: string]>> = {
  python: ['python3', 'py'],
  ruby: ['ruby', 'rb'],
  java: ['java', 'java'],
}
const isHere = (program: string) => spawnSync(program, ['--version']).error === undefined

const run = (command: string, args: readonly string[], cwd = folder) =>
  runProgram(command, args, { env, cwd })

const nameOf = ({ place }: Block): string => place.replace(/[^a-z0-9]+/gi, '-')
const fileOf = (block: Block): string =>
  `${nameOf(block)}.${block.language === 'ts' ? 'mts' : 'mjs'}`

describe('code blocks of the documentation', () => {
  it('have a language that this test knows', () => {
    const known = [...Object.keys(others), 'ts', 'js', 'sh', 'yaml', 'json', 'text', 'dockerfile']
    const unknown = blocks.filter(
      ({ language, mode }) =>
        !known.includes(language) || !(mode === '' || (language === 'sh' && mode === 'read')),
    )
    expect(unknown.map(({ place, language, mode }) => `${place} ${language} ${mode}`)).toEqual([])
  })

  it('can be pasted into zsh and PowerShell: no comment after a command, and no &&', () => {
    const lines = blocks
      .filter(({ language }) => language === 'sh' || language === 'text')
      .flatMap(({ place, source }) => source.split('\n').map((line) => `${place} ${line}`))
    expect(
      lines.filter((line) => /^\S+ (?:npm|npx|ci|bash|docker|curl) .*\s#(?:\s|$)/.test(line)),
    ).toEqual([])
    expect(lines.filter((line) => /^\S+ (?:npm|npx|ci) [^|'"]*&&/.test(line))).toEqual([])
  })

  it('compile if they are TypeScript', async () => {
    const files = of('ts').map((block) => {
      writeFileSync(join(folder, fileOf(block)), block.source)
      return fileOf(block)
    })
    expect(files.length).toBeGreaterThan(0)
    const compiler =
      '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node'
    const { code, text } = await run(bin('tsc'), [...compiler.split(' '), ...files])
    expect(text).toBe('')
    expect(code).toBe(0)
  })

  it.each(cases(of('ts', 'js').filter((block) => !isSuite(block))))(
    '%s runs',
    async (_place, block) => {
      writeFileSync(join(folder, fileOf(block)), block.source)
      const { code, text } = await run(bin('tsx'), [fileOf(block)])
      expect(code, text).toBe(0)
    },
  )

  for (const block of of(...Object.keys(others))) {
    const [program = '', ending = ''] = others[block.language] ?? []
    const here = isHere(program)
    it.skipIf(!here)(
      `${block.place} runs${here ? '' : `: skipped, ${program} is not installed`}`,
      async () => {
        const file = `${nameOf(block)}.${ending}`
        writeFileSync(join(folder, file), block.source)
        const { code, text } = await run(program, [file])
        expect(code, text).toBe(0)
      },
    )
  }

  it.each(cases(of('ts', 'js').filter(isSuite)))(
    '%s passes as a test',
    async (_place, block) => {
      const suite = join(folder, `suite-${nameOf(block)}`)
      mkdirSync(suite)
      writeFileSync(join(suite, 'example.test.ts'), block.source)
      writeFileSync(
        join(suite, 'vitest.config.mjs'),
        'export default { test: { testTimeout: 30_000 } }\n',
      )
      const { code, text } = await run(bin('vitest'), ['run'], suite)
      expect(code, text).toBe(0)
      expect(text).toMatch(/Tests +\d+ passed/)
      // A suite of `describeFaults` runs its client under each fault.
    },
    180_000,
  )

  it.each(
    pages
      .map(({ file, blocks: all }) => [file, all] as const)
      .filter(([, all]) => all.some(runsInShell)),
  )(
    'the commands of %s run, one after the other',
    async (_file, all) => {
      const script = all
        .filter(runsInShell)
        .map(({ place, source }) => `echo '── ${place}' >&2\n${source}`)
      const cwd = mkdtempSync(join(folder, 'sh-'))
      const { code, text } = await run('sh', ['-euc', script.join('')], cwd)
      expect(code, text).toBe(0)
    },
    120_000,
  )

  it.each(cases(of('sh').filter(({ mode }) => mode === 'read')))(
    '%s has only commands that ci accepts',
    (_place, { source }) => {
      const { count, complaints } = readCommands(source)
      expect(complaints).toEqual([])
      expect(count).toBeGreaterThan(0)
    },
  )

  it.each(cases(of('json')))('%s is JSON', (_place, block) => {
    expect(() => JSON.parse(block.source)).not.toThrow()
  })

  it.each(cases(of('yaml')))(
    '%s is YAML, and a valid seed if it declares a version',
    async (_place, block) => {
      const [document] = parseAllDocuments(block.source)
      expect(document?.errors ?? []).toEqual([])
      if (!block.source.startsWith('version: 1')) return
      const file = join(folder, `${nameOf(block)}.yaml`)
      writeFileSync(file, block.source)
      const { code, text } = await run(bin('ci-mock-server'), ['seed', 'check', file])
      expect(code, text).toBe(0)
    },
  )
})

function runsInShell({ language, mode }: Block): boolean {
  return language === 'sh' && mode === ''
}
