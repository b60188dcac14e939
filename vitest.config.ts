import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests read the packages' sources, so that a failing line is the line one edits. */
export const alias = [
  { find: /^@buildwire\/sdk$/, replacement: source('sdk/src/index.ts') },
  { find: /^@buildwire\/sdk\/contract$/, replacement: source('sdk/src/contract/index.ts') },
  { find: /^@buildwire\/sdk\/node-http$/, replacement: source('sdk/src/http/node-transport.ts') },
  { find: /^@buildwire\/sdk\/redis$/, replacement: source('sdk/src/oauth/redis-token-store.ts') },
  { find: /^@buildwire\/mock-server$/, replacement: source('mock-server/src/index.ts') },
  { find: /^@buildwire\/mock-server\/main$/, replacement: source('mock-server/src/main.ts') },
  { find: /^@buildwire\/mock-server\/owner$/, replacement: source('mock-server/src/store/owner.ts') },
  { find: /^@buildwire\/mock-server\/msw$/, replacement: source('mock-server/src/doors/msw.ts') },
  { find: /^@buildwire\/mock-server\/vitest$/, replacement: source('mock-server/src/doors/vitest.ts') },
]

const rooms = ['contract', 'sdk', 'mock-server', 'conformance', 'cli', 'web', 'foreign', 'docs']

export default defineConfig({
  resolve: { alias },
  test: {
    disableConsoleIntercept: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: rooms.map((name) => ({
      extends: true,
      test: {
        name,
        include: [`test/${name}/**/*.test.{ts,tsx}`],
        exclude: ['test/**/dist/**'],
        setupFiles: name === 'sdk' ? ['test/sdk/setup.ts'] : [],
      },
    })),
  },
})
