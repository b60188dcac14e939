import type { Collection } from '../records/records.js'
import type { Transaction } from '../store/store.js'

/** What goes with a record: all that could not be reached, or would give rights, without it, by the key that names it. */
const dependents: { readonly [C in Collection]?: readonly [key: string, collections: readonly Collection[]] } = {
  organizations: [
    'organizationId',
    ['members', 'pipelines', 'suites', 'queues', 'agents', 'grants', 'deviceAuthorizations'],
  ],
  users: ['userId', ['members', 'grants', 'accessTokens', 'refreshFamilies', 'deviceAuthorizations', 'logins']],
  pipelines: ['pipelineId', ['builds']],
  suites: ['suiteId', ['tests']],
  applications: ['applicationId', ['grants', 'accessTokens', 'refreshFamilies', 'deviceAuthorizations']],
  grants: ['grantId', ['accessTokens', 'refreshFamilies', 'deviceAuthorizations']],
  refreshFamilies: ['familyId', ['accessTokens', 'usedRefreshTokens']],
}

/** Deletes a record with all that depends on it. */
export const deleteRecord = (tx: Transaction, collection: Collection, id: string): void => {
  const [key, others] = dependents[collection] ?? ['', []]
  for (const other of others) {
    const named = [...tx.state.values(other)].filter((record) => Reflect.get(record, key) === id)
    for (const record of named) deleteRecord(tx, other, record.id)
  }
  if (collection === 'organizations') {
    for (const token of [...tx.state.values('accessTokens')]) {
      const { organizationIds } = token
      if (!organizationIds.includes(id)) continue
      if (organizationIds.length === 1) deleteRecord(tx, 'accessTokens', token.id)
      else tx.put('accessTokens', { ...token, organizationIds: organizationIds.filter((other) => other !== id) })
    }
  }
  if (collection === 'builds') {
    for (const annotation of [...tx.state.list('annotations', id)]) tx.delete('annotations', annotation.id)
    for (const artifact of [...tx.state.list('artifacts', id)]) tx.delete('artifacts', artifact.id)
  }
  tx.delete(collection, id)
}
