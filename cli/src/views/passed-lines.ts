/** How test runners begin the line of a test that passed. */
const PASSED = /^\s*(?:[✓✔√]|ok \d|PASS\b|--- PASS\b)/u
/** Shorter runs are shown: they say where a failure happened. */
const FEWEST_FOLDED = 8
/** Lines of a run that stay before the next line, as its surroundings. */
const KEPT = 2

/** A line of a log, or the number of lines of passed tests in its place. */
export type FoldedLine = string | number

/** Replaces long runs of tests that passed by their number; the last lines of a run stay. */
export function foldPassed(lines: readonly string[]): FoldedLine[] {
  const folded: FoldedLine[] = []
  let run: string[] = []
  const endRun = () => {
    const count = run.length < FEWEST_FOLDED ? 0 : run.length - KEPT
    if (count > 0) folded.push(count)
    folded.push(...run.slice(count))
    run = []
  }
  for (const line of lines) {
    if (PASSED.test(line)) {
      run.push(line)
      continue
    }
    endRun()
    folded.push(line)
  }
  endRun()
  return folded
}
