import type { Clock } from '../clock.js'
import { FixedWindows } from '../http/fixed-windows.js'
import { createAssertionVerifier, type VerifyAssertion } from './assertion-verifier.js'
import { createJwks, type Jwks } from './jwks.js'
import { getByFetch, getFromNetwork } from './jwks-network.js'
import { createLastUsed, type LastUsed } from './last-used.js'
import { createSweep, type Sweep } from './oauth-sweep.js'
import { createUserCodes, type UserCodes } from './user-codes.js'

/** What OAuth keeps per sandbox beside its records: caches and counters that a restart may forget. */
export interface OAuthState {
  readonly jwks: Jwks
  readonly verifyAssertion: VerifyAssertion
  readonly tokenRequests: FixedWindows
  readonly lastUsed: LastUsed
  readonly sweep: Sweep
  readonly userCodes: UserCodes
  /** Ends outgoing requests. */
  close(): void
}

export interface OAuthStateOptions {
  readonly clock: Clock
  /** Replaces the network for key sets by URI; the limits on time and size still apply to its answer. */
  readonly jwksFetch?: typeof fetch | undefined
}

export const createOAuthState = ({ clock, jwksFetch }: OAuthStateOptions): OAuthState => {
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
