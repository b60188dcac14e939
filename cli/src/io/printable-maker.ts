/** Text that is safe to show. It has no other maker than {@link made}, which a check keeps to a few files. */
export class Printable {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /** Takes a text as it is: for layouts of printable text, and for escape sequences of ours. */
  static made(text: string): Printable {
    return new Printable(text)
  }

  /** The text, for measures and for streams. */
  toString(): string {
    return this.#text
  }
}

/** Takes a text for printable as it is: for layouts of printable text, and for escape sequences of ours. */
export const made = (text: string): Printable => Printable.made(text)
