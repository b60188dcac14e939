import { countJobs, maxJobs } from '../domain/plan-jobs.js'
import type { Path } from '../fields/field.js'
import type { OrganizationRecord, PipelineRecord, Step } from '../records/records.js'
import type { Loading } from './loading.js'
import { pipelineOwn, providerSettingsTable, type SeedPipeline } from './pipeline-tables.js'

/** `owner/name` of `git@git.example:owner/name.git` or an URL of it. */
const repositoryName = (repository: string): string => /([^/:]+\/[^/]+?)(?:\.git)?$/.exec(repository)?.[1] ?? repository

/** Every step, those of groups too, with its place. */
export const stepsWithin = (steps: readonly Step[], at: Path = []): (readonly [Step, Path])[] =>
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
    if ('queue' in step && step.queue) loading.refer('queue', [...path, 'queue'], organization.id, step.queue)
  }
}

/** Reports trigger steps whose pipeline does not exist; runs when every pipeline of the document is there. */
export const checkTriggers = (loading: Loading, pipeline: PipelineRecord, at: Path): void => {
  for (const [step, path] of stepsWithin(pipeline.steps, at)) {
    if ('trigger' in step) loading.refer('pipeline', [...path, 'trigger'], pipeline.organizationId, step.trigger)
  }
}

export const loadPipeline = (
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedPipeline,
  at: Path,
): PipelineRecord | undefined =>
  loading.load('pipeline', given, at, [organization.id], ({ stored, name: slug, own: known }) => {
    const own = loading.merge(pipelineOwn, given, stored, {
      ...known,
      name: () => slug,
      repository: () => `git@git.example:${organization.slug}/${slug}.git`,
      created_at: loading.yearAgo,
    })
    const provider = given.provider?.settings ?? {}
    const repository = () => repositoryName(own.repository)
    checkSteps(loading, organization, own.steps, [...at, 'steps'])
    if (given.nextNumber) loading.tx.startNumbers(own.id, given.nextNumber)
    return {
      ...own,
      organizationId: organization.id,
      providerId: given.provider?.id ?? stored?.providerId ?? 'git',
      providerSettings: loading.merge(providerSettingsTable, provider, stored?.providerSettings, { repository }),
      webhookKey: stored?.webhookKey ?? loading.context.uuid('webhook').replaceAll('-', ''),
    }
  })
