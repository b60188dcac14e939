/** Formats epoch ms as the API does: `2026-03-01T09:05:00.120Z`. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
