import type { BuildRecord } from '../../store/records.js'
import type { Ending, Shape } from './endings.js'
import type { Person } from './people.js'
import type { PipelineSlug } from './pipelines.js'

/** One build that somebody or something starts in the demo's history, and how it is to end. */
export interface PlannedBuild {
  /** Epoch ms. */
  readonly at: number
  readonly pipeline: PipelineSlug
  readonly ending: Ending
  readonly branch: string
  readonly message: string
  readonly creator: Person | null
  readonly source?: string
  readonly author?: BuildRecord['author']
  readonly pullRequest?: BuildRecord['pull_request']
  readonly metaData?: BuildRecord['meta_data']
  readonly shape?: Shape
  readonly cancelReason?: string
  /** Failed jobs are retried by hand so long after the build was made. */
  readonly retryAfterMs?: readonly number[]
  readonly rebuildAfterMs?: number
}
