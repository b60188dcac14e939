import { isCiError } from '@buildwire/sdk'

/**
 * For a lookup that may fail: null if the server does not offer the operation or the token may not
 * use it; throws any other error.
 */
export function unlessWithheld(error: unknown): null {
  if (isCiError(error) && ['not_found', 'insufficient_scope', 'forbidden'].includes(error.code))
    return null
  throw error
}
