/**
 * The reason of a `StoreError`. `reset`: the request began before the sandbox was reset.
 * `unavailable`: nothing can be stored now. `unwritable`: this change cannot be stored, others can.
 * The other codes prevent a start: the data directory is in use, damaged, of another format, or
 * belongs to another program.
 */
export type StoreErrorCode =
  | 'reset'
  | 'unavailable'
  | 'unwritable'
  | 'in_use'
  | 'damaged'
  | 'other_format'
  | 'foreign'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it (EACCES)',
  EPERM: 'this user may not use it (EPERM)',
  EROFS: 'its file system is read-only (EROFS)',
}

export function unusable(path: string, cause: unknown): StoreError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException
  return new StoreError(
    'foreign',
    `${path} cannot be used as a data directory: ${reasons[code] ?? code}`,
    { cause },
  )
}

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
