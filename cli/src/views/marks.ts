import type { Looks, Style } from '../io/color.js'

/** How a state is marked: one cell wide, with an ASCII form, and a colour that adds no meaning. */
export interface StateMark {
  readonly kind: string
  readonly mark: string
  readonly ascii: string
  readonly style: Style
}

const unknown: StateMark = { kind: 'unknown', mark: '?', ascii: '?', style: 'dim' }
/** The mark of a job that failed softly, or that promised to fail. */
export const softFailureMark: StateMark = {
  kind: 'soft failed',
  mark: '!',
  ascii: '!',
  style: 'yellow',
}

/** The marks, and the states of builds and jobs that have them. */
const MARKS: readonly (readonly [StateMark, string])[] = [
  [{ kind: 'passed', mark: '✓', ascii: '+', style: 'green' }, 'passed unblocked'],
  [
    { kind: 'failed', mark: '✗', ascii: 'x', style: 'red' },
    'failed failing timed_out broken expired unblocked_failed',
  ],
  [
    { kind: 'running', mark: '▸', ascii: '>', style: 'yellow' },
    'running assigned accepted timing_out',
  ],
  [
    { kind: 'waiting', mark: '◦', ascii: '.', style: 'dim' },
    'scheduled creating limited pending waiting waiting_failed retried',
  ],
  [{ kind: 'blocked', mark: '◫', ascii: '|', style: 'magenta' }, 'blocked blocked_failed'],
  [{ kind: 'canceled', mark: '⊘', ascii: '/', style: 'dim' }, 'canceled canceling'],
  [{ kind: 'skipped', mark: '»', ascii: '~', style: 'dim' }, 'skipped not_run'],
]
const BY_STATE = new Map(
  MARKS.flatMap(([mark, states]) => states.split(' ').map((state) => [state, mark] as const)),
)

export function markOf(state: string): StateMark {
  return BY_STATE.get(state) ?? unknown
}

/** The mark before a text; empty for screen readers, because the word follows. */
export function markText({ mark, ascii }: Pick<StateMark, 'mark' | 'ascii'>, looks: Looks): string {
  return looks.plain ? '' : `${looks.ascii ? ascii : mark} `
}

export function stateText(state: string, looks: Looks): string {
  return `${markText(markOf(state), looks)}${state}`
}
