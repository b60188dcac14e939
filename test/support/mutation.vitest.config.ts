import { defineConfig } from 'vitest/config'
import { alias } from '../../vitest.config.js'

const tests: string[] = JSON.parse(process.env['MUTATION_TESTS'] ?? '[]')

/** One project with the tests that `mutation.js` names: those nearest to the mutated files. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: tests,
    setupFiles: tests.some((path) => path.startsWith('test/sdk/')) ? ['test/sdk/setup.ts'] : [],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
