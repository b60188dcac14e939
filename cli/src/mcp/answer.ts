import type { Context } from '../context/context.js'
import { explain } from '../context/errors/explain.js'
import { errorJson, reportFailure } from '../context/errors/report.js'
import { ExitCode } from '../io/exit-codes.js'
import type { Redactor } from '../io/redact.js'
import type { ToolAnswer, ToolRecord } from './tool.js'

/**
 * Control characters except line feed and tab, invisible characters, characters that change the
 * direction of a text, and lone surrogates.
 */
const INVISIBLE =
  /(?![\n\t\u200d])[\p{Cc}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Texts are cut to these numbers of characters, step by step, until a record is small enough. */
const TEXT_LENGTHS = [4_000, 1_000, 200, 60, 16]

/** The value with each of its texts changed, and without properties that are null or undefined. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, each]) => each != null)
  return Object.fromEntries(present.map(([key, each]) => [change(key), mapTexts(each, change)]))
}

/** The value without secrets and without invisible characters, as a client may get it. */
export function cleaned<T>(value: T, redactor: Redactor): T {
  return mapTexts(value, (text) => redactor.redact(text).replace(INVISIBLE, '')) as T
}

/** Bytes of a value as JSON. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/**
 * The record in at most `maxBytes` bytes of JSON: long texts are cut, then the last items of the
 * list are left out, then texts are cut to fewer and fewer characters.
 */
export function fitted({ record, list }: ToolAnswer, maxBytes: number): ToolRecord {
  if (sizeOf(record) <= maxBytes) return record
  let best: ToolRecord = record
  for (const maxLength of TEXT_LENGTHS) {
    let isCut = false
    const value = mapTexts(record, (text) => {
      if (text.length <= maxLength) return text
      isCut = true
      return `${text.slice(0, maxLength).replace(/\p{Surrogate}/gu, '')}…`
    }) as ToolRecord
    const notes = isCut ? [`texts are cut to ${maxLength} characters`] : []
    const items = list === undefined ? null : value[list.key]
    const hasList = list !== undefined && Array.isArray(items)
    best = hasList ? withFirstItems(value, items, list, notes, maxBytes) : withNotes(value, notes)
    if (sizeOf(best) <= maxBytes) break
  }
  return best
}

/** The record with as many items as fit in `maxBytes`, at least one. */
function withFirstItems(
  value: ToolRecord,
  items: readonly unknown[],
  { key, advice }: NonNullable<ToolAnswer['list']>,
  notes: readonly string[],
  maxBytes: number,
): ToolRecord {
  for (let shown = items.length; ; ) {
    const shownNote = `${shown} of ${items.length} ${key} are shown: ${advice}`
    const allNotes = shown < items.length ? [shownNote, ...notes] : notes
    const record = withNotes({ ...value, [key]: items.slice(0, shown) }, allNotes)
    const size = sizeOf(record)
    if (size <= maxBytes || shown <= 1) return record
    shown = Math.max(1, Math.min(shown - 1, Math.floor((shown * maxBytes) / size)))
  }
}

function withNotes(record: ToolRecord, notes: readonly string[]): ToolRecord {
  if (notes.length === 0) return record
  return { ...record, truncated: [record.truncated, ...notes].filter(Boolean).join('; ') }
}

/** An error as `--json` prints it. An internal error is printed to stderr too, with its stack. */
export async function errorRecord(error: unknown, context: Context): Promise<ToolRecord> {
  const facts = context.errorFacts()
  const explained = explain(error, facts)
  if (explained.exitCode === ExitCode.internal) await reportFailure(context, error)
  const { exitCode: _, ...fields } = errorJson(explained, facts.command).error
  const present = Object.entries(fields).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  )
  return { error: Object.fromEntries(present) }
}
