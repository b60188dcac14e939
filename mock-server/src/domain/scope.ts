import { SCOPES } from '@buildwire/sdk/contract'
import type { ApplicationRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'

/** The scopes of the contract and of the configuration. No scope implies another. */
export function knownScopes(extraScopes: readonly string[]): ReadonlySet<string> {
  return new Set([...SCOPES, ...extraScopes])
}

/**
 * Reads a `scope` parameter (RFC 6749 §3.3): each scope once, in order; refused if one is unknown.
 */
export function parseScope(
  text: string | undefined,
  known: ReadonlySet<string>,
): Decision<readonly string[]> {
  const scopes = [...new Set((text ?? '').split(' ').filter((piece) => piece !== ''))]
  return scopes.every((scope) => known.has(scope))
    ? accept(scopes)
    : refuse('invalid_scope', 'Invalid scope')
}

function within(scopes: readonly string[], allowed: readonly string[]): boolean {
  const set = new Set(allowed)
  return scopes.every((scope) => set.has(scope))
}

type ScopedApplication = Pick<ApplicationRecord, 'kind' | 'grantableScopes' | 'defaultScopes'>

/**
 * The scopes that a request gets: all requested ones, or, in a token exchange without `scope`, the
 * defaults of the application.
 */
export function grantScopes(
  requested: readonly string[],
  application: ScopedApplication,
): Decision<readonly string[]> {
  if (application.kind === 'device') {
    if (requested.length === 0)
      return refuse('invalid_scope', 'At least one valid scope is required')
    return within(requested, application.grantableScopes)
      ? accept(requested)
      : refuse('invalid_scope', 'Invalid scope')
  }
  if (requested.length > 0) {
    return within(requested, application.grantableScopes)
      ? accept(requested)
      : refuse('invalid_scope', 'Requested scopes exceed grantable scopes')
  }
  const defaults = application.defaultScopes.filter((scope) =>
    application.grantableScopes.includes(scope),
  )
  return defaults.length > 0
    ? accept(defaults)
    : refuse('invalid_scope', 'No scope requested and the application has no default scopes')
}

/** The scopes of a refreshed access token: all granted ones, or the requested part of them. */
export function narrowScopes(
  requested: readonly string[],
  granted: readonly string[],
): Decision<readonly string[]> {
  if (requested.length === 0) return accept(granted)
  return within(requested, granted)
    ? accept(requested)
    : refuse('invalid_scope', 'Requested scopes exceed granted scopes')
}
