/** Scopes of extensions, which a service may not know; the one that fewest know stands last. */
const EXTENSION_SCOPES = ['read_build_logs', 'read_artifacts']

/** What a login asks for unless told otherwise. */
export const DEFAULT_SCOPES: readonly string[] = ['read_builds', 'write_builds', 'read_suites', ...EXTENSION_SCOPES]

/** The default scopes without the last that only an extension needs; null when none is left to leave out. */
export function fewerScopes(scopes: readonly string[]): readonly string[] | null {
  return EXTENSION_SCOPES.includes(scopes.at(-1) ?? '') ? scopes.slice(0, -1) : null
}

export function scopeWords(scope: string): string[] {
  return scope.split(/\s+/u).filter((word) => word !== '')
}
