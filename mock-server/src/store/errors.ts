/**
 * Why the store refused. `reset`: the request began before the sandbox was reset. `unavailable`: nothing can be stored now.
 * The others stop a start: the directory is in use, damaged, of a newer format, or not ours.
 */
export type StoreErrorCode = 'reset' | 'unavailable' | 'in_use' | 'damaged' | 'newer_format' | 'foreign'

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
