import { formatPath, type IssueList, maxIssues, type Path } from '../fields/field.js'
import type { SourceDocument, SourcePosition } from './document.js'

export interface SeedIssue {
  /**
   * `acme.yaml:14:7 organizations[0].slug: is required`; without file and place for a document
   * given in code.
   */
  readonly text: string
  readonly path: string
  readonly message: string
  readonly position: SourcePosition | null
}

/**
 * A seed that cannot be loaded: every fault of the step that failed (at most 50), each with its
 * place, one a line in `message`.
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
  /** Faults found, those beyond the first 50 included. */
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

/** @param file What messages call the document; none for one that was given in code. */
export function seedIssue(
  path: Path,
  message: string,
  file?: string,
  position: SourcePosition | null = null,
): SeedIssue {
  const place = file && [file, ...(position ? [position.line, position.column] : [])].join(':')
  const what = formatPath(path)
  const text = [place, what === '' ? message : `${what}: ${message}`].filter(Boolean).join(' ')
  return { text, path: what, message, position }
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
