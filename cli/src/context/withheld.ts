import { isCiError } from '@buildwire/sdk'

/**
 * What a server does not offer, or a token may not see, is no error to whoever only looks for it.
 */
export function unlessWithheld(error: unknown): null {
  if (isCiError(error) && ['not_found', 'insufficient_scope', 'forbidden'].includes(error.code))
    return null
  throw error
}
