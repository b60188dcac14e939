import type { Looks, Style } from '../io/color.js'

/** How a state is marked: one cell in every terminal, an ASCII twin, and a colour that only repeats it. */
export interface Mark {
  readonly kind: string
  readonly mark: string
  readonly ascii: string
  readonly style: Style
}

const passed: Mark = { kind: 'passed', mark: '✓', ascii: '+', style: 'green' }
const failed: Mark = { kind: 'failed', mark: '✗', ascii: 'x', style: 'red' }
const warned: Mark = { kind: 'soft failed', mark: '!', ascii: '!', style: 'yellow' }
const running: Mark = { kind: 'running', mark: '▸', ascii: '>', style: 'yellow' }
const waiting: Mark = { kind: 'waiting', mark: '◦', ascii: '.', style: 'dim' }
const blocked: Mark = { kind: 'blocked', mark: '◫', ascii: '|', style: 'magenta' }
const canceled: Mark = { kind: 'canceled', mark: '⊘', ascii: '/', style: 'dim' }
const skipped: Mark = { kind: 'skipped', mark: '»', ascii: '~', style: 'dim' }
const unknown: Mark = { kind: 'unknown', mark: '?', ascii: '?', style: 'dim' }

const BY_STATE: Readonly<Record<string, Mark>> = {
  passed,
  unblocked: passed,
  failed,
  failing: failed,
  timed_out: failed,
  broken: failed,
  expired: failed,
  running,
  assigned: running,
  accepted: running,
  timing_out: running,
  scheduled: waiting,
  creating: waiting,
  limited: waiting,
  pending: waiting,
  waiting,
  waiting_failed: waiting,
  retried: waiting,
  blocked,
  blocked_failed: blocked,
  unblocked_failed: failed,
  canceled,
  canceling: canceled,
  skipped,
  not_run: skipped,
}

export function markOf(state: string): Mark {
  return Object.hasOwn(BY_STATE, state) ? (BY_STATE[state] ?? unknown) : unknown
}

/** The mark in front of a text; nothing for screen readers, who get the word. */
export function markText({ mark, ascii }: Pick<Mark, 'mark' | 'ascii'>, looks: Looks): string {
  return looks.plain ? '' : `${looks.ascii ? ascii : mark} `
}

/** Mark and word of a state; the word alone for screen readers. */
export function stateText(state: string, looks: Looks): string {
  return `${markText(markOf(state), looks)}${state}`
}

/** The mark of a job that failed softly, or that promised to fail. */
export const softFailureMark: Mark = warned
