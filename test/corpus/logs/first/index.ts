import type { LogCase } from '../../case.js'
import { compilers } from './compilers.js'
import { infrastructure } from './infrastructure.js'
import { javascript } from './javascript.js'
import { situations } from './situations.js'
import { tests } from './tests.js'

export const first: readonly LogCase[] = [
  ...compilers,
  ...javascript,
  ...tests,
  ...infrastructure,
  ...situations,
]
