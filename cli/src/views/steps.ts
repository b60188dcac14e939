import { type Printable, say } from '../io/printable.js'
import { cells } from '../io/width.js'

export interface NextStep {
  readonly about: Printable
  readonly command: Printable
}

/** Steps as lines of a page. No command is cut: where it does not fit behind its words, it has a line of its own. */
export function stepLines(steps: readonly NextStep[], width: number): Printable[] {
  return steps.flatMap(({ about, command }) => {
    const line = say`  ${about}: ${command}`
    return cells(line) <= width ? [line] : [say`  ${about}:`, say`  ${command}`]
  })
}
