/** A log in the manner of a tool, and the line of it that a person wants to see. */
export interface LogCase {
  /** Unique, kebab-case: what failed. */
  name: string
  /** The tool, or the situation. */
  tool: string
  /** The job's exit status, or null where there is none. */
  exit_status: number | null
  /** The whole raw log as an agent stores it: colours, carriage returns, time stamps and all. */
  log: () => string
  /**
   * A text that the wanted line contains, without colours; no other line of the log contains it,
   * unless that one serves as well.
   */
  wanted: string
}
