/** Epoch ms in the one form that times have on the wire: `2026-03-01T09:05:00.120Z`. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
