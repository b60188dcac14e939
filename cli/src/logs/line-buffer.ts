const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const LONGEST_LINE = 1024 * 1024
const noBytes = new Uint8Array()

/** Cuts bytes into whole lines, so that escapes and characters are not split. */
export class LineBuffer {
  #kept: Uint8Array = noBytes

  /**
   * Adds bytes and returns the lines that are complete. Of a line above 1 MiB the beginning is
   * returned, up to a whole character.
   */
  add(bytes: Uint8Array): Uint8Array[] {
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    if (end > 0) {
      // Only incomplete lines are copied: copies of all bytes would be garbage as large as the log.
      const first = this.#kept.length === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1
      const firstLine = first === 0 ? [] : [Buffer.concat([this.#kept, bytes.subarray(0, first)])]
      this.#kept = Uint8Array.from(bytes.subarray(end))
      return first === end ? firstLine : [...firstLine, bytes.subarray(first, end)]
    }
    const all = Buffer.concat([this.#kept, bytes])
    const cut = all.length > LONGEST_LINE ? pieceEnd(all) : 0
    this.#kept = all.subarray(cut)
    return cut === 0 ? [] : [all.subarray(0, cut)]
  }

  rest(): Uint8Array {
    const rest = this.#kept
    this.#kept = noBytes
    return rest
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
