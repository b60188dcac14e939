import { countJobs } from '../domain/plan-jobs.js'
import type { Path } from '../fields/field.js'
import type { OrganizationRecord, PipelineRecord, Step } from '../records/records.js'
import { maxJobs } from '../records/steps.js'
import type { Loading } from './loading.js'
import { pipelineTable, providerSettingsTable, type SeedPipeline } from './pipeline-tables.js'

/** `owner/name` from `git@git.example:owner/name.git` or from a URL. */
function repositoryName(repository: string): string {
  const [name] = /(?<![^/:])[^/:]+\/[^/]+$/.exec(repository) ?? []
  return name?.replace(/(?<=[^/])\.git$/, '') ?? repository
}

/** Every step, including the steps of groups, with its path. */
export function stepsWithin(steps: readonly Step[], at: Path = []): (readonly [Step, Path])[] {
  return steps.flatMap((step, n) => {
    const here: readonly [Step, Path] = [step, [...at, n]]
    return 'group' in step ? [here, ...stepsWithin(step.steps, [...at, n, 'steps'])] : [here]
  })
}

/**
 * Reports step keys that occur twice and queues that do not exist. `checkTriggers` looks up the
 * pipelines of trigger steps, after all pipelines are loaded.
 */
function checkSteps(
  loading: Loading,
  organization: OrganizationRecord,
  steps: readonly Step[],
  at: Path,
): void {
  if (countJobs(steps) > maxJobs)
    loading.issues.issue(at, `the steps make more than ${maxJobs} jobs`)
  const keys = new Set<string>()
  for (const [step, path] of stepsWithin(steps, at)) {
    const key = 'key' in step ? step.key : undefined
    if (key !== undefined && keys.has(key))
      loading.issues.issue([...path, 'key'], `${JSON.stringify(key)} names another step already`)
    if (key !== undefined) keys.add(key)
    if ('queue' in step && step.queue)
      loading.refer('queue', [...path, 'queue'], organization.id, step.queue)
  }
}

/** Reports trigger steps whose pipeline does not exist. */
export function checkTriggers(loading: Loading, pipeline: PipelineRecord, at: Path): void {
  for (const [step, path] of stepsWithin(pipeline.steps, at)) {
    if ('trigger' in step)
      loading.refer('pipeline', [...path, 'trigger'], pipeline.organizationId, step.trigger)
  }
}

export function loadPipeline(
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedPipeline,
  at: Path,
): PipelineRecord | undefined {
  return loading.load('pipeline', given, at, [organization.id], ({ stored, name: slug, own }) => {
    const fields = loading.merge(pipelineTable, given, stored, {
      ...own,
      name: () => slug,
      repository: () => `git@git.example:${organization.slug}/${slug}.git`,
      created_at: loading.yearAgo,
    })
    const provider = given.provider?.settings ?? {}
    const repository = () => repositoryName(fields.repository)
    checkSteps(loading, organization, fields.steps, [...at, 'steps'])
    if (given.nextNumber) loading.tx.startNumbers(fields.id, given.nextNumber)
    return {
      ...fields,
      organizationId: organization.id,
      providerId: given.provider?.id ?? stored?.providerId ?? 'git',
      providerSettings: loading.merge(providerSettingsTable, provider, stored?.providerSettings, {
        repository,
      }),
      webhookKey: stored?.webhookKey ?? loading.context.uuid('webhook').replaceAll('-', ''),
    }
  })
}
