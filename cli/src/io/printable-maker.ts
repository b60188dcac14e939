/**
 * Text that is safe to show. Nothing else makes it than {@link made}, which a lint rule keeps to a
 * few files.
 */
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
 * Takes a text for printable as it is: for layouts of printable text, and for escape sequences of
 * ours.
 */
export function made(text: string): Printable {
  return new Printable(text)
}
