import type { DocumentNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'

/** The one operation that a request runs (GraphQL §6.1), or why there is none. */
export const pickOperation = (
  document: DocumentNode,
  operationName: string | undefined,
): OperationDefinitionNode | string => {
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition')
  if (operationName === undefined) {
    const [only, ...others] = operations
    if (only === undefined) return 'The document has no operation'
    return others.length === 0 ? only : 'The document has several operations: operationName must choose one'
  }
  const named = operations.filter((operation) => operation.name?.value === operationName)
  const [chosen, ...doubles] = named
  return chosen !== undefined && doubles.length === 0 ? chosen : 'operationName must name one operation of the document'
}

/**
 * Names of the fields at a mutation's root, through fragments at any depth; none of another operation. Aliases are not
 * names, and directives do not hide a field: what might run counts.
 */
export const mutationNames = (document: DocumentNode, operation: OperationDefinitionNode): readonly string[] => {
  if (operation.operation !== 'mutation') return []
  const fragments = document.definitions.filter((definition) => definition.kind === 'FragmentDefinition')
  const names = new Set<string>()
  const visited = new Set<string>()
  const pending: SelectionSetNode[] = [operation.selectionSet]
  for (let set = pending.pop(); set !== undefined; set = pending.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === 'Field') names.add(selection.name.value)
      else if (selection.kind === 'InlineFragment') pending.push(selection.selectionSet)
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const spread = fragments.filter(({ name }) => name.value === selection.name.value)
        pending.push(...spread.map(({ selectionSet }) => selectionSet))
      }
    }
  }
  return [...names]
}
