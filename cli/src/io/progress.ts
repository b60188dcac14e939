import type { Printable } from './printable.js'

/** Tells a person who watches that something lasts longer than a second, and nothing to a program. */
export interface Progress {
  /** Shows `text(seconds)` on one line from the second second on, until `stop`. */
  start(text: (seconds: number) => Printable): { stop(): void }
}

export const silentProgress: Progress = { start: () => ({ stop: () => undefined }) }

const TURNS = { unicode: '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', ascii: '|/-\\' }

/** What turns with each tick, one cell wide. */
export function spinner(tick: number, ascii: boolean): string {
  const turns = ascii ? TURNS.ascii : TURNS.unicode
  return turns.charAt(tick % turns.length)
}
