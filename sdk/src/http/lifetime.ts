/** Until when a client may be used. */
export class Lifetime {
  readonly #release: () => Promise<void>
  readonly #parent: Lifetime | undefined
  #ending: Promise<void> | undefined

  constructor(release: () => Promise<void>, parent?: Lifetime) {
    this.#release = release
    this.#parent = parent
  }

  get closed(): boolean {
    return this.#ending !== undefined || this.#parent?.closed === true
  }

  /** A lifetime that ends with this one, or earlier; what is shared lives on then. */
  child(): Lifetime {
    return new Lifetime(async () => {}, this)
  }

  close(): Promise<void> {
    this.#ending ??= this.#release()
    return this.#ending
  }
}
