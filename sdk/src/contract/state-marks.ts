/** What the states of builds and jobs have in common, for a colour. */
export type StateKind =
  | 'passed'
  | 'failed'
  | 'running'
  | 'waiting'
  | 'blocked'
  | 'canceled'
  | 'skipped'
  | 'not_run'
  | 'unknown'

/** How a state is shown to people. */
export interface StateMark {
  readonly kind: StateKind
  /** One character, one cell wide. */
  readonly mark: string
  /** The same in ASCII. */
  readonly ascii: string
  /** The state in words, such as `timed out`. */
  readonly words: string
}

type MarkOfKind = readonly [kind: StateKind, mark: string, ascii: string, states: string]

const MARKS: readonly MarkOfKind[] = [
  ['passed', '✓', '+', 'passed unblocked'],
  ['failed', '✗', 'x', 'failed failing timed_out expired'],
  ['running', '▸', '>', 'running assigned accepted timing_out'],
  ['waiting', '◦', '.', 'scheduled creating limited pending waiting retried'],
  ['blocked', '◫', '|', 'blocked'],
  ['canceled', '⊘', '/', 'canceled canceling'],
  ['skipped', '»', '~', 'skipped'],
  ['not_run', '–', '-', 'not_run broken waiting_failed blocked_failed unblocked_failed'],
]

const MARK_OF_STATE = new Map(
  MARKS.flatMap((mark) => mark[3].split(' ').map((state) => [state, mark] as const)),
)

/**
 * The mark and the words of a state of a build or a job; `unknown` and the state itself for a state
 * that this version does not know.
 *
 * @param state - As in the field `state` of a build or a job.
 *
 * @example
 * ```ts
 * import { stateMark } from '@buildwire/sdk/contract'
 *
 * console.log(stateMark('waiting_failed').words) // 'did not run'
 * ```
 */
export function stateMark(state: string): StateMark {
  const [kind = 'unknown', mark = '?', ascii = '?'] = MARK_OF_STATE.get(state) ?? []
  const isStopped = kind === 'not_run' && state !== kind
  const words = isStopped ? 'did not run' : state.replaceAll('_', ' ')
  return { kind, mark, ascii, words }
}
