/** @jsxImportSource hono/jsx */
const statesOf: Readonly<Record<string, string>> = {
  passed: 'passed unblocked',
  failed: 'failed failing timed_out broken expired',
  running: 'running assigned accepted timing_out',
  blocked: 'blocked',
}
const tones = new Map(
  Object.entries(statesOf).flatMap(([tone, states]) => states.split(' ').map((state) => [state, tone] as const)),
)
const marks: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', running: '▸', blocked: '◫' }

export const toneOf = (state: string): string => tones.get(state) ?? ''

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
