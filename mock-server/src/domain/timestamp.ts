/** Epoch ms in the one form that times have on the wire: `2026-03-01T09:05:00.120Z`. */
export const timestamp = (ms: number): string => new Date(ms).toISOString()
