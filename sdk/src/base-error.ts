const brand = Symbol.for('buildwire.error')

/** What all errors of this package share. `cause`, where there is one, is a scrubbed copy of the foreign error. */
export abstract class BaseError extends Error {
  abstract readonly code: string

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }

  /** The fields that may be written to a log: an allow-list, without bodies and causes. */
  toJSON(): Record<string, unknown> {
    const known = Object.entries({ name: this.name, code: this.code, message: this.message, ...this.fields() })
    return Object.fromEntries(known.filter(([, value]) => value !== undefined))
  }

  protected abstract fields(): Record<string, unknown>
}

Object.defineProperty(BaseError.prototype, brand, { value: true })

/** Whether this is one of our errors, from whichever copy of the package. */
export function hasBrand(error: unknown): error is { readonly code?: unknown } {
  return typeof error === 'object' && error !== null && brand in error && error[brand] === true
}
