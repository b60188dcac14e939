import { maxJobs } from '../domain/plan-jobs.js'
import {
  type Choice,
  choice,
  type Given,
  hasKey,
  keyed,
  list,
  mapOf,
  object,
  optional,
  required,
} from '../fields/composites.js'
import { type Field, isPlainObject, type JsonSchema } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import { exactly, flag, integer, number, oneOf, text } from '../fields/scalars.js'
import type { Lifecycle, Outcome, Step } from '../records/records.js'
import { artifactTable } from './attachment-tables.js'

const maxDurationMs = 30 * 86_400_000
const stepKey = text({ max: 255, pattern: /^[A-Za-z0-9._:-]+$/, shape: 'a step key: letters, digits, . _ : -' })
const words = text({ min: 1, max: 1000 })

export const lifecycle: Field<Lifecycle> = Object.assign(
  choice('an object with policy: manual, immediate or timed', () => [
    {
      when: (value) => isPlainObject(value) && value['policy'] === 'timed',
      field: object({
        policy: required(exactly('timed')),
        speed: optional(number(0.001, 1_000_000), 1),
      }) as Field<Lifecycle>,
    },
    {
      when: hasKey('policy'),
      field: object({ policy: required(oneOf('manual', 'immediate', 'timed')) }) as Field<Lifecycle>,
    },
  ]),
  { read: withoutNulls<Lifecycle> },
)

const isText = (value: unknown) => typeof value === 'string'

const outcome = choice('pass, timeout, expire, skip, or an object with exit_status', () => [
  { when: isText, field: oneOf('pass', 'timeout', 'expire', 'skip') },
  {
    when: isPlainObject,
    field: object({
      exit_status: required(integer(-1, 255)),
      signal: optional(text({ max: 40 })),
      signal_reason: optional(text({ max: 40 })),
      attempts: optional(integer(1, 10), undefined, 'Fails on the first n attempts only.'),
    }) as Field<Outcome>,
  },
])

const softFail = choice('true, false or a list of exit statuses', () => [
  { when: (value) => typeof value === 'boolean', field: flag },
  { when: Array.isArray, field: list(integer(-1, 255), { max: 100 }) },
])

const onFailureArtifact = {
  path: artifactTable.path,
  content: required(text({ max: 65_536 })),
  mime_type: artifactTable.mime_type,
}

const behaviour = {
  durationMs: optional(integer(0, maxDurationMs)),
  outcome: optional(outcome),
  onFailure: optional(
    object({
      log: optional(text({ max: 10_000 }), undefined, 'What the log of a failed job says went wrong.'),
      annotation: optional(text({ min: 1, max: 10_000 }), undefined, 'Of the build, as an error. In played builds.'),
      artifacts: optional(list(object(onFailureArtifact), { max: 20 }), undefined, 'Of the job. In played builds.'),
    }),
  ),
  promiseFailure: optional(
    object({ afterMs: required(integer(0, maxDurationMs)), exit_status: required(integer(1, 255)) }),
  ),
}

const commandStep = {
  command: required(text({ max: 10_000 })),
  key: optional(stepKey),
  label: optional(words),
  queue: optional(text({ min: 1, max: 100 })),
  branches: optional(words),
  parallelism: optional(integer(1, maxJobs)),
  matrix: optional(mapOf(list(text({ max: 255 }), { min: 1, max: 100 }))),
  softFail: optional(softFail),
  retry: optional(object({ automatic: required(integer(0, 10)) })),
  priority: optional(integer(-1_000_000, 1_000_000)),
  ...behaviour,
}

const playedStep = object({
  key: required(stepKey),
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
  user: optional(text({ max: 254 }), undefined, 'E-mail address; default: the creator of the build.'),
  reason: optional(text(), undefined, 'Of a cancel.'),
})

const playTable = { steps: optional(list(playedStep), []), acts: optional(list(act, { max: 100 }), []) }
export const play = object(playTable)
export type Play = Given<typeof playTable>

const triggerStep = {
  trigger: required(text({ min: 1, max: 100 }), 'Slug of a pipeline of the same organization.'),
  key: optional(stepKey),
  label: optional(words),
  async: optional(flag),
  build: optional(
    object({
      commit: optional(words),
      branch: optional(words),
      message: optional(text()),
      env: optional(mapOf(text())),
      meta_data: optional(mapOf(text())),
    }),
  ),
}

const step = choice('a step: an object with command, wait, block, trigger or group', (): readonly Choice<unknown>[] => [
  keyed(commandStep),
  keyed({ wait: required(exactly(true)), continueOnFailure: optional(flag) }),
  keyed({
    block: required(words),
    key: optional(stepKey),
    blockedState: optional(oneOf('passed', 'failed', 'running')),
  }),
  keyed(triggerStep),
  keyed({
    group: required(words),
    key: required(stepKey),
    steps: required({ ...steps, schema: { $ref: '#/$defs/steps' } }),
  }),
]) as Field<Step>

/** The list of a pipeline's steps, groups inside it too. */
export const steps: Field<readonly Step[]> = {
  get schema() {
    return { $ref: '#/$defs/steps' }
  },
  check: (value, at, report) => listOfSteps.check(value, at, report),
  read: withoutNulls,
}

const listOfSteps = list(step, { max: maxJobs })

/** Definitions that the printed JSON Schema refers to: steps hold steps. */
export const stepDefinitions = (): Readonly<Record<string, JsonSchema>> => ({
  steps: listOfSteps.schema,
})
