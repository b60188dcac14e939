import type { Looks } from '../io/color.js'
import { OutputClosedError } from '../io/command-error.js'
import type { Io } from '../io/io.js'
import { bytes, jsonLine, listItem, prettyJson, tsvLine } from '../io/machine.js'
import type { Notes } from '../io/notes.js'
import { joined, lines, type Printable, say, whole } from '../io/printable.js'
import type { Progress } from '../io/progress.js'
import { shown } from '../io/shown.js'
import type { Interrupts } from '../io/signals.js'
import { cells } from '../io/width.js'
import type { FieldTree, SchemaName } from './fields.js'
import type { OutputOptions } from './output.js'
import type { RecordKind, View } from './view.js'

/** The response behind an answer, whose `Date` is the clock that ages are counted by. */
interface Dated {
  readonly response: { readonly headers: { get(name: string): string | null } }
}

/** One page of a list, as the SDK gives it. */
export interface PageLike<T> extends Dated {
  readonly items: readonly T[]
  readonly hasNext: boolean
}

/** What a call answers, as the SDK gives it. */
export interface Answer<T> extends Dated {
  readonly data: T
}

interface Listing<T> {
  readonly pages: AsyncIterable<PageLike<T>>
  /** At most so many records; null for all. */
  readonly limit: number | null
  /** The person typed the limit, so being cut is no surprise. */
  readonly limitIsTyped: boolean
  /** Tab-separated lines get a first line of column names. */
  readonly header: boolean
  /** Said on stderr in front of a table: where the list is from. */
  readonly about?: Printable | null | undefined
  readonly manyPipelines?: boolean | undefined
}

/** Prints data on stdout, in the form that was asked for; the only one who does. */
export interface Printer extends OutputOptions {
  /** Whether the output shows this part of a record, so that the request must ask for it. */
  wants(part: string): boolean
  list<T>(kind: RecordKind<T>, listing: Listing<T>): Promise<void>
  record<T>(kind: RecordKind<T>, record: T, options?: RecordOptions): Promise<void>
  /** The record that a call answered. */
  answer<T>(kind: RecordKind<T>, answer: Answer<T>, options?: RecordOptions): Promise<void>
  /** Several records that are complete already: what writes got. */
  records<T>(kind: RecordKind<T>, records: readonly T[], options?: RecordOptions): Promise<void>
  /** A value of this program's own: JSON in machine modes, on `oneLine` where it has to be small, else `human` lines. */
  value(value: unknown, human: (looks: Looks) => readonly Printable[], oneLine?: boolean): Promise<void>
  /** Values of this program's own, as a list: JSON in machine modes only. */
  values(values: readonly unknown[]): Promise<void>
  /** Lines for people or pipes as they are. */
  lines(lines: readonly Printable[]): Promise<void>
}

interface RecordOptions {
  /** A page about it instead of a list of one. */
  readonly page?: boolean | undefined
  /** The answer's `Date` header. */
  readonly date?: string | null | undefined
  /** As in a {@link View}. */
  readonly manyPipelines?: boolean | undefined
}

export interface PrinterOptions {
  readonly io: Io
  readonly notes: Notes
  readonly looks: Looks
  readonly output: OutputOptions
  readonly progress: Progress
  readonly interrupts: Interrupts
  readonly now: () => number
  readonly command: View['command']
  readonly quiet: boolean
  readonly pager: boolean
}

