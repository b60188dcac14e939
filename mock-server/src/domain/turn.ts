import type { BuildRecord, JobRecord, PipelineRecord } from '../records/records.js'

export interface Moment {
  /** Epoch ms. */
  readonly now: number
  uuid(noun: string): string
}

/**
 * All that one turn may look at and write, synchronously: a store's transaction, or a plain map
 * while a seed is made.
 */
export interface Turn extends Moment {
  readonly cancelGraceMs: number
  build(id: string): BuildRecord | undefined
  put(build: BuildRecord): void
  pipelineBySlug(organizationId: string, slug: string): PipelineRecord | undefined
  queueId(organizationId: string, key: string): string | null
  /** The agent that takes a job: one of the organization's, made when it has none. */
  agentId(organizationId: string, job: JobRecord): string
  nextNumber(pipelineId: string): number
  openBuilds(pipelineId: string, branch: string): Iterable<BuildRecord>
}
