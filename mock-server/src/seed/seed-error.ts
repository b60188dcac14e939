import { formatPath, type Issue, maxIssues } from '../fields/field.js'
import type { Position } from './document.js'

export interface SeedIssue {
  /** `acme.yaml:14:7 organizations[0].slug: is required`; without file and place for a document given in code. */
  readonly text: string
  readonly path: string
  readonly message: string
  readonly position: Position | null
}

export const seedIssue = ({ path, message }: Issue, file: string | null, position: Position | null): SeedIssue => {
  const place = file === null ? '' : [file, ...(position ? [position.line, position.column] : [])].join(':')
  const what = formatPath(path)
  return {
    text: [place, what === '' ? message : `${what}: ${message}`].filter((part) => part !== '').join(' '),
    path: what,
    message,
    position,
  }
}

/**
 * A seed that cannot be loaded: every fault of the step that failed (at most 50), each with its place, one a line in
 * `message`.
 *
 * @example
 * try {
 *   await createMockServer({ seed: { file: 'acme.yaml' } }).ready()
 * } catch (error) {
 *   if (error instanceof SeedError) console.error(error.issues.map(({ text }) => text).join('\n'))
 * }
 */
export class SeedError extends Error {
  readonly code = 'seed_invalid'
  readonly issues: readonly SeedIssue[]

  constructor(issues: readonly SeedIssue[], count: number = issues.length) {
    const lines = issues.slice(0, maxIssues).map(({ text }) => text)
    if (count > lines.length) lines.push(`and ${count - lines.length} more`)
    super(lines.join('\n'))
    this.name = 'SeedError'
    this.issues = issues.slice(0, maxIssues)
  }
}
