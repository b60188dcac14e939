import { must } from '../base/checked.js'

/**
 * The subject token type of a user's e-mail address at this vendor: `urn:<vendor>:params:oauth:token-type:user-email`.
 *
 * @throws ConfigError `config` unless `vendor` is a URN namespace word (RFC 8141 §2).
 * @example
 * ```ts
 * import { userEmailTokenType } from '@buildwire/sdk'
 * const subject_token_type = userEmailTokenType('buildwire')
 * ```
 */
export function userEmailTokenType(vendor: string): string {
  if (typeof vendor !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]$/.test(vendor)) {
    throw must('vendor', 'be a URN namespace word: 2 to 32 letters, digits or inner hyphens')
  }
  return `urn:${vendor}:params:oauth:token-type:user-email`
}
