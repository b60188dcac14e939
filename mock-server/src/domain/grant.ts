import type { AccessTokenRecord } from '../records/records.js'
import { isLive } from './access-token.js'

export interface GrantSummary {
  /** Tokens of the grant that work now. */
  readonly liveTokens: number
  /** When the last of them ends; null without an end, undefined when none is live. */
  readonly expiresAt: number | null | undefined
}

/** What a person wants to know about a standing approval. */
export const summarizeGrant = (tokens: readonly AccessTokenRecord[], now: number): GrantSummary => {
  const live = tokens.filter((token) => isLive(token, now))
  const last = Math.max(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  return { liveTokens: live.length, expiresAt: live.length === 0 ? undefined : Number.isFinite(last) ? last : null }
}
