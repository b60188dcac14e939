import type { Action } from '../../rules/rule.js'
import { buildCanceled, buildCanceling, buildFails } from './events.js'
import { event, type Fault, fault, rules } from './fault.js'
import { findSilentEnd, findStoppedWaiting } from './judges/endings.js'
import { by } from './uses.js'

const hibernating: Action = { patchResponse: { json: { state: 'hibernating' } } }
const atGate: Action = { patchResponse: { json: { state: 'passed', blocked: true } } }

const waitOn =
  'A build is over when it is passed, failed, canceled, skipped or not_run, and not blocked. Wait on in every other state, also in one that you do not know, up to a time limit of your own.'
const tellEnds = 'Tell each end of a build as what it is: only passed is a success.'

const life = {
  isLife: true,
  judges: [findStoppedWaiting, findSilentEnd],
} as const

/** What happens to builds in every service, and seldom while a client is tried. */
export const lifeFaults: readonly Fault[] = [
  fault('build-fails', by.waits, event(buildFails), {
    title: 'the build fails',
    cure: tellEnds,
    ...life,
  }),
  fault('build-canceled', by.waits, event(buildCanceled), {
    title: 'another user cancels the build',
    cure: tellEnds,
    ...life,
  }),
  fault('build-canceling', by.waits, event(buildCanceling), {
    title: 'another user cancels the build, which takes 4 s',
    cure: waitOn,
    takesMs: 10_000,
    ...life,
  }),
  fault('build-blocked', by.waits, rules(3, atGate), {
    title: 'the build waits at a gate for a while: passed, but blocked',
    cure: waitOn,
    takesMs: 15_000,
    ...life,
  }),
  fault('build-unknown', by.waits, rules(3, hibernating), {
    title: 'the build has a state for a while that the client does not know',
    cure: waitOn,
    takesMs: 15_000,
    ...life,
  }),
  fault(
    'cancel-slow',
    by.cancelReads,
    { by: 'setting', settings: { cancelGraceMs: 4_000 } },
    {
      title: 'a build takes 4 s to be canceled',
      cure: waitOn,
      takesMs: 10_000,
      ...life,
    },
  ),
]
