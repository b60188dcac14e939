import {
  type Check,
  either,
  flag,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  plain,
  text,
  whole,
} from './shape.js'
import type { BlockStep, CommandStep, GroupStep, TriggerStep, WaitStep } from './steps.js'

const outcome = either(
  oneOf('pass', 'timeout', 'expire', 'skip'),
  object<{ exit_status: number; signal?: string; signal_reason?: string; attempts?: number }>({
    exit_status: whole,
    signal: optional(text),
    signal_reason: optional(text),
    attempts: optional(whole),
  }),
)
const commandStep = object<CommandStep>({
  command: text,
  key: optional(text),
  label: optional(text),
  queue: optional(text),
  branches: optional(text),
  parallelism: optional(whole),
  matrix: optional(mapOf(listOf(text))),
  softFail: optional(either(flag, listOf(whole))),
  retry: optional(object<NonNullable<CommandStep['retry']>>({ automatic: whole })),
  priority: optional(number),
  durationMs: optional(number),
  outcome: optional(outcome),
  promiseFailure: optional(object<NonNullable<CommandStep['promiseFailure']>>({ afterMs: number, exit_status: whole })),
})
const waitStep = object<WaitStep>({ wait: oneOf(true), continueOnFailure: optional(flag) })
const blockStep = object<BlockStep>({
  block: text,
  key: optional(text),
  blockedState: optional(oneOf('passed', 'failed', 'running')),
})
const triggerStep = object<TriggerStep>({
  trigger: text,
  key: optional(text),
  label: optional(text),
  async: optional(flag),
  build: optional(plain),
})
/** A step as pipelines and jobs keep it. */
export const step: Check = (value) => either(commandStep, waitStep, blockStep, triggerStep, groupStep)(value)
const groupStep = object<GroupStep>({ group: text, key: text, steps: listOf((value) => step(value)) })

/** Who moves builds. */
export const lifecycle = either(
  object<{ policy: string }>({ policy: oneOf('manual', 'immediate') }),
  object<{ policy: string; speed?: number }>({ policy: oneOf('timed'), speed: optional(number) }),
)
