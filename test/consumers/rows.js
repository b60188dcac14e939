import { bundlerRows } from './rows/bundlers.js'
import { installerRows } from './rows/installers.js'
import { runnerRows } from './rows/runners.js'
import { runtimeRows } from './rows/runtimes.js'
import { typeRows } from './rows/types.js'
import { allVitestRows } from './rows/vitest.js'

export const rows = [
  ...installerRows,
  ...runtimeRows,
  ...runnerRows,
  ...allVitestRows,
  ...bundlerRows,
  ...typeRows,
]
