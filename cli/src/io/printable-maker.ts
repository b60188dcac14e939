/** Text that is safe to show. Only {@link made} makes it, and a lint rule limits its callers. */
export class Printable {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/**
 * Makes a text printable without a check: for layouts of printable text, and for escape sequences
 * of this program.
 */
export function made(text: string): Printable {
  return new Printable(text)
}
