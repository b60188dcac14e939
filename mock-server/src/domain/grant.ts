import type { AccessTokenRecord } from '../records/records.js'
import { isLive } from './access-token.js'

/** When the last token of a standing approval ends; null without an end, undefined when none is live. */
export const grantEnd = (tokens: readonly AccessTokenRecord[], now: number): number | null | undefined => {
  const live = tokens.filter((token) => isLive(token, now))
  const last = Math.max(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  return live.length === 0 ? undefined : Number.isFinite(last) ? last : null
}
