import {
  type Check,
  either,
  flag,
  keys,
  listOf,
  mapOf,
  number,
  type Of,
  object,
  oneOf,
  optional,
  text,
  whole,
} from './shape.js'

const outcome = either(
  oneOf('pass', 'timeout', 'expire', 'skip'),
  object({
    exit_status: whole,
    ...keys(optional(text), 'signal', 'signal_reason'),
    attempts: optional(whole),
  }),
)
export type Outcome = Of<typeof outcome>

const commandStep = object({
  command: text,
  ...keys(optional(text), 'key', 'label', 'queue', 'branches'),
  parallelism: optional(whole),
  matrix: optional(mapOf(listOf(text))),
  softFail: optional(either(flag, listOf(whole))),
  retry: optional(object({ automatic: whole })),
  ...keys(optional(number), 'priority', 'durationMs'),
  outcome: optional(outcome),
  onFailure: optional(
    object({
      ...keys(optional(text), 'log', 'annotation'),
      artifacts: optional(listOf(object({ path: text, content: text, mime_type: optional(text) }))),
    }),
  ),
  promiseFailure: optional(object({ afterMs: number, exit_status: whole })),
})
export type CommandStep = Of<typeof commandStep>

const waitStep = object({ wait: oneOf(true), continueOnFailure: optional(flag) })
export type WaitStep = Of<typeof waitStep>

const blockStep = object({
  block: text,
  key: optional(text),
  blockedState: optional(oneOf('passed', 'failed', 'running')),
})
export type BlockStep = Of<typeof blockStep>

const triggerStep = object({
  trigger: text,
  ...keys(optional(text), 'key', 'label'),
  async: optional(flag),
  build: optional(
    object({
      ...keys(optional(text), 'commit', 'branch', 'message'),
      ...keys(optional(mapOf(text)), 'env', 'meta_data'),
    }),
  ),
})
export type TriggerStep = Of<typeof triggerStep>

export interface GroupStep {
  readonly group: string
  readonly key: string
  readonly steps: readonly Step[]
}
const groupStep: Check<GroupStep> = object({ group: text, key: text, steps: listOf<Step>((value) => step(value)) })

export type Step = CommandStep | WaitStep | BlockStep | TriggerStep | GroupStep
/** A step as pipelines and jobs keep it. */
export const step: Check<Step> = either(commandStep, waitStep, blockStep, triggerStep, groupStep)

export const lifecycle = either(
  object({ policy: oneOf('manual', 'immediate') }),
  object({ policy: oneOf('timed'), speed: optional(number) }),
)
export type Lifecycle = Of<typeof lifecycle>
