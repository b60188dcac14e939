export interface LabelChange {
  readonly operator: 'add' | 'remove'
  readonly labels: readonly string[]
}

/**
 * The labels after a change: new ones appended in the given order, absent ones not missed; exact,
 * case matters.
 */
export function changeLabels(
  current: readonly string[],
  { operator, labels }: LabelChange,
): readonly string[] {
  return operator === 'add'
    ? [...new Set([...current, ...labels])]
    : current.filter((label) => !labels.includes(label))
}
