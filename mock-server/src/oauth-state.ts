import type { Clock } from './clock.js'
import { createLastUsed, type LastUsed } from './last-used.js'

/** What OAuth keeps per sandbox beside its records: caches and counters that a restart may forget. */
export interface OAuthState {
  readonly lastUsed: LastUsed
}

export interface OAuthStateOptions {
  readonly clock: Clock
  /** Replaces the network for key sets by URI; the limits on time and size still apply to its answer. */
  readonly jwksFetch?: typeof fetch | undefined
}

export const createOAuthState = (_options: OAuthStateOptions): OAuthState => ({ lastUsed: createLastUsed() })
