import type { FieldError } from '../domain/decision.js'

/** Collects the errors of one body, in the order in which its fields are read. */
export class FieldErrors {
  readonly list: FieldError[] = []

  add(field: string, code: FieldError['code']): undefined {
    this.list.push({ field, code })
    return undefined
  }

  /** A string with something in it; absent, null and blank are missing. */
  requiredText(body: Body, field: string): string | undefined {
    const value = body[field]
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      return this.add(field, 'missing')
    }
    return typeof value === 'string' ? value : this.add(field, 'invalid')
  }

  /** A string of any kind; absent and null are null. */
  optionalText(body: Body, field: string): string | null {
    const value = body[field] ?? null
    if (value === null || typeof value === 'string') return value
    this.add(field, 'invalid')
    return null
  }

  /** A boolean, or its word; absent and null are false. */
  flag(body: Body, field: string): boolean {
    const value = body[field] ?? false
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    this.add(field, 'invalid')
    return false
  }

  /** Property names that the reader does not know; reported only when the server is strict. */
  unknown(body: Body, known: readonly string[]): void {
    for (const field of Object.keys(body)) if (!known.includes(field)) this.add(field, 'unknown')
  }
}

export type Body = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
