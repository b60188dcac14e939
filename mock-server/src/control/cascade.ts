import type { Collection, Records } from '../records/records.js'
import type { Transaction } from '../store/store.js'

type Rows = { readonly [C in Collection]?: (record: Records[C]) => boolean }

/** Whether a record names this id under a key. */
const names =
  <K extends string>(key: K, id: string) =>
  (record: { readonly [N in K]: string | null }): boolean =>
    record[key] === id

/** What goes with a record: all that could not be reached, or would give rights, without it. */
const dependents: { readonly [C in Collection]?: (id: string) => Rows } = {
  organizations: (id) => ({
    members: names('organizationId', id),
    pipelines: names('organizationId', id),
    suites: names('organizationId', id),
    queues: names('organizationId', id),
    agents: names('organizationId', id),
    grants: names('organizationId', id),
    deviceAuthorizations: names('organizationId', id),
    accessTokens: ({ organizationIds }) => organizationIds.length === 1 && organizationIds[0] === id,
  }),
  users: (id) => ({
    members: names('userId', id),
    grants: names('userId', id),
    accessTokens: names('userId', id),
    refreshFamilies: names('userId', id),
    deviceAuthorizations: names('userId', id),
    logins: names('userId', id),
  }),
  pipelines: (id) => ({ builds: names('pipelineId', id) }),
  suites: (id) => ({ tests: names('suiteId', id) }),
  applications: (id) => ({
    grants: names('applicationId', id),
    accessTokens: names('applicationId', id),
    refreshFamilies: names('applicationId', id),
    deviceAuthorizations: names('applicationId', id),
  }),
  grants: (id) => ({
    accessTokens: names('grantId', id),
    refreshFamilies: names('grantId', id),
    deviceAuthorizations: names('grantId', id),
  }),
  refreshFamilies: (id) => ({
    accessTokens: names('familyId', id),
    usedRefreshTokens: names('familyId', id),
  }),
}

/** Deletes a record with all that depends on it. */
export const deleteRecord = (tx: Transaction, collection: Collection, id: string): void => {
  const rows = Object.entries(dependents[collection]?.(id) ?? {}) as [Collection, (record: unknown) => boolean][]
  for (const [other, holds] of rows) {
    for (const record of [...tx.state.values(other)].filter(holds)) deleteRecord(tx, other, record.id)
  }
  if (collection === 'organizations') {
    for (const token of [...tx.state.values('accessTokens')]) {
      const { organizationIds } = token
      if (!organizationIds.includes(id)) continue
      tx.put('accessTokens', { ...token, organizationIds: organizationIds.filter((other) => other !== id) })
    }
  }
  if (collection === 'builds') {
    for (const annotation of [...tx.state.list('annotations', id)]) tx.delete('annotations', annotation.id)
    for (const artifact of [...tx.state.list('artifacts', id)]) tx.delete('artifacts', artifact.id)
  }
  tx.delete(collection, id)
}
