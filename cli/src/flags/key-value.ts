import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** Reads `K=V`; everything after the first `=` is the value, which is undefined for `K` alone. */
export function parseKeyValue(text: string) {
  const at = text.indexOf('=')
  const key = at === -1 ? text : text.slice(0, at)
  if (key === '') throw usageError(say`${JSON.stringify(text)} has no name before the =`)
  return { key, value: at === -1 ? undefined : text.slice(at + 1) }
}

/** Reads `K=V`, and refuses `K` alone. */
export function parseAssignment(text: string): { key: string; value: string } {
  const { key, value } = parseKeyValue(text)
  if (value === undefined) throw usageError(say`${JSON.stringify(text)} has no =; write NAME=VALUE`)
  return { key, value }
}

/** Reads build meta-data: `K=V` is a string, `K:=true` and `K:=false` are booleans. */
export function parseMetaData(text: string): { key: string; value: string | boolean } {
  const at = text.indexOf('=')
  if (at > 1 && text.charAt(at - 1) === ':') {
    const word = text.slice(at + 1)
    if (word === 'true' || word === 'false')
      return { key: text.slice(0, at - 1), value: word === 'true' }
    throw usageError(
      say`${JSON.stringify(text)}: after := only true or false is allowed; write text with =`,
    )
  }
  return parseAssignment(text)
}

/** Pairs as an object; of a repeated key the last value counts. */
export function toObject<T>(
  pairs: readonly { readonly key: string; readonly value: T }[] | undefined,
): Record<string, T> {
  return Object.fromEntries((pairs ?? []).map(({ key, value }) => [key, value]))
}

/** The values of each key, in the order of the pairs. */
export function byKey(
  pairs: readonly { readonly key: string; readonly value: string }[],
): Record<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { key, value } of pairs) values.set(key, [...(values.get(key) ?? []), value])
  return Object.fromEntries(values)
}
