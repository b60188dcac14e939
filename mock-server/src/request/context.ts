import type { Clock } from '../base/clock.js'
import type { Ids } from '../base/ids.js'
import type { TokenUse } from '../domain/access-token.js'
import type { PrintedBuilds } from '../http/printed-builds.js'
import type { OAuthState } from '../oauth/oauth-state.js'
import type { Lifecycle } from '../records/records.js'
import type { Settings } from '../seed/settings.js'
import type { Store } from '../store/store.js'

/** The three public URLs (with the sandbox's prefix): every URL in a record is made from these, never from `Host`. */
export interface Urls {
  readonly baseUrl: string
  readonly authUrl: string
  readonly webUrl: string
}

export interface SandboxContext {
  readonly id: string
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly settings: Settings
  /** Under the name that the request came to, where it is one of the server's. */
  readonly urls: Urls
  /** Under every name of the server. */
  readonly allUrls: readonly Urls[]
  readonly lifecycle: Lifecycle
  /** Whether unknown properties of a body are refused instead of ignored. */
  readonly strict: boolean
  readonly printed: { readonly listed: PrintedBuilds; readonly alone: PrintedBuilds }
  /** Signs links that are valid by themselves for a moment; no other sandbox and no other process has it. */
  readonly linkKey: string
  readonly oauth: OAuthState
}

/** Who calls, and what the token is worth right now: set before a handler runs whenever the operation wants one. */
export type Caller = TokenUse

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string under `text`, or its bytes, is sent as it is. Neither: an empty body. */
  readonly body?: unknown
  readonly text?: string | Uint8Array
  /** JSON in UTF-8 already. */
  readonly json?: Uint8Array
}
