export type Outcome =
  | 'pass'
  | 'timeout'
  | 'expire'
  | 'skip'
  | {
      readonly exit_status: number
      readonly signal?: string
      readonly signal_reason?: string
      readonly attempts?: number
    }

export interface CommandStep {
  readonly command: string
  readonly key?: string
  readonly label?: string
  readonly queue?: string
  readonly branches?: string
  readonly parallelism?: number
  readonly matrix?: Readonly<Record<string, readonly string[]>>
  readonly softFail?: boolean | readonly number[]
  readonly retry?: { readonly automatic: number }
  readonly priority?: number
  readonly durationMs?: number
  readonly outcome?: Outcome
  readonly promiseFailure?: { readonly afterMs: number; readonly exit_status: number }
}
export interface WaitStep {
  readonly wait: true
  readonly continueOnFailure?: boolean
}
export interface BlockStep {
  readonly block: string
  readonly key?: string
  readonly blockedState?: 'passed' | 'failed' | 'running'
}
export interface TriggerStep {
  readonly trigger: string
  readonly key?: string
  readonly label?: string
  readonly async?: boolean
  readonly build?: Readonly<Record<string, unknown>>
}
export interface GroupStep {
  readonly group: string
  readonly key: string
  readonly steps: readonly Step[]
}
export type Step = CommandStep | WaitStep | BlockStep | TriggerStep | GroupStep

export type Lifecycle =
  | { readonly policy: 'manual' | 'immediate' }
  | { readonly policy: 'timed'; readonly speed?: number }
