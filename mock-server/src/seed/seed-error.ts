import { formatPath, type IssueList, maxIssues, type Path } from '../fields/field.js'
import type { SourceDocument, SourcePosition } from './document.js'

export interface SeedIssue {
  /**
   * `acme.yaml:14:7 organizations[0].slug: is required`; without file and position if the document
   * was passed in code.
   */
  readonly text: string
  readonly path: string
  readonly message: string
  readonly position: SourcePosition | null
}

/**
 * A seed that cannot be loaded. `message` lists the issues of the step that failed (at most 50),
 * one a line, each with its position.
 *
 * @example
 * try {
 *   await createMockServer({ seed: { file: 'acme.yaml' } }).ready()
 * } catch (error) {
 *   if (error instanceof SeedError) console.error(error.issues.map(({ text }) => text).join('\n'))
 * }
 */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly code = 'seed_invalid'
  readonly issues: readonly SeedIssue[]
  /** The number of issues, including those after the first 50. */
  readonly count: number

  constructor(issues: readonly SeedIssue[], count: number = issues.length) {
    const listed = issues.slice(0, maxIssues)
    const more = count > listed.length ? [`and ${count - listed.length} more`] : []
    super([...listed.map(({ text }) => text), ...more].join('\n'))
    this.issues = listed
    this.count = count
  }
}

function inOrder({ position: a }: SeedIssue, { position: b }: SeedIssue): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)
}

/** @param file The name of the document in messages; absent if it was passed in code. */
export function seedIssue(
  path: Path,
  message: string,
  file?: string,
  position: SourcePosition | null = null,
): SeedIssue {
  const where = file && [file, ...(position ? [position.line, position.column] : [])].join(':')
  const formatted = formatPath(path)
  const what = formatted === '' ? message : `${formatted}: ${message}`
  const text = [where, what].filter(Boolean).join(' ')
  return { text, path: formatted, message, position }
}

export function seedError(
  { issues, count }: IssueList,
  file?: string,
  source?: SourceDocument,
): SeedError {
  return new SeedError(
    issues
      .map(({ path, message }) => seedIssue(path, message, file, source?.locate(path)))
      .sort(inOrder),
    count,
  )
}
