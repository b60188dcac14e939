/** Why a watch ended; the build's own ends, or the one that `--until` or `--timeout` asked for. */
export type Outcome =
  | 'passed'
  | 'failed'
  | 'canceled'
  | 'skipped'
  | 'not_run'
  | 'blocked'
  | 'failing'
  | 'started'
  | 'unknown'
  | 'timeout'

/** One thing that happened to a watched build, in the order and spelling of `-o jsonl`. Times are epoch ms. */
export type WatchEvent =
  | { readonly type: 'build.state'; readonly at: number; readonly from: string | null; readonly to: string }
  | {
      readonly type: 'job.state'
      readonly at: number
      readonly job_id: string
      readonly name: string
      readonly from: string | null
      readonly to: string
    }
  | {
      readonly type: 'job.promised_failure'
      readonly at: number
      readonly job_id: string
      readonly name: string
      readonly promised_exit_status: number
    }
  | { readonly type: 'build.failing'; readonly at: number; readonly failing_at: string }
  | { readonly type: 'build.blocked'; readonly at: number }
  | {
      readonly type: 'poll.error'
      readonly at: number
      readonly code: string
      readonly message: string
      readonly delayMs: number
      /** The first of a streak; the ones after it are no news. */
      readonly first: boolean
    }
