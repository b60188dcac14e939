import {
  type Choice,
  choice,
  hasKey,
  type InputOf,
  keyed,
  list,
  mapOf,
  object,
  optional,
  orNull,
  required,
} from '../fields/composites.js'
import { type Accepted, type Field, isPlainObject, type JsonSchema } from '../fields/field.js'
import { type WithoutNulls, withoutNulls } from '../fields/merge.js'
import { exactly, flag, integer, isText, number, oneOf, text } from '../fields/scalars.js'

/** The maximum number of jobs of a pipeline, checked when its steps are defined. */
export const maxJobs = 5_000
export const maxDurationMs = 30 * 86_400_000
export const stepKey = text({
  max: 255,
  pattern: /^[A-Za-z0-9._:-]+$/,
  shape: 'a step key: letters, digits, . _ : -',
})
const words = text({ min: 1, max: 1000 })

const timed = object({ policy: exactly('timed'), speed: optional(number(0.001, 1_000_000), 1) })
const policies = object({ policy: oneOf('manual', 'immediate', 'timed') })
export type Lifecycle =
  | WithoutNulls<Accepted<typeof timed>>
  | { readonly policy: 'manual' | 'immediate' }

export const lifecycle = {
  ...choice('an object with policy: manual, immediate or timed', () => [
    { when: (value) => isPlainObject(value) && value['policy'] === 'timed', field: timed },
    { when: hasKey('policy'), field: policies },
  ]),
  read: withoutNulls,
} as Field<Lifecycle>

const outcome = choice('pass, timeout, expire, skip, or an object with exit_status', () => [
  { when: isText, field: oneOf('pass', 'timeout', 'expire', 'skip') },
  {
    when: isPlainObject,
    field: object({
      exit_status: integer(-1, 255),
      signal: optional(text({ max: 40 })),
      signal_reason: optional(text({ max: 40 })),
      attempts: optional(integer(1, 10), undefined, 'Fails on the first n attempts only.'),
    }),
  },
])
export type StepOutcome = WithoutNulls<Accepted<typeof outcome>>

const softFail = choice('true, false or a list of exit statuses', () => [
  { field: flag },
  { when: Array.isArray, field: list(integer(-1, 255), { max: 100 }) },
])

export const artifactPath = required(
  text({ min: 1, max: 1000 }),
  'Natural key within the job. Any text: a client must not trust it.',
)
export const mimeType = optional(
  text({ max: 127, pattern: /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, shape: 'a media type' }),
  undefined,
  'Default: application/octet-stream, text/plain for `content`.',
)
const onFailureArtifact = {
  path: artifactPath,
  content: text({ max: 65_536 }),
  mime_type: mimeType,
}

/** How the jobs of a step behave. */
export const behaviour = {
  durationMs: optional(integer(0, maxDurationMs)),
  outcome: optional(outcome),
  onFailure: optional(
    object({
      log: optional(
        text({ max: 10_000 }),
        undefined,
        'What the log of a failed job says went wrong.',
      ),
      annotation: optional(
        text({ min: 1, max: 10_000 }),
        undefined,
        'Of the build, as an error. In played builds.',
      ),
      artifacts: optional(
        list(object(onFailureArtifact), { max: 20 }),
        undefined,
        'Of the job. In played builds.',
      ),
    }),
  ),
  promiseFailure: optional(
    object({ afterMs: integer(0, maxDurationMs), exit_status: integer(1, 255) }),
  ),
}

const commandStep = {
  command: text({ max: 10_000 }),
  key: optional(stepKey),
  label: optional(words),
  queue: optional(text({ min: 1, max: 100 })),
  branches: optional(words),
  parallelism: optional(integer(1, maxJobs)),
  matrix: optional(mapOf(list(text({ max: 255 }), { min: 1, max: 100 }))),
  softFail: optional(softFail),
  retry: optional(object({ automatic: integer(0, 10) })),
  priority: optional(integer(-1_000_000, 1_000_000)),
  ...behaviour,
}

export type CommandStep = WithoutNulls<InputOf<typeof commandStep>>

const waitStep = { wait: orNull(exactly(true)), continueOnFailure: optional(flag) }
export type WaitStep = WithoutNulls<InputOf<typeof waitStep>>

const blockStep = {
  block: words,
  key: optional(stepKey),
  blockedState: optional(oneOf('passed', 'failed', 'running')),
}

export type BlockStep = WithoutNulls<InputOf<typeof blockStep>>

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

export type TriggerStep = WithoutNulls<InputOf<typeof triggerStep>>

export interface GroupStep {
  readonly group: string
  readonly key: string
  readonly steps: readonly Step[]
}

export type Step = CommandStep | WaitStep | BlockStep | TriggerStep | GroupStep
/** A step as pipelines and jobs keep it. */
export const step = choice(
  'a step: an object with command, wait, block, trigger or group',
  (): readonly Choice<unknown>[] => [
    keyed(commandStep),
    keyed(waitStep),
    keyed(blockStep),
    keyed(triggerStep),
    keyed({ group: words, key: stepKey, steps }),
  ],
) as Field<Step>

/** The steps of a pipeline, including groups. */
export const steps: Field<readonly Step[]> = {
  schema: { $ref: '#/$defs/steps' },
  is: (value) => listOfSteps.is(value),
  check: (value, at, report) => listOfSteps.check(value, at, report),
  read: (given) => withoutNulls(given.map(readStep)),
}

/** YAML reads `- wait:` as null, and records contain no nulls. */
function readStep(given: Step): Step {
  if ('wait' in given) return { ...given, wait: true }
  if ('group' in given) return { ...given, steps: given.steps.map(readStep) }
  return given
}

const listOfSteps = list(step, { max: maxJobs })

/** Definitions for the JSON Schema of steps, which contain steps. */
export function stepDefinitions(): Readonly<Record<string, JsonSchema>> {
  return {
    steps: listOfSteps.schema,
  }
}
