const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** A longer line is handed out in pieces. */
const LONGEST_LINE = 1024 * 1024
const nothing = new Uint8Array()

/** Cuts bytes into whole lines, so that no escape and no character is split. */
export class LineBuffer {
  #kept: Uint8Array = nothing

  /** Takes the next bytes; the whole lines that are there now. Of a very long one its beginning, to a whole character. */
  add(bytes: Uint8Array): Uint8Array {
    const all = this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes])
    const end = all.lastIndexOf(LINE_FEED) + 1
    const cut = end === 0 && all.length > LONGEST_LINE ? pieceEnd(all) : end
    this.#kept = all.slice(cut)
    return all.subarray(0, cut)
  }

  /** The unfinished last line. */
  rest(): Uint8Array {
    const rest = this.#kept
    this.#kept = nothing
    return rest
  }
}

/** Where a line without an end is cut: behind its last return, else behind a whole character. */
function pieceEnd(bytes: Uint8Array): number {
  let end = bytes.length - 1
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const returned = bytes.lastIndexOf(CARRIAGE_RETURN, end - 1)
  return returned > 0 ? returned + 1 : end
}
