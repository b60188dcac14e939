import { type InputOf, list, mapOf, object, optional, required } from '../fields/composites.js'
import { integer, oneOf, text } from '../fields/scalars.js'
import { behaviour, maxDurationMs, stepKey } from '../records/steps.js'

const playedStep = object({
  key: stepKey,
  index: optional(integer(0, 499), undefined, 'Only this member of a parallel group, from 0.'),
  matrix: optional(mapOf(text({ max: 255 })), undefined, 'Only the jobs of these values.'),
  ...behaviour,
})

const act = object({
  afterMs: required(integer(0, maxDurationMs), 'Counted from the making of the first build.'),
  do: required(
    oneOf('cancel', 'unblock', 'retry', 'rebuild', 'push'),
    'unblock: also a build that this one triggered. After rebuild, what follows is done to the new build.',
  ),
  user: optional(
    text({ max: 254 }),
    undefined,
    'E-mail address; default: the creator of the build.',
  ),
  reason: optional(text(), undefined, 'Of a cancel.'),
})

const playTable = {
  steps: optional(list(playedStep), []),
  acts: optional(list(act, { max: 100 }), []),
}

export const play = object(playTable)
export type Play = InputOf<typeof playTable>
