import type { Path } from '../fields/field.js'
import type { BuildRecord } from '../records/records.js'
import type { SeedBuild } from './build-tables.js'
import type { PipelineLocation } from './load-organization.js'
import type { Loading } from './loading.js'

function findBuild(
  { state, issues }: Loading,
  { organization }: PipelineLocation,
  { pipeline: slug, number }: NonNullable<SeedBuild['rebuilt_from']>,
  at: Path,
): BuildRecord | undefined {
  const pipeline = state.find('pipelineBySlug', organization.id, slug)
  const build = pipeline && state.find('buildByNumber', pipeline.id, number)
  if (!build)
    issues.issue(at, `there is no build ${number} of the pipeline ${JSON.stringify(slug)}`)
  return build
}

function changeBuild(
  { state, tx }: Loading,
  id: string,
  changes: (build: BuildRecord) => Partial<BuildRecord>,
): void {
  const build = state.get('builds', id)
  if (build) tx.put('builds', { ...build, ...changes(build) })
}

/** Joins a build to the build that it rebuilds and to the builds that its trigger jobs made. */
export function linkBuild(
  loading: Loading,
  location: PipelineLocation,
  given: SeedBuild,
  { id, jobs }: BuildRecord,
  at: Path,
): void {
  const original =
    given.rebuilt_from && findBuild(loading, location, given.rebuilt_from, [...at, 'rebuilt_from'])
  if (original) {
    const { id: originalId, number, pipelineId } = original
    changeBuild(loading, id, () => ({ rebuiltFrom: { id: originalId, number, pipelineId } }))
  }

  for (const [n, { triggered_build }] of (given.jobs ?? []).entries()) {
    if (!triggered_build) continue
    const here = [...at, 'jobs', n, 'triggered_build']
    const triggered = findBuild(loading, location, triggered_build, here)
    const parent = loading.state.get('builds', id)
    const triggerJob = jobs.at(n)
    if (!triggered || !parent || !triggerJob) continue

    const { number, pipelineId } = parent
    const triggeredFrom = { buildId: id, number, pipelineId, jobId: triggerJob.id }
    changeBuild(loading, id, (build) => ({
      jobs: build.jobs.map((job) =>
        job.id === triggerJob.id ? { ...job, triggeredBuildId: triggered.id } : job,
      ),
    }))
    changeBuild(loading, triggered.id, () => ({
      triggeredFrom,
      triggerDepth: parent.triggerDepth + 1,
    }))
  }
}
