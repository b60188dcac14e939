/**
 * What bytes `[start, end)` of `size` a `Range` header asks for (RFC 9110 §14.1.2). Null: the
 * whole, as for several ranges, other units and what is no range; 'unsatisfiable': nothing of it is
 * there.
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
