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

/**
 * Matches the labels of a test with a list that commas separate: the test must have every label of
 * the list, and none of those after a `!`.
 */
export function labelsMatcher(list: string): (labels: readonly string[]) => boolean {
  const conditions = list
    .split(',')
    .map((condition) => condition.trim())
    .filter((condition) => condition !== '')
  return (labels) =>
    conditions.every((condition) =>
      condition.startsWith('!')
        ? !labels.includes(condition.slice(1).trim())
        : labels.includes(condition),
    )
}
