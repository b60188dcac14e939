import type { Looks } from '../io/color.js'
import type { Printable } from '../io/printable.js'
import type { LinkMaker, TableCell, TableColumn } from '../io/table.js'
import type { SchemaName } from './fields.js'

/** A column of records: its layout, and the cell of each record. */
export interface RecordColumn<T> extends TableColumn {
  readonly cell: (record: T, view: ViewOptions) => TableCell
}

/** What drawing needs: the width, the style, the time, and makers of links and commands. */
export interface ViewOptions {
  readonly width: number
  readonly looks: Looks
  /** Epoch milliseconds by the server's `Date`, else by the clock of this machine. */
  readonly now: number
  /** Builds of several pipelines are shown, so a number alone would be ambiguous. */
  readonly manyPipelines: boolean
  /** A command line that leads to the server and the context of this run. */
  readonly command: (words: readonly (string | number)[]) => Printable
  readonly link: LinkMaker
}

export interface TsvColumn<T> {
  readonly name: string
  readonly value: (record: T) => unknown
}

/** A type of record and how it is shown; drawing is loaded only for a terminal. */
export interface RecordKind<T> {
  /** As in messages: `8 builds shown`. */
  readonly plural: string
  readonly schema: SchemaName
  readonly columns: readonly TsvColumn<T>[]
  /** The text for `-o id`; with `isQualified` it contains the pipeline. */
  readonly id: (record: T, isQualified: boolean) => string
  /** More tab-separated lines when one record is shown alone. */
  readonly extraLines?: (record: T) => readonly (readonly unknown[])[]
  readonly table: (records: readonly T[], view: ViewOptions) => Promise<readonly Printable[]>
  readonly detail: (record: T, view: ViewOptions) => Promise<readonly Printable[]>
}
