import { defineConfig } from 'vitest/config'
import { alias } from '../../vitest.config.js'

/** The tests that judge mutants of the server's domain and of the SDK's OAuth rooms: fast ones, in one project. */
export default defineConfig({
  resolve: { alias },
  test: {
    root: '.',
    include: ['test/{sdk,mock-server,contract}/**/*.test.ts'],
    exclude: ['test/mock-server/{kill,image,fuzz}.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
