import type { Looks } from '../io/color.js'
import type { Printable } from '../io/printable.js'
import type { LinkMaker, TableCell, TableColumn } from '../io/table.js'
import type { SchemaName } from './fields.js'

/** A column of records: how it is laid out, and what stands in it. */
export interface RecordColumn<T> extends TableColumn {
  readonly cell: (record: T, view: ViewOptions) => TableCell
}

export interface ViewOptions {
  readonly width: number
  readonly looks: Looks
  /** Epoch milliseconds by the server's clock where it told, else by ours. */
  readonly now: number
  /** More than one pipeline is on show, so numbers alone would be ambiguous. */
  readonly manyPipelines: boolean
  /** A command line that leads to the server and the context of this run. */
  readonly command: (words: readonly (string | number)[]) => Printable
  readonly link: LinkMaker
}

export interface TsvColumn<T> {
  readonly name: string
  readonly value: (record: T) => unknown
}

/** A sort of record and how it is shown; drawing is loaded only for a terminal. */
export interface RecordKind<T> {
  /** As in messages: `8 builds shown`. */
  readonly plural: string
  readonly schema: SchemaName
  readonly columns: readonly TsvColumn<T>[]
  /** What `-o id` prints; `isQualified` where the record's place must be in it. */
  readonly id: (record: T, isQualified: boolean) => string
  /** Further tab-separated lines of one record shown alone. */
  readonly extraLines?: (record: T) => readonly (readonly unknown[])[]
  readonly table: (records: readonly T[], view: ViewOptions) => Promise<readonly Printable[]>
  readonly detail: (record: T, view: ViewOptions) => Promise<readonly Printable[]>
}
