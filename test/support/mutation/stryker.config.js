import { fileURLToPath } from 'node:url'

export default {
  testRunner: 'vitest',
  tsconfigFile: 'not-rewritten.json',
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  vitest: { configFile: 'test/support/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 1,
  dryRunTimeoutMinutes: 20,
  timeoutMS: 10_000,
  timeoutFactor: 3,
  disableTypeChecks: false,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
  tempDirName: '.stryker-tmp',
  thresholds: { high: 90, low: 80, break: null },
  ignorePatterns: ['**/dist'],
}
