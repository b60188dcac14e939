import { countJobs, maxJobs } from '../domain/plan-jobs.js'
import type { Path } from '../fields/field.js'
import type { OrganizationRecord, PipelineRecord, Step } from '../store/records.js'
import { choose, type Loading } from './loading.js'
import { providerSettingsTable, type SeedPipeline } from './pipeline-tables.js'

/** `owner/name` of `git@git.example:owner/name.git` or an URL of it. */
const repositoryName = (repository: string): string => /([^/:]+\/[^/]+?)(?:\.git)?$/.exec(repository)?.[1] ?? repository

const defaultProviderSettings: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(providerSettingsTable).flatMap(([name, row]) => ('fallback' in row ? [[name, row.fallback]] : [])),
)

const stepsWithin = (steps: readonly Step[], at: Path): (readonly [Step, Path])[] =>
  steps.flatMap((step, n) => {
    const here: readonly [Step, Path] = [step, [...at, n]]
    return 'group' in step ? [here, ...stepsWithin(step.steps, [...at, n, 'steps'])] : [here]
  })

/** Keys are unique in a pipeline, and queues that steps name exist. Pipelines that triggers name are looked up later. */
const checkSteps = (loading: Loading, organization: OrganizationRecord, steps: readonly Step[], at: Path): void => {
  if (countJobs(steps) > maxJobs) loading.issues.issue(at, `the steps make more than ${maxJobs} jobs`)
  const keys = new Set<string>()
  for (const [step, path] of stepsWithin(steps, at)) {
    const key = 'key' in step ? step.key : undefined
    if (key !== undefined && keys.has(key))
      loading.issues.issue([...path, 'key'], `${JSON.stringify(key)} names another step already`)
    if (key !== undefined) keys.add(key)
    if ('queue' in step && step.queue && !loading.state.find('queueByKey', organization.id, step.queue)) {
      loading.dangling('queue', step.queue, [...path, 'queue'], 'queue')
    }
  }
}

/** Reports trigger steps whose pipeline does not exist; runs when every pipeline of the document is there. */
export const checkTriggers = (loading: Loading, pipeline: PipelineRecord, at: Path): void => {
  for (const [step, path] of stepsWithin(pipeline.steps, at)) {
    if ('trigger' in step && !loading.state.find('pipelineBySlug', pipeline.organizationId, step.trigger)) {
      loading.dangling('pipeline', step.trigger, [...path, 'trigger'], 'pipeline')
    }
  }
}

export const loadPipeline = (
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedPipeline,
  at: Path,
): PipelineRecord | undefined => {
  if (!loading.sound(at, ['builds'])) return undefined
  const { state, context } = loading
  const stored = given.id
    ? state.get('pipelines', given.id)
    : state.find('pipelineBySlug', organization.id, given.slug ?? '')
  const slug = given.slug ?? stored?.slug
  if (slug === undefined) {
    loading.issues.issue([...at, 'slug'], 'is required for a new pipeline')
    return undefined
  }
  if (!loading.once(`pipeline of ${organization.id}`, slug, [...at, 'slug'])) return undefined
  const holder = state.find('pipelineBySlug', organization.id, slug)
  if (holder && holder.id !== (stored?.id ?? given.id)) {
    loading.issues.issue([...at, 'slug'], 'belongs to another pipeline')
    return undefined
  }
  const repository = choose(
    given.repository,
    stored?.repository,
    () => `git@git.example:${organization.slug}/${slug}.git`,
  )
  const record: PipelineRecord = {
    id: stored?.id ?? given.id ?? context.uuid('pipeline'),
    organizationId: organization.id,
    slug,
    name: choose(given.name, stored?.name, () => slug),
    repository,
    default_branch: choose(given.default_branch, stored?.default_branch, () => 'main'),
    branch_configuration: choose<string | null>(given.branch_configuration, stored?.branch_configuration, () => null),
    providerId: choose(given.provider?.id, stored?.providerId, () => 'git'),
    providerSettings: {
      ...(stored?.providerSettings ?? { ...defaultProviderSettings, repository: repositoryName(repository) }),
      ...given.provider?.settings,
    },
    webhookKey: stored?.webhookKey ?? context.uuid('webhook').replaceAll('-', ''),
    skip_queued_branch_builds: choose(given.skip_queued_branch_builds, stored?.skip_queued_branch_builds, () => false),
    skip_queued_branch_builds_filter: choose<string | null>(
      given.skip_queued_branch_builds_filter,
      stored?.skip_queued_branch_builds_filter,
      () => null,
    ),
    cancel_running_branch_builds: choose(
      given.cancel_running_branch_builds,
      stored?.cancel_running_branch_builds,
      () => false,
    ),
    cancel_running_branch_builds_filter: choose<string | null>(
      given.cancel_running_branch_builds_filter,
      stored?.cancel_running_branch_builds_filter,
      () => null,
    ),
    allowRebuilds: choose(given.allowRebuilds, stored?.allowRebuilds, () => true),
    steps: choose(given.steps, stored?.steps, () => []),
    lifecycle: choose(given.lifecycle, stored?.lifecycle, () => null),
    created_at: choose(given.created_at && loading.time(given.created_at), stored?.created_at, () =>
      loading.time('-365d'),
    ),
  }
  checkSteps(loading, organization, record.steps, [...at, 'steps'])
  loading.put('pipelines', record, stored)
  return record
}
