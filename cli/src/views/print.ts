import type { ApiPromise, Page } from '@buildwire/sdk'
import type { Looks } from '../io/color.js'
import { CommandError, OutputClosedError } from '../io/command-error.js'
import type { Io } from '../io/io.js'
import { bytes, jsonLine, listItem, prettyJson, tsvLine } from '../io/machine.js'
import type { Notes } from '../io/notes.js'
import { joined, lines, type Printable, say, whole } from '../io/printable.js'
import type { Progress } from '../io/progress.js'
import type { Interrupts } from '../io/signals.js'
import { cells } from '../io/width.js'
import type { SchemaName } from './fields.js'
import type { OutputOptions } from './output.js'
import type { RecordKind, ViewOptions } from './view.js'

/** The only writer to stdout. Formats data as -o, --json or --jq ask. */
export type Printer = ReturnType<typeof createPrinter>

/** The data and the response of a call; ages are counted from the response's `Date`. */
export type ApiResult<T> = Awaited<ReturnType<ApiPromise<T>['withResponse']>>

export interface Listing<T> {
  readonly pages: AsyncIterable<Page<T>>
  readonly limit: number | null
  /** The user typed the limit and expects a shortened list. */
  readonly limitIsTyped: boolean
  /** Tab-separated output starts with a line of column names. */
  readonly header: boolean
  /** Where the list is from; printed to stderr before a table. */
  readonly about?: Printable | null | undefined
  readonly manyPipelines?: boolean | undefined
}

interface RecordOptions {
  /** Print a page about the record instead of a table with one line. */
  readonly page?: boolean | undefined
  /** The answer's `Date` header. */
  readonly date?: string | null | undefined
  /** As in a {@link ViewOptions}. */
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
  readonly command: ViewOptions['command']
  readonly quiet: boolean
  readonly pager: boolean
}

