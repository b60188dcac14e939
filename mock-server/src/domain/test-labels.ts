export interface LabelChange {
  readonly operator: 'add' | 'remove'
  readonly labels: readonly string[]
}

/** The labels after a change. New labels are appended in order; labels are case-sensitive. */
export function changeLabels(
  current: readonly string[],
  { operator, labels }: LabelChange,
): readonly string[] {
  return operator === 'add'
    ? [...new Set([...current, ...labels])]
    : current.filter((label) => !labels.includes(label))
}
