import { escapeControls } from './machine.js'

/** One JSON text of several lines, its line end included; control characters never stand raw. */
export function prettyJson(value: unknown): string {
  return `${escapeControls(JSON.stringify(value, null, 2))}\n`
}

/** One JSON text on one line, its line end included. */
export function jsonLine(value: unknown): string {
  return `${escapeControls(JSON.stringify(value))}\n`
}

/** One item of a list as {@link prettyJson} writes it, with what precedes it but for `[` or the comma. */
export function listItem(value: unknown): string {
  return escapeControls(JSON.stringify([value], null, 2).slice(1, -2))
}