export function createPrinter(options: PrinterOptions) {
  const { io, notes, looks, output, progress, command } = options
  const { stdout } = io

  const view = async (
    date: string | null | undefined,
    manyPipelines = false,
  ): Promise<ViewOptions> => {
    const { linkFor } = await import('../io/hyperlink.js')
    const served = Date.parse(date ?? '')
    const now = Number.isNaN(served) ? options.now() : served
    return {
      width: stdout.columns,
      looks,
      now,
      manyPipelines,
      command,
      link: await linkFor(stdout, looks.plain),
    }
  }
  const shape = async (schema: SchemaName): Promise<(value: unknown) => unknown> => {
    if (output.fields === null) return (value) => value
    const { fieldTree, project } = await import('./fields.js')
    const tree = await fieldTree(output.fields, schema)
    return (value) => project(value, tree)
  }
  const json = async (value: unknown, line: boolean) => {
    if (output.jq === null) return stdout.write(bytes(line ? jsonLine(value) : prettyJson(value)))
    const { runJq } = await import('../io/jq.js')
    const { jq } = output
    const text = await options.interrupts.unguarded(() => runJq(JSON.stringify(value), jq))
    return stdout.write(stdout.isTTY ? whole(text) : bytes(text))
  }
  const screen = async (draw: () => Promise<readonly Printable[]>) => {
    const text = lines(await shown(draw))
    const { page } = await import('../io/pager.js')
    if (options.pager && (await page(io, notes, options.interrupts, text))) return
    await stdout.write(text)
  }
  const tsv = <T>({ columns }: RecordKind<T>, record: T) =>
    tsvLine(columns.map(({ value }) => value(record)))

  const about = (text: Printable | null | undefined, cut: Printable | null) => {
    const parts = [text, cut].filter((part) => part != null)
    if (parts.length === 0) return
    const beside = joined(parts, looks.ascii ? say` - ` : say` · `)
    const line =
      io.stderr.isTTY && cells(beside) > io.stderr.columns ? joined(parts, say`\n`) : beside
    if (cut === null) notes.note(line)
    else notes.line(line)
  }

  return {
    ...output,
    /** Whether the output shows this part of a record, so that the request must ask for it. */
    wants(part: string): boolean {
      if (!output.machine) return false
      return (
        output.fields === null ||
        output.fields.some((name) => name === part || name.startsWith(`${part}.`))
      )
    },
    async list<T>(kind: RecordKind<T>, listing: Listing<T>): Promise<void> {
      const { mode } = output
      const { limit, manyPipelines = false } = listing
      const project = await shape(kind.schema)
      if (mode === 'tsv' || mode === 'id') about(listing.about, null)
      if (mode === 'tsv' && listing.header)
        await stdout.write(bytes(tsvLine(kind.columns.map(({ name }) => name))))
      // jq and a table need all records at once; plain JSON is written page by page.
      const streamsJson = mode === 'json' && output.jq === null
      const kept: T[] = []
      let count = 0
      let more = false
      let date: string | null = null
      const work = progress.start(
        (seconds) => say`reading ${kind.plural}: ${count} so far, ${seconds} s`,
      )
      try {
        for await (const page of listing.pages) {
          date ??= page.response.headers.get('date')
          const items = page.items.slice(0, limit === null ? page.items.length : limit - count)
          const isFirst = count === 0
          count += items.length
          if (mode === 'jsonl') {
            for (const item of items) await json(project(item), true)
          } else if (mode === 'tsv') {
            await stdout.write(
              bytes(await shown(() => items.map((item) => tsv(kind, item)).join(''))),
            )
          } else if (mode === 'id') {
            await stdout.write(
              await shown(() => lines(items.map((item) => say`${kind.id(item, manyPipelines)}`))),
            )
          } else if (streamsJson) {
            const text = items.map(
              (item, at) => (isFirst && at === 0 ? '[' : ',') + listItem(project(item)),
            )
            await stdout.write(bytes(text.join('')))
          } else {
            kept.push(...items)
          }
          more = page.items.length > items.length || page.hasNext
          if (limit !== null && count >= limit) break
        }
      } catch (error) {
        const isPartial = count > 0 && !(error instanceof OutputClosedError)
        throw isPartial ? new PartialListError(count, kind.plural, error) : error
      } finally {
        work.stop()
      }
      const isCut = more && limit !== null && count >= limit
      const isExpected = options.quiet || (listing.limitIsTyped && !stdout.isTTY)
      const cut =
        isCut && !isExpected
          ? say`${counted(count, kind.plural)} shown, more exist: --limit N or --all`
          : null
      if (mode === 'table') {
        about(listing.about, cut)
        if (count === 0) return notes.note(say`No ${kind.plural} match`)
        const seen = await view(date, manyPipelines)
        return screen(() => kind.table(kept, seen))
      }
      if (streamsJson) await stdout.write(bytes(count === 0 ? '[]\n' : '\n]\n'))
      else if (mode === 'json') await json(kept.map(project), false)
      if (cut !== null) notes.line(cut)
    },
    async record<T>(
      kind: RecordKind<T>,
      record: T,
      { page = false, date, manyPipelines = false }: RecordOptions = {},
    ): Promise<void> {
      if (output.machine) return json((await shape(kind.schema))(record), output.mode === 'jsonl')
      if (output.mode === 'id') return stdout.write(lines([say`${kind.id(record, manyPipelines)}`]))
      if (output.mode === 'tsv') {
        const extra = () => (page ? (kind.extraLines?.(record) ?? []) : [])
        return stdout.write(
          bytes(await shown(() => tsv(kind, record) + extra().map(tsvLine).join(''))),
        )
      }
      const seen = await view(date, manyPipelines)
      return screen(() => (page ? kind.detail(record, seen) : kind.table([record], seen)))
    },
    answer<T>(
      kind: RecordKind<T>,
      { data, response }: ApiResult<T>,
      options?: RecordOptions,
    ): Promise<void> {
      return this.record(kind, data, { ...options, date: response.headers.get('date') })
    },
    /** Several complete records, such as the results of writes. */
    async records<T>(
      kind: RecordKind<T>,
      records: readonly T[],
      { date, manyPipelines }: RecordOptions = {},
    ): Promise<void> {
      if (output.mode === 'json') return json(records.map(await shape(kind.schema)), false)
      if (output.mode === 'table') {
        if (records.length === 0) return
        const seen = await view(date, manyPipelines)
        return screen(() => kind.table(records, seen))
      }
      for (const record of records) await this.record(kind, record, { manyPipelines })
    },
    /**
     * A value that is not a record of the API: JSON in machine modes (on one line for `oneLine`),
     * else the lines of `human`.
     */
    value(
      value: unknown,
      human: (looks: Looks) => readonly Printable[],
      oneLine = false,
    ): Promise<void> {
      if (output.machine) return json(value, oneLine || output.mode === 'jsonl')
      return stdout.write(lines(human(looks)))
    },
    /** A value that is not a record of the API, with the fields of `--json=FIELDS` only. */
    async chosen(value: object): Promise<unknown> {
      if (output.fields === null) return value
      const { nested, project } = await import('./fields.js')
      return project(value, nested(output.fields))
    },
    /** A list of values that are not records of the API; for machine modes only. */
    async values(values: readonly unknown[]): Promise<void> {
      if (output.mode === 'json') return json(values, false)
      for (const value of values) await json(value, true)
    },
    lines: (all: readonly Printable[]) => stdout.write(lines(all)),
  }
}

function counted(count: number, plural: string): string {
  return `${count} ${count === 1 ? plural.replace(/s$/u, '') : plural}`
}

/** A list that failed after a part of it was read. */
export class PartialListError extends Error {
  override readonly name = 'PartialListError'
  readonly read: Printable

  constructor(count: number, plural: string, cause: unknown) {
    super(`${counted(count, plural)} had been read`, { cause })
    this.read = say`${counted(count, plural)} were read before`
  }
}

/**
 * Draws a record of the server. A TypeError means that the record has types other than the contract
 * says, so it is reported as an error of the server.
 */
export async function shown<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new CommandError('unavailable', say`the server sent a record that cannot be shown`, {
      lines: [say`${cause.message}; --json prints it unchanged`],
      cause,
    })
  }
}
