import { ConfigError } from '../errors/errors.js'
import { codeOf, isError, safeCause } from '../errors/redact.js'

export type Undici = typeof import('undici')

/** Loads undici, which is not loaded before it is needed. @throws what the import throws */
export function loadUndici(): Promise<Undici> {
  return import('undici')
}

const missingCodes = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])

/** Why undici could not be loaded, and what helps. */
export function undiciRefused(error: unknown): ConfigError {
  const cause = safeCause(error, [])
  const what = missingCodes.has(codeOf(error) ?? '')
    ? 'undici is not installed: install it'
    : `undici cannot be loaded (${cause.message}): keep it out of the bundle`
  const others = 'give a transport, such as nodeTransport() or fetchTransport()'
  return new ConfigError('transport', `${what}, or ${others}`, { cause })
}

/**
 * Whether a bundle contains undici but cannot run it: undici requires modules of Node, which
 * esbuild does not support in its output of ES modules.
 */
export function isWithoutRequire(error: unknown): boolean {
  return isError(error) && error.message.startsWith('Dynamic require of ')
}
