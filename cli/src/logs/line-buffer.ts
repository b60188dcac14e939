const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const LONGEST_LINE = 1024 * 1024
const FIRST_CAPACITY = 4096
const noBytes = new Uint8Array()

/** Cuts bytes into whole lines, so that escapes and characters are not split. */
export class LineBuffer {
  /** The bytes of the incomplete line, with space for more behind them. */
  #kept: Uint8Array = noBytes
  #length = 0

  /**
   * Adds bytes and returns the lines that are complete. Of a line above 1 MiB the beginning is
   * returned, up to a whole character.
   */
  add(bytes: Uint8Array): Uint8Array[] {
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    if (end > 0) {
      // Only incomplete lines are copied: copies of all bytes would be garbage as large as the log.
      const first = this.#length === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1
      this.#append(bytes.subarray(0, first))
      const firstLine = first === 0 ? [] : [this.rest()]
      this.#append(bytes.subarray(end))
      return first === end ? firstLine : [...firstLine, bytes.subarray(first, end)]
    }
    this.#append(bytes)
    if (this.#length <= LONGEST_LINE) return []

    const all = this.rest()
    const cut = pieceEnd(all)
    this.#append(all.subarray(cut))
    return [all.subarray(0, cut)]
  }

  rest(): Uint8Array {
    const rest = this.#kept.subarray(0, this.#length)
    this.#kept = noBytes
    this.#length = 0
    return rest
  }

  /** Copies bytes behind those that are kept. The space doubles, so that this is linear in all. */
  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#kept.length, FIRST_CAPACITY))
      larger.set(this.#kept.subarray(0, this.#length))
      this.#kept = larger
    }
    this.#kept.set(bytes, this.#length)
    this.#length = length
  }
}

/**
 * The cut of a line without an end: after its last carriage return, else after a whole character.
 */
function pieceEnd(bytes: Uint8Array): number {
  let end = bytes.length - 1
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const returned = bytes.lastIndexOf(CARRIAGE_RETURN, end - 1)
  return returned > 0 ? returned + 1 : end
}
