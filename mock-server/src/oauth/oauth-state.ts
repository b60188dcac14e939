import type { Clock } from '../base/clock.js'
import { FixedWindows } from '../http/fixed-windows.js'
import { createAssertionVerifier } from './assertion-verifier.js'
import { createJwks } from './jwks.js'
import { getByFetch, getFromNetwork } from './jwks-network.js'
import { createLastUsed } from './last-used.js'
import { createSweep } from './oauth-sweep.js'
import { createUserCodes } from './user-codes.js'

interface OAuthStateOptions {
  readonly clock: Clock
  /** Replaces the network for key sets by URI; the limits on time and size still apply to its answer. */
  readonly jwksFetch?: typeof fetch | undefined
}

/** What OAuth keeps per sandbox beside its records: caches and counters that a restart may forget. */
export type OAuthState = ReturnType<typeof createOAuthState>

export const createOAuthState = ({ clock, jwksFetch }: OAuthStateOptions) => {
  const userCodes = createUserCodes()
  const jwks = createJwks(clock, jwksFetch === undefined ? getFromNetwork : getByFetch(jwksFetch))
  return {
    jwks,
    verifyAssertion: createAssertionVerifier(),
    tokenRequests: new FixedWindows(),
    lastUsed: createLastUsed(),
    sweep: createSweep(userCodes),
    userCodes,
    close: () => jwks.close(),
  }
}
