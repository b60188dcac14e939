import type { Context } from '../context/context.js'
import { errorJson, explain, tellFailure } from '../context/errors.js'
import { ExitCode } from '../io/exit-codes.js'
import type { Redactor } from '../io/redact.js'
import type { Answer, Fields } from './tool.js'

/**
 * Controls but line feeds and tabs, characters that show nothing or turn others, and halves of
 * characters.
 */
const UNSEEN = /(?![\n\t\u200d])[\p{Cc}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Texts are cut to so many characters, step by step, until a record is small enough. */
const LENGTHS = [4_000, 1_000, 200, 60, 16]

/** The same with each of its texts changed, and without what is null. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  const there = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
  return Object.fromEntries(there.map(([key, each]) => [change(key), mapTexts(each, change)]))
}

/** A value as it may leave: without secrets and without characters that nobody sees. */
export function cleaned<T>(value: T, redactor: Redactor): T {
  return mapTexts(value, (text) => redactor.redact(text).replace(UNSEEN, '')) as T
}

/** Bytes of a value as JSON. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/**
 * The record in at most so many bytes of JSON: long texts are cut, then the last items go, then all
 * texts get short.
 */
export function fitted({ record, list }: Answer, maxBytes: number): Fields {
  if (sizeOf(record) <= maxBytes) return record
  let best: Fields = record
  for (const longest of LENGTHS) {
    let isCut = false
    const value = mapTexts(record, (text) => {
      if (text.length <= longest) return text
      isCut = true
      return `${text.slice(0, longest).replace(/\p{Surrogate}/gu, '')}…`
    }) as Fields
    const cut = isCut ? [`texts are cut to ${longest} characters`] : []
    const items = list === undefined ? null : value[list.key]
    best =
      list === undefined || !Array.isArray(items)
        ? noted(value, cut)
        : withMost(value, items, list, cut, maxBytes)
    if (sizeOf(best) <= maxBytes) break
  }
  return best
}

/** The record with as many of its items as there is room for, at least one. */
function withMost(
  value: Fields,
  items: readonly unknown[],
  { key, advice }: NonNullable<Answer['list']>,
  cut: readonly string[],
  maxBytes: number,
): Fields {
  for (let shown = items.length; ; ) {
    const left =
      shown < items.length ? [`${shown} of ${items.length} ${key} are shown: ${advice}`] : []
    const record = noted({ ...value, [key]: items.slice(0, shown) }, [...left, ...cut])
    const size = sizeOf(record)
    if (size <= maxBytes || shown <= 1) return record
    shown = Math.max(1, Math.min(shown - 1, Math.floor((shown * maxBytes) / size)))
  }
}

function noted(record: Fields, notes: readonly string[]): Fields {
  return notes.length === 0
    ? record
    : { ...record, truncated: [record.truncated, ...notes].filter(Boolean).join('; ') }
}

/** An error as `--json` tells it. A fault of ours stands on stderr too, with its stack. */
export async function failure(error: unknown, context: Context): Promise<Fields> {
  const facts = context.errorFacts()
  const found = explain(error, facts)
  if (found.exitCode === ExitCode.internal) await tellFailure(context, error)
  const { exitCode: _, ...told } = errorJson(found, facts.command).error
  const there = Object.entries(told).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  )
  return { error: Object.fromEntries(there) }
}
