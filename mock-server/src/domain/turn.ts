import type { BuildRecord, JobRecord, PipelineRecord } from '../records/records.js'

/** What a move may use: the time it happens at, and new ids. */
export interface Moment {
  /** Epoch ms. */
  readonly now: number
  uuid(noun: string): string
}

/**
 * All that one turn of the lifecycle may look at and write: a store's transaction, or a plain map while a seed is
 * being made. Everything in it is synchronous.
 */
export interface Turn extends Moment {
  readonly cancelGraceMs: number
  build(id: string): BuildRecord | undefined
  put(build: BuildRecord): void
  pipelineBySlug(organizationId: string, slug: string): PipelineRecord | undefined
  /** The id of an organization's queue with this key, or null when there is none. */
  queueId(organizationId: string, key: string): string | null
  /** The agent that takes a job: one of the organization's, made when it has none. */
  agentId(organizationId: string, job: JobRecord): string
  /** The next number of a pipeline; each is given once. */
  nextNumber(pipelineId: string): number
  /** Builds of a pipeline's branch that have not ended. */
  openBuilds(pipelineId: string, branch: string): Iterable<BuildRecord>
}
