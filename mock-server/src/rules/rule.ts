export type Matcher =
  | string
  | number
  | boolean
  | { readonly glob: string }
  | { readonly contains: string }
  | { readonly present: boolean }

export type Matchers = Readonly<Record<string, Matcher>>

/** What a request must look like; every key given must hold. */
export interface Match {
  /** An operation id: `builds.cancel`. */
  readonly operation?: string | undefined
  readonly method?: string | undefined
  /** A glob on the path without the sandbox prefix; `*` stands for any characters. */
  readonly path?: string | undefined
  readonly query?: Matchers | undefined
  readonly headers?: Matchers | undefined
  /** Keys are dotted paths into the JSON body: `meta_data.release`, `labels.0`. */
  readonly json?: Matchers | undefined
  readonly form?: Matchers | undefined
  readonly org_slug?: string | undefined
  readonly pipeline_slug?: string | undefined
  readonly number?: number | undefined
}

export type Preset =
  | 'rateLimited'
  | 'rateLimitedSeconds'
  | 'rateLimitedHttpDate'
  | 'unavailable'
  | 'badGatewayHtml'
  | 'truncatedJson'
  | 'wrongContentType'
  | 'emptyBody'

export type SocketFault =
  | 'reset'
  | 'closeEmpty'
  | 'resetMidBody'
  | 'malformedChunk'
  | 'randomBytes'
  | 'stallHeaders'
  | 'dripBody'

export interface CannedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly json?: unknown
  readonly text?: string | undefined
  readonly base64?: string | undefined
}

export interface AnswerPatch {
  readonly status?: number | undefined
  /** null takes the header away. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  /** A merge patch (RFC 7396). */
  readonly json?: Readonly<Record<string, unknown>> | undefined
}

export type Action =
  | { readonly delayMs: number | { readonly min: number; readonly max: number } }
  | { readonly advanceClockMs: number }
  | { readonly respond: CannedAnswer }
  | { readonly preset: Preset }
  | { readonly patchResponse: AnswerPatch }
  | { readonly networkError: 'beforeCommit' | 'afterCommit' }
  | {
      readonly socket: SocketFault
      readonly commit?: boolean | undefined
      readonly bytesPerSecond?: number | undefined
    }

/**
 * An overlay on the real server: what no rule answers, the server answers.
 *
 * @example
 * const rule: Rule = { match: { operation: 'builds.cancel' }, times: 1, actions: [{ preset: 'rateLimited' }] }
 */
export interface Rule {
  readonly id?: string | undefined
  /** Higher is asked first; 0 by default. */
  readonly priority?: number | undefined
  readonly match?: Match | undefined
  /** State variables that must have these values; one never set is `""`. */
  readonly when?: Readonly<Record<string, string>> | undefined
  /** Matches to let pass before the rule applies. */
  readonly skip?: number | undefined
  /** How often it applies; without it, for ever. */
  readonly times?: number | undefined
  /** Chance in [0, 1] that a match applies; the n-th outcome depends on the random seed and the rule's id only. */
  readonly probability?: number | undefined
  readonly actions: readonly Action[]
  /** State variables to set when it applies. */
  readonly then?: Readonly<Record<string, string>> | undefined
}
