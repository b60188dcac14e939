const tones: Readonly<Record<string, string>> = {
  passed: 'passed',
  unblocked: 'passed',
  failed: 'failed',
  failing: 'failed',
  timed_out: 'failed',
  broken: 'failed',
  expired: 'failed',
  running: 'running',
  assigned: 'running',
  accepted: 'running',
  timing_out: 'running',
  blocked: 'blocked',
}
const marks: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', running: '▸', blocked: '◫' }

export const toneOf = (state: string): string => tones[state] ?? ''

/** A state as a badge; the word carries the meaning, colour and mark only help. */
export function State({ state }: { readonly state: string }) {
  const tone = toneOf(state)
  return (
    <span class={`state ${tone}`}>
      <span aria-hidden="true">{marks[tone] ?? '◦'}</span>
      {state.replaceAll('_', ' ')}
    </span>
  )
}
