import type {
  BlockStep,
  CommandStep,
  JobRecord,
  List,
  Step,
  TriggerStep,
  WaitStep,
} from '../records/records.js'
import { allowsBranch } from './glob.js'
import { isBarrier, newJob, runFields } from './job.js'

const defaultSteps: readonly Step[] = [{ command: 'make', key: 'make', label: 'Make' }]

export interface JobPlanInput {
  readonly steps: readonly Step[]
  readonly branch: string
  readonly at: string
  uuid(noun: string): string
  queueId(key: string): string | null
}

export function planJobs(plan: JobPlanInput): readonly JobRecord[] {
  return withFirstStates(
    flatten(plan.steps.length === 0 ? defaultSteps : plan.steps).flatMap(({ step, group_key }) =>
      jobsOf(step, plan).map((job) => (group_key === undefined ? job : { ...job, group_key })),
    ),
    plan,
  )
}

export function replanJobs(
  original: List<JobRecord>,
  plan: Omit<JobPlanInput, 'steps' | 'queueId'>,
): readonly JobRecord[] {
  return withFirstStates(
    original
      .filter(({ retry_source }) => retry_source === null)
      .map((job): JobRecord => {
        const {
          promised_exit_status: _status,
          promised_exit_status_at: _at,
          unblockedBy: _by,
          ...definition
        } = job
        const excluded =
          job.step === undefined && (job.state === 'skipped' || job.state === 'broken')
        return {
          ...definition,
          ...runFields,
          id: plan.uuid('job'),
          created_at: plan.at,
          scheduled_at: plan.at,
          ...(job.type === 'trigger' ? { triggeredBuildId: null } : {}),
          ...(job.type === 'manual' ? { unblockedBy: null, unblocked_at: null } : {}),
          ...(excluded ? { finished_at: plan.at } : {}),
        }
      }),
    plan,
  )
}

/** Gives jobs their first state, by the nearest barrier above. Ended jobs stay as they are. */
function withFirstStates(
  jobs: readonly JobRecord[],
  plan: Pick<JobPlanInput, 'at' | 'branch'>,
): readonly JobRecord[] {
  let barrier: JobRecord | undefined
  return jobs.map((job) => {
    const placed = job.finished_at === null ? { ...job, ...firstState(job, barrier, plan) } : job
    if (isBarrier(placed)) barrier = placed
    return placed
  })
}

export function countJobs(steps: readonly Step[]): number {
  return flatten(steps).reduce((sum, { step }) => sum + ('command' in step ? copies(step) : 1), 0)
}

function copies(step: CommandStep): number {
  return (
    (step.parallelism ?? 1) *
    Object.values(step.matrix ?? {}).reduce((product, values) => product * values.length, 1)
  )
}

type LeafStep = CommandStep | WaitStep | BlockStep | TriggerStep

function flatten(
  steps: readonly Step[],
  group_key?: string,
): { step: LeafStep; group_key: string | undefined }[] {
  return steps.flatMap((step) =>
    'group' in step ? flatten(step.steps, step.key) : [{ step, group_key }],
  )
}

function firstState(
  job: JobRecord,
  barrier: JobRecord | undefined,
  plan: Pick<JobPlanInput, 'at' | 'branch'>,
): Partial<JobRecord> {
  if (isBarrier(job)) return { state: 'waiting' }
  const { step } = job
  if (step !== undefined && 'command' in step) {
    if (step.outcome === 'skip') return { state: 'skipped', finished_at: plan.at }
    if (!allowsBranch(step.branches, plan.branch)) return { state: 'broken', finished_at: plan.at }
  }
  if (barrier === undefined) return { state: 'scheduled', runnable_at: plan.at }
  return { state: barrier.type === 'manual' ? 'blocked' : 'waiting' }
}

function jobsOf(step: LeafStep, plan: JobPlanInput): readonly JobRecord[] {
  const stepId = plan.uuid('step')
  const step_key = ('key' in step ? step.key : undefined) ?? null
  const make = (type: JobRecord['type']): JobRecord => ({
    ...newJob({ id: plan.uuid('job'), type, stepId, created_at: plan.at, scheduled_at: plan.at }),
    step_key,
    step,
  })
  if ('wait' in step) return [make('waiter')]
  if ('block' in step)
    return [{ ...make('manual'), name: step.block, unblockedBy: null, unblocked_at: null }]
  if ('trigger' in step) {
    const name = step.label ?? `Trigger ${step.trigger}`
    return [{ ...make('trigger'), name, async: step.async === true, triggeredBuildId: null }]
  }
  return commandJobs(step, () => make('script'), plan)
}

function commandJobs(
  step: CommandStep,
  make: () => JobRecord,
  plan: JobPlanInput,
): readonly JobRecord[] {
  const total = step.parallelism
  return combinations(step.matrix).flatMap((matrix) =>
    Array.from(
      { length: total ?? 1 },
      (_, index): JobRecord => ({
        ...make(),
        name: fill(step.label ?? step.command, matrix),
        command: fill(step.command, matrix),
        priority: step.priority ?? 0,
        agent_query_rules: step.queue === undefined ? [] : [`queue=${step.queue}`],
        queueId: plan.queueId(step.queue ?? 'default'),
        parallel_group_index: total === undefined ? null : index,
        parallel_group_total: total ?? null,
        matrix,
      }),
    ),
  )
}

function combinations(
  matrix: CommandStep['matrix'],
): readonly (Readonly<Record<string, string>> | null)[] {
  if (matrix === undefined) return [null]
  return Object.entries(matrix).reduce<readonly Readonly<Record<string, string>>[]>(
    (made, [key, values]) =>
      made.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  )
}

function fill(text: string, matrix: Readonly<Record<string, string>> | null): string {
  return matrix === null
    ? text
    : Object.entries(matrix).reduce(
        (made, [key, value]) => made.replaceAll(`{{matrix.${key}}}`, () => value),
        text,
      )
}
