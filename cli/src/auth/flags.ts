import { parseDuration } from '../flags/duration.js'
import {
  choiceFlag,
  type FlagValues,
  parsedFlag,
  switchFlag,
  textFlag,
  wordsFlag,
} from '../flags/flags.js'

/** Scopes of extensions, which a service may not know; the rarest one is last. */
const EXTENSION_SCOPES = ['read_build_logs', 'read_artifacts']

/** The scopes of a login without `--scope`. */
export const DEFAULT_SCOPES: readonly string[] = [
  'read_builds',
  'write_builds',
  'read_suites',
  ...EXTENSION_SCOPES,
]

/**
 * The scopes without the last one, if it is a scope of an extension; null if it is not.
 */
export function fewerScopes(scopes: readonly string[]): readonly string[] | null {
  return EXTENSION_SCOPES.includes(scopes.at(-1) ?? '') ? scopes.slice(0, -1) : null
}

export const loginFlags = {
  scope: wordsFlag({
    helpValue: 'SCOPE',
    summary: `What the token may do (${DEFAULT_SCOPES.join(',')})`,
  }),
  'client-id': textFlag({
    helpValue: 'ID',
    summary: 'The application to log in with; kept in the context',
  }),
  'with-token': switchFlag({ summary: 'Read an access token from stdin instead' }),
  'no-browser': switchFlag({ summary: 'Never open a browser' }),
  'insecure-storage': switchFlag({
    summary: 'Keep the token in a file, although there may be a keyring',
  }),
}

export type LoginFlagValues = FlagValues<typeof loginFlags>

export const mintFlags = {
  subject: textFlag({ helpValue: 'MAIL', summary: 'The user the token acts as' }),
  scope: wordsFlag({
    helpValue: 'SCOPE',
    summary: 'What the token may do (default: the scopes of the application)',
  }),
  'expires-in': parsedFlag(parseDuration, {
    helpValue: 'DUR',
    summary: "How long it lives, at most the application's limit",
  }),
  'client-id': textFlag({ helpValue: 'ID', summary: 'The application that signs' }),
  key: textFlag({ helpValue: 'FILE|-', summary: 'Its private key: PEM or JWK' }),
  kid: textFlag({ helpValue: 'ID', summary: 'Name of the key, where the key itself has none' }),
  alg: choiceFlag('alg', ['RS256', 'ES256'], {
    summary: 'Signature algorithm; it follows the key',
  }),
}

export type MintFlagValues = FlagValues<typeof mintFlags>