export function createPrinter(options: PrinterOptions): Printer {
  const { io, notes, looks, output, progress } = options
  const { stdout } = io

  const view = async (date: string | null | undefined, manyPipelines = false): Promise<View> => {
    const { linkFor } = await import('../io/hyperlink.js')
    const served = Date.parse(date ?? '')
    return {
      width: stdout.columns,
      looks,
      now: Number.isNaN(served) ? options.now() : served,
      manyPipelines,
      command: options.command,
      link: await linkFor(stdout, looks.plain),
    }
  }
  const shape = async (schema: SchemaName): Promise<(value: unknown) => unknown> => {
    if (output.fields === null) return (value) => value
    const { fieldTree, project } = await import('./fields.js')
    const tree: FieldTree = await fieldTree(output.fields, schema)
    return (value) => (Array.isArray(value) ? value.map((item) => project(item, tree)) : project(value, tree))
  }
  const json = async (value: unknown, line: boolean) => {
    if (output.jq === null) return stdout.write(bytes(line ? jsonLine(value) : prettyJson(value)))
    const { runJq } = await import('../io/jq.js')
    const text = await runJq(JSON.stringify(value), output.jq)
    return stdout.write(stdout.isTTY ? whole(text) : bytes(text))
  }
  const screen = async (shownLines: readonly Printable[]) => {
    const text = lines(shownLines)
    const { page } = await import('../io/pager.js')
    if (options.pager && (await page(io, notes, options.interrupts, text))) return
    await stdout.write(text)
  }

  const cutNote = (count: number, plural: string, listing: { limitIsTyped: boolean }) => {
    if (options.quiet || (listing.limitIsTyped && !stdout.isTTY)) return null
    return say`${counted(count, plural)} shown, more exist: --limit N or --all`
  }
  const about = (text: Printable | null | undefined, cut: Printable | null) => {
    const parts = [text, cut].filter((part) => part != null)
    if (parts.length === 0) return
    const beside = joined(parts, looks.ascii ? say` - ` : say` · `)
    const line = io.stderr.isTTY && cells(beside) > io.stderr.columns ? joined(parts, say`\n`) : beside
    if (cut === null) notes.note(line)
    else notes.line(line)
  }

  return {
    ...output,
    wants(part) {
      if (output.mode !== 'json' && output.mode !== 'jsonl') return false
      return output.fields === null || output.fields.some((name) => name === part || name.startsWith(`${part}.`))
    },
    async list(kind, listing) {
      const project = output.machine ? await shape(kind.schema) : (value: unknown) => value
      const streams = output.mode === 'jsonl' || output.mode === 'tsv' || output.mode === 'id'
      if (streams) about(output.machine ? null : listing.about, null)
      if (output.mode === 'tsv' && listing.header)
        await stdout.write(bytes(tsvLine(kind.columns.map(({ name }) => name))))
      // A filter and a table need all of them.
      const asRead = output.mode === 'json' && output.jq === null
      const kept: (typeof kind extends RecordKind<infer R> ? R : never)[] = []
      let count = 0
      let more = false
      let date: string | null = null
      const work = progress.start((seconds) => say`reading ${kind.plural}: ${count} so far, ${seconds} s`)
      try {
        for await (const page of listing.pages) {
          date ??= page.response.headers.get('date')
          const room = listing.limit === null ? page.items.length : listing.limit - count
          const items = page.items.slice(0, room)
          count += items.length
          if (output.mode === 'jsonl') {
            for (const item of items) await json(project(item), true)
          } else if (output.mode === 'tsv') {
            const line = (item: (typeof items)[number]) => tsvLine(kind.columns.map(({ value }) => value(item)))
            await stdout.write(bytes(await shown(() => items.map(line).join(''))))
          } else if (output.mode === 'id') {
            await stdout.write(
              await shown(() => lines(items.map((item) => say`${kind.id(item, listing.manyPipelines === true)}`))),
            )
          } else if (asRead) {
            const first = count === items.length
            const text = items.map((item, at) => (first && at === 0 ? '[' : ',') + listItem(project(item)))
            await stdout.write(bytes(text.join('')))
          } else {
            kept.push(...items)
          }
          more = page.items.length > items.length || page.hasNext
          if (listing.limit !== null && count >= listing.limit) break
        }
      } catch (error) {
        const isPartial = count > 0 && !(error instanceof OutputClosedError)
        throw isPartial ? new PartialListError(count, kind.plural, error) : error
      } finally {
        work.stop()
      }
      const cut = more && listing.limit !== null && count >= listing.limit ? cutNote(count, kind.plural, listing) : null
      if (output.mode === 'table') {
        about(listing.about, cut)
        if (count === 0) notes.note(say`No ${kind.plural} match`)
        else {
          const seen = await view(date, listing.manyPipelines)
          await screen(await shown(() => kind.table(kept, seen)))
        }
        return
      }
      if (asRead) await stdout.write(bytes(count === 0 ? '[]\n' : '\n]\n'))
      else if (output.mode === 'json') await json(project(kept), false)
      if (cut !== null) notes.line(cut)
    },
    async record(kind, record, { page = false, date, manyPipelines = false } = {}) {
      if (output.machine) return json((await shape(kind.schema))(record), output.mode === 'jsonl')
      if (output.mode === 'id') return stdout.write(lines([say`${kind.id(record, manyPipelines)}`]))
      if (output.mode === 'tsv') {
        const extra = () => (page ? (kind.extraLines?.(record) ?? []) : [])
        const line = () => kind.columns.map(({ value }) => value(record))
        return stdout.write(bytes(await shown(() => [line(), ...extra()].map(tsvLine).join(''))))
      }
      const seen = await view(date, manyPipelines)
      return screen(await shown(() => (page ? kind.detail(record, seen) : kind.table([record], seen))))
    },
    answer(kind, { data, response }, options) {
      return this.record(kind, data, { ...options, date: response.headers.get('date') })
    },
    async records(kind, records, { date, manyPipelines } = {}) {
      if (output.mode === 'json') return json((await shape(kind.schema))(records), false)
      if (output.mode === 'table') {
        if (records.length === 0) return
        const seen = await view(date, manyPipelines)
        return screen(await shown(() => kind.table(records, seen)))
      }
      for (const record of records) await this.record(kind, record, { manyPipelines })
    },
    async value(value, human, oneLine = false) {
      if (output.machine) return json(value, oneLine || output.mode === 'jsonl')
      return stdout.write(lines(human(looks)))
    },
    async values(values) {
      if (output.mode === 'json') return json(values, false)
      for (const value of values) await json(value, true)
    },
    lines: (all) => stdout.write(lines(all)),
  }
}

/** `1 build`, `8 builds`. */
function counted(count: number, plural: string): string {
  return `${count} ${count === 1 ? plural.replace(/s$/u, '') : plural}`
}

/** A list that failed after some of it had been read. */
export class PartialListError extends Error {
  override readonly name = 'PartialListError'
  readonly read: Printable

  constructor(count: number, plural: string, cause: unknown) {
    super(`${counted(count, plural)} had been read`, { cause })
    this.read = say`${counted(count, plural)} had been read before`
  }
}
