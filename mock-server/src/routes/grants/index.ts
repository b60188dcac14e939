import type { Grant, GrantRegistry } from '../../grants/grant.js'
import { deviceCodeGrant } from './device-code.js'
import { refreshTokenGrant } from './refresh-token.js'
import { tokenExchangeGrant } from './token-exchange.js'

const all: readonly Grant[] = [deviceCodeGrant, tokenExchangeGrant, refreshTokenGrant]

/** The grants of the token endpoint, by the value of `grant_type`. */
export const grants: GrantRegistry = new Map(all.map((grant) => [grant.grantType, grant]))
