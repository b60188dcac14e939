/**
 * A program with one mistake, and without it: its first argument is `careless` or `careful`. The
 * type is the one of both halves of the zoo.
 */
export interface Animal {
  readonly name: string
  readonly file: string
  readonly stack: string
  readonly does: string
  readonly mistake: string
  /** The circumstance that shows the mistake. */
  readonly shown: string
  /** Whether a server can see it. */
  readonly seen: boolean
  readonly why_unseen?: string
  /** Options of the server with which the program is quick. */
  readonly server?: readonly string[]
}

/**
 * Where a mistake shows: as harm in these rows, as a note, or as the complaint that the command fails
 * without a fault.
 */
export interface Expected {
  readonly rows: readonly string[]
  readonly as: 'harm' | 'note' | 'complaint'
}
