/** What a login asks for unless told otherwise. */
export const DEFAULT_SCOPES: readonly string[] = ['read_builds', 'write_builds', 'read_suites', 'read_build_logs']

/** Words of a scope text. */
export function scopeWords(scope: string): string[] {
  return scope.split(/\s+/u).filter((word) => word !== '')
}
