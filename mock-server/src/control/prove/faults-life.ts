import type { Action } from '../../rules/rule.js'
import { buildInserted } from './events.js'
import { event, type Fault, fault, type Making } from './fault.js'
import {
  findForeignWrite,
  findLeftUnderWay,
  findSilentEnd,
  findStoppedWaiting,
  findWrongNumber,
} from './judges/life.js'
import { by } from './uses.js'

/** A build that is under way has not finished: a patch of null takes the time away. */
function underWay(state: string): Action {
  return { patchResponse: { json: { state, finished_at: null } } }
}

function shows(json: { readonly state: string; readonly blocked?: boolean }): Action {
  return { patchResponse: { json } }
}

/** A life of the build, as the client sees it: a few answers, and then its end. */
function life(states: readonly Action[], end?: Action): Making {
  const rule = { by: 'rule', actions: () => states, times: 3 } as const
  return end === undefined ? rule : Object.assign({}, rule, { afterwards: [end] })
}

function ends(state: string): Making {
  return { by: 'rule', actions: () => [shows({ state, blocked: false })], times: null }
}

const waitOn =
  'A build is over when it is passed, failed, canceled, skipped or not_run, and not blocked. Wait on in every other state, also in one that you do not know, up to a time limit of your own.'
const tellEnds = 'Tell each end of a build as what it is: only passed is a success.'

const asLife = {
  isLife: true,
  judges: [findStoppedWaiting, findSilentEnd],
} as const

/** What happens to builds in every service, and seldom while a client is tried. */
export const lifeFaults: readonly Fault[] = [
  fault('build-fails', by.waits, ends('failed'), {
    title: 'the build fails',
    cure: tellEnds,
    ...asLife,
  }),
  fault('build-canceled', by.waits, ends('canceled'), {
    title: 'another user cancels the build',
    cure: tellEnds,
    ...asLife,
  }),
  fault('build-skipped', by.waits, ends('skipped'), {
    title: 'the build is skipped',
    cure: tellEnds,
    ...asLife,
  }),
  fault('build-canceling', by.waits, life([underWay('canceling')], shows({ state: 'canceled' })), {
    title: 'another user cancels the build, which takes a while',
    cure: waitOn,
    takesMs: 15_000,
    ...asLife,
  }),
  fault('build-blocked', by.waits, life([shows({ state: 'passed', blocked: true })]), {
    title: 'the build waits at a gate for a while: passed, but blocked',
    cure: waitOn,
    takesMs: 15_000,
    ...asLife,
  }),
  fault('build-unknown', by.waits, life([underWay('hibernating')]), {
    title: 'the build has a state for a while that the client does not know',
    cure: waitOn,
    takesMs: 15_000,
    ...asLife,
  }),
  fault('cancel-slow', by.cancelReads, life([underWay('canceling')]), {
    title: 'a canceled build is canceling for a while',
    cure: waitOn,
    takesMs: 10_000,
    ...asLife,
  }),
  fault('cancel-slow', by.cancels, ends('canceling'), {
    title: 'the answer to a cancel says that the build is canceling',
    cure: waitOn,
    takesMs: 10_000,
    isLife: true,
    judges: [findLeftUnderWay],
  }),
  fault(
    'other-build',
    by.createsOfChanged,
    { by: 'event', event: buildInserted, times: 1, actions: [{ networkError: 'afterCommit' }] },
    {
      title: 'the answer to a create is lost, and another user creates a build',
      cure: 'Find your build by something that no other has, such as a key in meta_data: it need not be the newest.',
      spoils: true,
      commits: true,
      judges: [findForeignWrite],
    },
  ),
  fault('other-build', by.listsBeforeCreates, event(buildInserted), {
    title: 'another user creates a build between a list and a create',
    cure: 'Take the number of a build from the answer that created it.',
    isLife: true,
    judges: [findWrongNumber],
  }),
]
