/**
 * The bytes `[start, end)` of `size` that a `Range` header requests (RFC 9110 §14.1.2). Null means
 * the whole: for several ranges, other units and invalid headers. 'unsatisfiable' means that the
 * range is empty.
 */
export function readRange(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return start >= end ? 'unsatisfiable' : { start, end }
}
