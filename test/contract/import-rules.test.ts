import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

/**
 * A tree of its own under the project's rules, so that no rule-breaking file ever stands in the
 * real one.
 */
const tree = mkdtempSync(join(tmpdir(), 'import-rules-'))
cpSync(join(root, 'biome.json'), join(tree, 'biome.json'))
cpSync(join(root, '.biome'), join(tree, '.biome'), { recursive: true })
mkdirSync(join(tree, '.git'))
afterAll(() => rmSync(tree, { recursive: true }))

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

describe('a room imports only what it may', () => {
  it.each([
    ['sdk/src/room.ts', 'hono'],
    ['sdk/src/contract/room.ts', 'undici'],
    ['sdk/src/contract/room.ts', '../client.js'],
    ['mock-server/src/room.ts', '@buildwire/sdk'],
    ['mock-server/src/room.ts', 'react'],
    ['mock-server/src/domain/room.ts', 'hono'],
    ['mock-server/src/domain/room.ts', 'node:fs'],
    ['mock-server/src/domain/room.ts', '../http/query.js'],
    ['mock-server/src/routes/room.ts', '../pages/device.js'],
    ['mock-server/src/pages/room.ts', '../routes/builds.js'],
    ['cli/src/room.ts', 'ink'],
    ['cli/src/commands/builds/room.ts', 'hono'],
  ])('%s refuses %s', (path, name) => {
    const { status, text } = lint(path, importing(name))
    expect(text).toContain('noRestrictedImports')
    expect(status).not.toBe(0)
  })

  it.each([
    ['sdk/src/room.ts', 'undici'],
    ['mock-server/src/room.ts', '@buildwire/sdk/contract'],
    ['mock-server/src/domain/room.ts', './decision.js'],
    ['mock-server/src/routes/room.ts', '../domain/decision.js'],
    ['cli/src/watch/ui/room.ts', 'ink'],
  ])('%s may import %s', (path, name) => {
    expect(lint(path, importing(name))).toMatchObject({
      status: 0,
      text: expect.stringContaining('Checked 1 file'),
    })
  })
})

describe('text for people', () => {
  it('is taken as it is in the layouts of printable text alone', () => {
    const source = importing('../io/printable-maker.js')
    expect(lint('cli/src/watch/ui/room.ts', source)).toMatchObject({
      text: expect.stringContaining('made by `say`'),
    })
    expect(lint('cli/src/logs/escapes.ts', source).status).toBe(0)
  })
})

describe('time and randomness', () => {
  it.each(['Date.now()', 'performance.now()', 'Math.random()'])(
    '%s is read in clock.ts alone',
    (call) => {
      const source = `export const y = ${call}\n`
      expect(lint('sdk/src/room.ts', source).status).not.toBe(0)
      expect(lint('sdk/src/base/clock.ts', source).status).toBe(0)
    },
  )
})

describe('programs', () => {
  it('are started by one module alone', () => {
    const source = importing('node:child_process')
    for (const path of ['cli/src/git/room.ts', 'mock-server/src/prove/room.ts']) {
      expect(lint(path, source)).toMatchObject({
        text: expect.stringContaining('Programs are started by'),
      })
    }
    expect(lint('mock-server/src/program/programs.ts', source).status).toBe(0)
  })
})
