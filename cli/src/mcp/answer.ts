import type { Context } from '../context/context.js'
import { explain } from '../context/errors/explain.js'
import { errorJson, reportFailure } from '../context/errors/report.js'
import { ExitCode } from '../io/exit-codes.js'
import type { Redactor } from '../io/redact.js'
import type { ToolAnswer, ToolRecord } from './tool.js'
import { factsForTools, reportForTools } from './tool-hints.js'

/**
 * Control characters except line feed and tab, invisible characters, characters that change the
 * direction of a text, and lone surrogates.
 */
const INVISIBLE =
  /(?![\n\t\u200d])[\p{Cc}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu
/** A joiner that does not join two pictographs. */
const LOOSE_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu
/** A text with none of these characters. Most lines of logs are. */
const PLAIN = /^[\n\t -~]*$/u
/** A value is read to this depth. */
const DEEPEST = 64

/** Texts are cut to these numbers of characters, step by step, until a record is small enough. */
const TEXT_LENGTHS = [4_000, 1_000, 200, 60, 16]
/** A part of so many bytes stays while there is space, however many parts there are. */
const SMALL_PART = 32
/** The most characters of `truncated` if parts of a record are left out. */
const MOST_NOTE = 300

/** The value with each of its texts changed, and without properties that are null or undefined. */
function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '[too deep]'
  const mapped = (child: unknown) => mapTexts(child, change, depth + 1)
  if (Array.isArray(value)) return value.map(mapped)
  const present = Object.entries(value).filter(([, each]) => each != null)
  return Object.fromEntries(present.map(([key, each]) => [change(key), mapped(each)]))
}

/**
 * The value without invisible characters and without secrets, as a client may get it. Secrets are
 * removed last, because an invisible character inside a secret would hide it.
 */
export function cleaned<T>(value: T, redactor: Redactor): T {
  return mapTexts(value, (text) => {
    const visible = PLAIN.test(text) ? text : text.replace(INVISIBLE, '').replace(LOOSE_JOINER, '')
    return redactor.redact(visible)
  }) as T
}

/** Bytes of a value as JSON. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/**
 * The record in at most `maxBytes` bytes of JSON: long texts are cut, then the last items of the
 * list are left out, then texts are cut to fewer and fewer characters, then parts are left out.
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
    if (sizeOf(best) <= maxBytes) return best
  }
  const { truncated, ...rest } = withNotes(best, ['parts that are too large are left out'])
  const note = String(truncated).slice(-MOST_NOTE)
  const parts = pruned(rest, maxBytes - sizeOf({ truncated: note }))
  return { ...(parts as ToolRecord), truncated: note }
}

/**
 * The parts of a value that fit in `maxBytes` bytes of JSON, at least 2. Small parts stay, and
 * large ones share what is left of the bytes. Undefined if the value has no parts and is too large.
 */
function pruned(value: unknown, maxBytes: number): unknown {
  if (sizeOf(value) <= maxBytes) return value
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([key, child], index) => {
    const ownBytes = isList ? 1 : sizeOf(key) + 2
    return { key, child, index, ownBytes, bytes: ownBytes + sizeOf(child) }
  })
  const kept: { readonly key: string; readonly index: number; readonly part: unknown }[] = []
  let left = maxBytes - 2
  let others = parts.length
  for (const { key, child, index, ownBytes, bytes } of parts.sort((a, b) => a.bytes - b.bytes)) {
    const share = Math.max(Math.floor(left / others), Math.min(left, SMALL_PART))
    others -= 1
    if (share < ownBytes + 2) continue
    const part = bytes <= share ? child : pruned(child, share - ownBytes)
    if (part === undefined) continue
    kept.push({ key, index, part })
    left -= ownBytes + sizeOf(part)
  }
  kept.sort((a, b) => a.index - b.index)
  if (isList) return kept.map(({ part }) => part)
  return Object.fromEntries(kept.map(({ key, part }) => [key, part]))
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
  const facts = factsForTools(context.errorFacts())
  const explained = reportForTools(explain(error, facts), facts)
  if (explained.exitCode === ExitCode.internal) await reportFailure(context, error)
  const { exitCode: _, ...fields } = errorJson(explained, facts.command).error
  const present = Object.entries(fields).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  )
  return { error: Object.fromEntries(present) }
}
