import type { CommandStep, JobRecord, Outcome } from '../../store/records.js'
import type { PipelineSlug } from './pipelines.js'

export type Ending = 'passed' | 'failed' | 'canceled' | 'blocked' | 'skipped' | 'notRun' | 'waiting' | 'open'

/** How some jobs of a build differ from what their steps say. */
export type Shape = (job: JobRecord) => Partial<CommandStep>

const outcome = (
  key: string,
  value: Outcome,
  more: Partial<CommandStep> = {},
  only?: (job: JobRecord) => boolean,
): Shape => {
  return (job) => (job.step_key === key && (only?.(job) ?? true) ? { ...more, outcome: value } : {})
}
const shard = (index: number) => (job: JobRecord) => job.parallel_group_index === index
const promised = { promiseFailure: { afterMs: 20_000, exit_status: 1 } }

/** The ways in which a pipeline's builds fail, taken in turn. */
const failures: Readonly<Record<PipelineSlug, readonly Shape[]>> = {
  web: [
    outcome('unit', { exit_status: 1 }, {}, shard(5)),
    outcome('lint', { exit_status: 1 }),
    outcome('unit', { exit_status: 1 }, {}, shard(2)),
    outcome('deploy', { exit_status: 1 }),
  ],
  api: [
    outcome('test', { exit_status: 101 }, {}, (job) => job.matrix?.['database'] === 'postgres-16'),
    outcome('integration', { exit_status: 1 }, promised),
    outcome('image', { exit_status: 137, signal: 'SIGKILL' }),
  ],
  mobile: [
    outcome('ios-test', 'timeout'),
    outcome('ios-archive', 'expire'),
    outcome('android-test', { exit_status: 1 }),
    outcome('ios-test', { exit_status: 65 }),
    outcome('ios-archive', { exit_status: -1, signal: 'SIGTERM', signal_reason: 'agent_stop' }),
  ],
  infra: [outcome('plan', { exit_status: 1 })],
  docs: [outcome('prose', { exit_status: 1 }), outcome('site', { exit_status: 2 })],
  nightly: [outcome('e2e', { exit_status: 1 }, {}, (job) => job.matrix?.['browser'] === 'webkit')],
}

/** What a passing build had to get over: flaky shards that pass when retried, lint that only warns. */
const hiccups: Readonly<Partial<Record<PipelineSlug, readonly Shape[]>>> = {
  web: [() => ({}), outcome('unit', { exit_status: 1, attempts: 1 }, {}, shard(3)), () => ({})],
  api: [
    outcome('lint', { exit_status: 101 }),
    () => ({}),
    outcome('test', { exit_status: 101, attempts: 1 }, {}, (job) => job.matrix?.['database'] === 'postgres-15'),
    outcome('lint', { exit_status: 101 }),
  ],
}

/** The shape of the `turn`-th build of a pipeline that ends in this way. */
export function shapeOf(pipeline: PipelineSlug, ending: Ending, turn: number): Shape {
  const ways = ending === 'failed' ? failures[pipeline] : ending === 'passed' ? hiccups[pipeline] : undefined
  return ways?.[turn % ways.length] ?? (() => ({}))
}

/** Every command of a build takes longer. */
export const slower =
  (factor: number, shape: Shape = () => ({})): Shape =>
  (job) => {
    const durationMs = job.step !== undefined && 'command' in job.step ? (job.step.durationMs ?? 0) : 0
    return { durationMs: durationMs * factor, ...shape(job) }
  }

/** A job whose step says what the shape does. */
export const reshaped =
  (shape: Shape) =>
  (job: JobRecord): JobRecord =>
    job.step !== undefined && 'command' in job.step ? { ...job, step: { ...job.step, ...shape(job) } } : job
