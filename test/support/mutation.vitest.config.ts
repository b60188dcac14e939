import { defineConfig } from 'vitest/config'
import { alias } from '../../vitest.config.js'

/** One project with the tests that `mutation.js` names: those nearest to the mutated files. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]') as string[],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
