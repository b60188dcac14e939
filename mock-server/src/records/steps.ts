import {
  type Check,
  either,
  flag,
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
    signal: optional(text),
    signal_reason: optional(text),
    attempts: optional(whole),
  }),
)
export type Outcome = Of<typeof outcome>

const commandStep = object({
  command: text,
  key: optional(text),
  label: optional(text),
  queue: optional(text),
  branches: optional(text),
  parallelism: optional(whole),
  matrix: optional(mapOf(listOf(text))),
  softFail: optional(either(flag, listOf(whole))),
  retry: optional(object({ automatic: whole })),
  priority: optional(number),
  durationMs: optional(number),
  outcome: optional(outcome),
  onFailure: optional(
    object({
      log: optional(text),
      annotation: optional(text),
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
  key: optional(text),
  label: optional(text),
  async: optional(flag),
  build: optional(
    object({
      commit: optional(text),
      branch: optional(text),
      message: optional(text),
      env: optional(mapOf(text)),
      meta_data: optional(mapOf(text)),
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

/** Who moves builds. */
export const lifecycle = either(
  object({ policy: oneOf('manual', 'immediate') }),
  object({ policy: oneOf('timed'), speed: optional(number) }),
)
export type Lifecycle = Of<typeof lifecycle>
