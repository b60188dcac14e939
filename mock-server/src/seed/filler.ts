import type { Turn } from '../domain/turn.js'
import type { Path } from '../fields/field.js'
import type { JobRecord, Outcome, Step } from '../store/records.js'
import type { PipelinePlace } from './load-build.js'
import { agentNamed } from './load-job.js'
import type { Loading } from './loading.js'
import type { SeedPipeline } from './pipeline-tables.js'
import { createSimulated, type Happening, simulate } from './simulation.js'

const day = 86_400_000
/** The last filler build starts this long before the first listed one, so that it has ended by then. */
const quietMs = 3_600_000

const branches = ['main', 'main', 'main', 'fix/timeout', 'feature/search', 'chore/update-deps']
const messages = [
  'Fix a race in the worker',
  'Add search',
  'Update dependencies',
  'Tidy the tests',
  'Speed up the start',
]

const pick = <T>(list: readonly T[], dice: number): T | undefined => list[Math.floor(dice * list.length)]

const hexDigits = (uuid: string): string => {
  const hex = uuid.replaceAll('-', '')
  return hex + hex.slice(4, 12)
}

/** One job in eight fails; whatever the step says itself stays. */
const withEnding = (job: JobRecord, dice: number): JobRecord => {
  if (!job.step || !('command' in job.step) || job.step.outcome !== undefined || dice > 0.125) return job
  const outcome: Outcome = { exit_status: 1 }
  return { ...job, step: { ...job.step, outcome } }
}

/** Filler of one pipeline makes no builds of others. */
const withoutTriggers = (steps: readonly Step[]): readonly Step[] =>
  steps.flatMap((step): readonly Step[] => {
    if ('group' in step) return [{ ...step, steps: withoutTriggers(step.steps) }]
    return 'trigger' in step ? [] : [step]
  })

const earliestListed = (loading: Loading, given: SeedPipeline): number =>
  Math.min(
    loading.context.now,
    ...(given.builds ?? []).map(({ created_at }) => Date.parse(loading.time(created_at ?? '-0s'))),
  )

/** Deterministic builds of a pipeline, older than those that its seed lists and numbered before them. */
export const fillPipeline = (loading: Loading, place: PipelinePlace, given: SeedPipeline, at: Path) => {
  if (!given.generate || !loading.sound([...at, 'generate'])) return
  const { builds: count, days } = given.generate
  const { context, state, tx } = loading
  const { organization } = place
  const pipeline = { ...place.pipeline, steps: withoutTriggers(place.pipeline.steps) }
  if (state.builds(pipeline.id).all.length > 0) {
    return loading.issues.issue([...at, 'generate'], 'is for a pipeline without builds')
  }
  const firstNumber = Math.min(...(given.builds ?? []).map(({ number }) => number ?? Number.POSITIVE_INFINITY))
  if (firstNumber <= count) {
    return loading.issues.issue(
      [...at, 'generate', 'builds'],
      `${count} builds do not fit before number ${firstNumber}`,
    )
  }
  const end = earliestListed(loading, given) - quietMs
  const span = (days ?? 21) * day
  const stream = `filler:${pipeline.id}`
  const creators = [...state.values('members')].filter(({ organizationId }) => organizationId === organization.id)
  const happenings = Array.from({ length: count }, (_, n): Happening => {
    const draw = (what: string) => context.dice(`${stream}:${what}`, n)
    const creator = state.get('users', pick(creators, draw('creator'))?.userId ?? '')
    return {
      at: Math.floor(end - span + (span * (n + draw('at'))) / count),
      do: (turn: Turn) => {
        createSimulated(
          turn,
          pipeline,
          {
            commit: hexDigits(context.uuid('commit')),
            branch: pick(branches, draw('branch')) ?? pipeline.default_branch,
            message: pick(messages, draw('message')) ?? null,
            author: creator ? { name: creator.name, email: creator.email } : null,
          },
          { source: 'webhook', creatorId: creator?.id ?? null },
          (job) => withEnding(job, context.dice(`${stream}:${job.stepId}`, n)),
        )
      },
    }
  })
  const queues = [...state.values('queues')].filter(({ organizationId }) => organizationId === organization.id)
  const agents = [...state.values('agents')].filter(({ organizationId }) => organizationId === organization.id)
  const builds = simulate(
    { ...context, now: end + quietMs },
    {
      pipelines: [pipeline],
      queues,
      wasPaused: () => false,
      agentId: (job) =>
        pick(agents, context.dice(`agent:${job.id}`, 0))?.id ?? agentNamed(loading, organization, 'agent-1'),
      lastNumber: () => 0,
    },
    happenings,
  )
  for (const build of builds) {
    tx.put('builds', build)
    loading.counts.created += 1
  }
}
