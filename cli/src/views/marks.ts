import { type StateKind, stateMark } from '@buildwire/sdk/contract'
import type { Looks, Style } from '../io/color.js'

/** How a state is marked: one cell wide, with an ASCII form, and a colour that adds no meaning. */
export interface StyledMark {
  readonly kind: string
  readonly mark: string
  readonly ascii: string
  readonly style: Style
}

/** The mark of a job that failed softly, or that promised to fail. */
export const softFailureMark: StyledMark = {
  kind: 'soft failed',
  mark: '!',
  ascii: '!',
  style: 'yellow',
}

const STYLES: Readonly<Partial<Record<StateKind, Style>>> = {
  passed: 'green',
  failed: 'alarm',
  running: 'cyan',
  blocked: 'magenta',
}

export function markOf(state: string): StyledMark {
  const { kind, mark, ascii } = stateMark(state)
  return { kind, mark, ascii, style: STYLES[kind] ?? 'dim' }
}

/** The mark before a text; empty for screen readers, because the word follows. */
export function markText(
  { mark, ascii }: Pick<StyledMark, 'mark' | 'ascii'>,
  looks: Looks,
): string {
  return looks.plain ? '' : `${looks.ascii ? ascii : mark} `
}

export function stateText(state: string, looks: Looks): string {
  return `${markText(markOf(state), looks)}${stateMark(state).words}`
}
