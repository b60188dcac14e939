import type { Fault } from './fault.js'
import { lifeFaults } from './faults-life.js'
import { oauthFaults } from './faults-oauth.js'
import { requestFaults, writeFaults } from './faults-rest.js'

/** Every fault, the most expensive harm first: a budget cuts from the end. */
export const faults: readonly Fault[] = [
  ...writeFaults,
  ...lifeFaults,
  ...requestFaults,
  ...oauthFaults,
]
