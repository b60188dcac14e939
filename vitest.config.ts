import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests import the sources of the packages, so that a stack trace names the line to edit. */
export const alias = [
  { find: /^#transport$/, replacement: source('sdk/src/transport/undici-transport.ts') },
  { find: /^#sockets$/, replacement: source('sdk/src/transport/socket-errors.ts') },
  { find: /^#keys$/, replacement: source('sdk/src/oauth/private-key.ts') },
  { find: /^@buildwire\/sdk$/, replacement: source('sdk/src/index.ts') },
  { find: /^@buildwire\/sdk\/contract$/, replacement: source('sdk/src/contract/index.ts') },
  { find: /^@buildwire\/sdk\/node-http$/, replacement: source('sdk/src/http/node-http.ts') },
  { find: /^@buildwire\/sdk\/redis$/, replacement: source('sdk/src/oauth/redis-token-store.ts') },
  { find: /^@buildwire\/mock-server$/, replacement: source('mock-server/src/index.ts') },
  { find: /^@buildwire\/mock-server\/main$/, replacement: source('mock-server/src/main.ts') },
  {
    find: /^@buildwire\/mock-server\/owner$/,
    replacement: source('mock-server/src/store/owner.ts'),
  },
  {
    find: /^@buildwire\/mock-server\/patience$/,
    replacement: source('mock-server/src/store/patience.ts'),
  },
  {
    find: /^@buildwire\/mock-server\/programs$/,
    replacement: source('mock-server/src/program/programs.ts'),
  },
  {
    find: /^@buildwire\/mock-server\/msw$/,
    replacement: source('mock-server/src/server/doors/msw.ts'),
  },
  {
    find: /^@buildwire\/mock-server\/vitest$/,
    replacement: source('mock-server/src/program/vitest.ts'),
  },
]

const folders = [
  'contract',
  'sdk',
  'mock-server',
  'conformance',
  'cli',
  'web',
  'foreign',
  'prove',
  'docs',
  'corpus',
]

/**
 * The second tier, which `npm run test:all` adds: tests that need more than Node, start many
 * processes, need a terminal or take long. The first tier keeps a quick test of each of these
 * subjects.
 */
const second = [
  'test/web/**',
  'test/foreign/**',
  'test/docs/code-blocks.test.ts',
  'test/contract/{forgotten,generate,import-rules}.test.ts',
  'test/conformance/{kit,faults}.test.ts',
  'test/cli/{completion,docs,growth,hostile,newcomer,pictures,proxy,server,start-up,stock-oclif,streams,surroundings,terminal}.test.ts',
  'test/cli/artifacts/endings.test.ts',
  'test/cli/mcp/session.test.ts',
  'test/cli/auth/{processes,stores,terminal}.test.ts',
  'test/cli/watch/child.test.ts',
  'test/sdk/{packaging,tsdoc}.test.ts',
  'test/sdk/oauth/redis-token-store.test.ts',
  'test/mock-server/{fuzz,image,kill,large,main,parsers,vitest-failures}.test.ts',
  'test/mock-server/control/fuzz.test.ts',
  'test/mock-server/oauth/tampering.test.ts',
  'test/prove/{clients,program}.test.ts',
  'test/corpus/**',
]

/**
 * Tests of many minutes, which `npm run test:all` runs and the gate of a change does not: the gate
 * runs the second tier alone.
 */
const long = ['test/prove/{zoo,every-row}.test.ts']

const all = (folder: string) => `test/${folder}/**/*.test.{ts,tsx}`
const only = (path: string) => (path.endsWith('/**') ? `${path}/*.test.{ts,tsx}` : path)

/** `all`, `second`, or the first tier alone. */
const tier = process.env['BUILDWIRE_TESTS'] ?? 'first'

export default defineConfig({
  resolve: { alias },
  test: {
    disableConsoleIntercept: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest leaves one core free by default; these tests often wait for processes.
    maxWorkers: availableParallelism(),
    // In the first tier there is one process per folder and core: sources are loaded once, not once
    // per file.
    isolate: tier !== 'first',
    projects: folders.map((name) => ({
      extends: true,
      test: {
        name,
        include:
          tier === 'second'
            ? second.filter((path) => path.startsWith(`test/${name}/`)).map(only)
            : [all(name)],
        exclude: ['**/node_modules/**', ...(tier === 'first' ? [...second, ...long] : [])],
        setupFiles: name === 'sdk' ? ['test/sdk/setup.ts'] : [],
      },
    })),
  },
})
