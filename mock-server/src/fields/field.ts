/** Where a value stands in a document: object keys and array positions from its root. */
export type Path = readonly (string | number)[]

export type JsonSchema = Readonly<Record<string, unknown>>

/** Collects what is wrong with a document; `notice` is for what is dropped without harm. */
export interface IssueReport {
  issue(path: Path, message: string): void
  notice(path: Path, message: string): void
}

/**
 * One kind of value: what JSON Schema says of it, and the check that says in words what is wrong
 * with one.
 */
export interface Field<T> {
  readonly schema: JsonSchema
  /**
   * Whether a stored value is of this kind: one that limits of today would refuse may have been
   * stored before them.
   */
  readonly is: (value: unknown) => boolean
  /** Reports every fault of `value`, and coerces nothing. */
  check(value: unknown, at: Path, report: IssueReport): void
  /** What an accepted value is kept as, where that depends on the time. */
  read?(value: T, now: number): T
  /** Carries the type of an accepted value; never set. */
  readonly accepts?: T
}

export type Accepted<F> = F extends Field<infer T> ? T : never

const plainKey = /^[A-Za-z_][A-Za-z0-9_]*$/

/** `organizations[0].env["a b"]`: the path as messages print it. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!plainKey.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

export interface Issue {
  readonly path: Path
  readonly message: string
}

export const maxIssues = 50

/** A report that keeps the first 50 issues, each once, and counts the rest. */
export type IssueList = ReturnType<typeof createIssueList>

export function createIssueList() {
  const issues: Issue[] = []
  const notices: Issue[] = []
  let count = 0
  return {
    issues: issues as readonly Issue[],
    notices: notices as readonly Issue[],
    /** Issues found, those beyond the first 50 included. */
    get count() {
      return count
    },
    issue(path: Path, message: string): void {
      const where = formatPath(path)
      if (issues.some((known) => known.message === message && formatPath(known.path) === where))
        return
      count += 1
      if (issues.length < maxIssues) issues.push({ path, message })
    },
    notice(path: Path, message: string): void {
      if (notices.length < maxIssues) notices.push({ path, message })
    },
  }
}

/** What a value is, in the words of JSON. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return `the boolean ${value}`
  return `the number ${String(value)}`
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks what was given in code. @throws TypeError naming every fault */
export function checkInput(field: Field<unknown>, given: unknown): void {
  const issues = createIssueList()
  field.check(given, [], issues)
  if (issues.count === 0) return
  throw new TypeError(
    issues.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('; '),
  )
}
