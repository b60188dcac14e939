import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const biome = join(root, 'test/support/check/node_modules/@biomejs/biome/bin/biome')

/** A temporary tree under the project's rules, so that the real tree never holds a wrong file. */
const tree = mkdtempSync(join(tmpdir(), 'import-rules-'))
cpSync(join(root, 'biome.json'), join(tree, 'biome.json'))
cpSync(join(root, '.biome'), join(tree, '.biome'), { recursive: true })
mkdirSync(join(tree, '.git'))
afterAll(() => rmSync(tree, { recursive: true }))

/** Lints one file of this text at `path`. The text of the result is the report of the linter. */
function lint(path: string, source: string): { status: number | null; text: string } {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), source)

  const run = spawnSync(process.execPath, [biome, 'lint', '--vcs-enabled=false', path], {
    cwd: tree,
    encoding: 'utf8',
  })
  rmSync(join(tree, path))
  return { status: run.status, text: run.stdout + run.stderr }
}

const importing = (name: string) => `import * as x from '${name}'\nexport const y = x\n`

describe('a folder imports only what its rule allows', () => {
  it.each([
    ['sdk/src/sample.ts', 'hono'],
    ['sdk/src/contract/sample.ts', 'undici'],
    ['sdk/src/contract/sample.ts', '../client.js'],
    ['mock-server/src/sample.ts', '@buildwire/sdk'],
    ['mock-server/src/sample.ts', 'react'],
    ['mock-server/src/domain/sample.ts', 'hono'],
    ['mock-server/src/domain/sample.ts', 'node:fs'],
    ['mock-server/src/domain/sample.ts', '../http/query.js'],
    ['mock-server/src/routes/sample.ts', '../pages/device.js'],
    ['mock-server/src/pages/sample.ts', '../routes/builds.js'],
    ['cli/src/sample.ts', 'ink'],
    ['cli/src/commands/builds/sample.ts', 'hono'],
  ])('%s refuses %s', (path, name) => {
    const { status, text } = lint(path, importing(name))
    expect(text).toContain('noRestrictedImports')
    expect(status).not.toBe(0)
  })

  it.each([
    ['sdk/src/sample.ts', 'undici'],
    ['mock-server/src/sample.ts', '@buildwire/sdk/contract'],
    ['mock-server/src/domain/sample.ts', './decision.js'],
    ['mock-server/src/routes/sample.ts', '../domain/decision.js'],
    ['cli/src/watch/ui/sample.ts', 'ink'],
  ])('%s may import %s', (path, name) => {
    expect(lint(path, importing(name))).toMatchObject({
      status: 0,
      text: expect.stringContaining('Checked 1 file'),
    })
  })
})

describe('text for people', () => {
  it('is taken unchanged only by the files that lay out printable text', () => {
    const source = importing('../io/printable-maker.js')
    expect(lint('cli/src/watch/ui/sample.ts', source)).toMatchObject({
      text: expect.stringContaining('made by `say`'),
    })
    expect(lint('cli/src/logs/escapes.ts', source).status).toBe(0)
  })
})

describe('time and randomness', () => {
  it.each(['Date.now()', 'performance.now()', 'Math.random()'])(
    'only clock.ts calls %s',
    (call) => {
      const source = `export const y = ${call}\n`
      expect(lint('sdk/src/sample.ts', source).status).not.toBe(0)
      expect(lint('sdk/src/base/clock.ts', source).status).toBe(0)
    },
  )
})

describe('programs', () => {
  it('are started by one module', () => {
    const source = importing('node:child_process')
    for (const path of ['cli/src/git/sample.ts', 'mock-server/src/prove/sample.ts']) {
      expect(lint(path, source)).toMatchObject({
        text: expect.stringContaining('Programs are started by'),
      })
    }
    expect(lint('mock-server/src/program/programs.ts', source).status).toBe(0)
  })
})

describe('a function at the top level', () => {
  const message = 'declared with `function`'

  it.each(['sdk/src', 'mock-server/src', 'cli/src'])(
    'is declared with `function` in %s',
    (folder) => {
      const path = `${folder}/sample.ts`
      expect(lint(path, 'export const y = () => 1\n').text).toContain(message)
      expect(lint(path, 'const y = async (x: number) => x\nexport { y }\n').text).toContain(message)
      expect(lint(path, 'export function y() {\n  return 1\n}\n').status).toBe(0)
    },
  )

  it('may be a const that an annotation types', () => {
    const source = 'export const y: () => number = () => 1\n'
    expect(lint('sdk/src/sample.ts', source).status).toBe(0)
  })

  it('may hold a const with a function', () => {
    const source = 'export function y() {\n  const inner = () => 1\n  return inner\n}\n'
    expect(lint('sdk/src/sample.ts', source).status).toBe(0)
  })
})

describe('a literal', () => {
  it.each(['[...[1]]', '{ ...{ a: 1 } }'])('is not spread into a literal: %s', (literal) => {
    const { text } = lint('test/sample.ts', `export const y = ${literal}\n`)
    expect(text).toContain('a literal spread into a literal')
  })
})
