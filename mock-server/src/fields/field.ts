/** The path of a value in a document: object keys and array indexes from the root. */
export type Path = readonly (string | number)[]

export type JsonSchema = Readonly<Record<string, unknown>>

/** Collects the issues of a document. A notice is about a value that is ignored without harm. */
export interface IssueReport {
  issue(path: Path, message: string): void
  notice(path: Path, message: string): void
}

/** A kind of value: its JSON Schema, and a check that reports what is wrong with a value. */
export interface Field<T> {
  readonly schema: JsonSchema
  /**
   * True if a stored value has this shape. Limits are not tested: the value may have been stored
   * before a limit existed.
   */
  readonly is: (value: unknown) => boolean
  /** Reports every issue of `value`; converts nothing. */
  check(value: unknown, at: Path, report: IssueReport): void
  /** Converts an accepted value for the record, for example a time span by `now`. */
  read?(value: T, now: number): T
  /** Only for the type of an accepted value; never set. */
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

/** Collects the first 50 different issues and counts the rest. */
export type IssueList = ReturnType<typeof createIssueList>

export function createIssueList() {
  const issues: Issue[] = []
  const notices: Issue[] = []
  let count = 0
  return {
    issues: issues as readonly Issue[],
    notices: notices as readonly Issue[],
    /** The number of issues, including those after the first 50. */
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

/** The type of a value, in the words of JSON. */
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

/** Checks a value that was passed in code. @throws TypeError with every issue */
export function checkInput(field: Field<unknown>, given: unknown): void {
  const issues = createIssueList()
  field.check(given, [], issues)
  if (issues.count === 0) return
  throw new TypeError(
    issues.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('; '),
  )
}
