import { defineConfig } from 'vitest/config'
import { alias } from '../../../vitest.config.js'

const tests: string[] = JSON.parse(process.env['MUTATION_TESTS'] ?? '[]')
const ofSdk = tests.some((path) => path.startsWith('test/sdk/'))

/** One project with the tests that `main.js` names: those nearest to the mutated files. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: tests,
    setupFiles: ofSdk ? ['test/sdk/setup.ts'] : [],
    // Most mutants of the OAuth folder that hang wait for a promise. A time-out of the test is
    // faster than a new process.
    testTimeout: ofSdk ? 15_000 : 30_000,
    hookTimeout: 60_000,
  },
})
