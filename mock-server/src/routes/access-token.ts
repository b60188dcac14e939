import type { AccessTokenInfo } from '@buildwire/sdk/contract'
import { accept } from '../domain/decision.js'
import { endToken } from '../grants/approval.js'
import type { Handlers } from '../request/exchange.js'
import { route } from './route.js'

/**
 * Formats a time as `2026-03-01 09:05:00 UTC`. Only this endpoint uses that form, so that each
 * client meets both forms.
 */
function plainTime(time: string | number): string {
  return new Date(time).toISOString().replace(/^(.{10})T(.{8}).*$/, '$1 $2 UTC')
}

export const accessTokenHandlers = {
  'accessToken.get': route('accessToken.get', (_input, { caller: { token, user } }) => {
    const body: AccessTokenInfo = {
      uuid: token.id,
      scopes: [...token.scopes],
      description: token.description,
      created_at: plainTime(token.created_at),
      expires_at: token.expiresAt === null ? null : plainTime(token.expiresAt),
      user: { name: user.name, email: user.email },
    }
    return accept({ body })
  }),

  'accessToken.revoke': route('accessToken.revoke', async (_input, { caller, sandbox, now }) => {
    await sandbox.store.update((tx) => endToken(tx, caller.token, now))
    return accept({})
  }),
} satisfies Partial<Handlers>
