import type { BuildRecord, JobRecord, PipelineRecord } from '../records/records.js'

export interface Moment {
  /** Epoch ms. */
  readonly now: number
  uuid(noun: string): string
}

/**
 * What one synchronous turn can read and write: a transaction of the store, or a map of builds
 * while a seed is played.
 */
export interface Turn extends Moment {
  readonly cancelGraceMs: number
  build(id: string): BuildRecord | undefined
  put(build: BuildRecord): void
  pipelineBySlug(organizationId: string, slug: string): PipelineRecord | undefined
  queueId(organizationId: string, key: string): string | null
  /** The id of the agent that takes a job. An agent is made if the organization has none. */
  agentId(organizationId: string, job: JobRecord): string
  nextNumber(pipelineId: string): number
  openBuilds(pipelineId: string, branch: string): Iterable<BuildRecord>
}
