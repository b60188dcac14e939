import type { Collection, Records } from '../store/records.js'
import type { Transaction } from '../store/store.js'
import type { ShownCollection } from './record-views.js'

const where = <C extends Collection>(
  tx: Transaction,
  collection: C,
  holds: (record: Records[C]) => boolean,
): readonly string[] => [...tx.state.values(collection)].filter(holds).map(({ id }) => id)

type Rows = { readonly [C in Collection]?: (record: Records[C]) => boolean }

const each = (tx: Transaction, rows: Rows): void => {
  for (const [collection, holds] of Object.entries(rows) as [ShownCollection, (record: never) => boolean][]) {
    for (const id of where(tx, collection, holds as (record: Records[ShownCollection]) => boolean))
      deleteRecord(tx, collection, id)
  }
}

const ofOrganization = (id: string) => (record: { readonly organizationId: string | null }) =>
  record.organizationId === id
const ofUser = (id: string) => (record: { readonly userId: string | null }) => record.userId === id
const ofApplication = (id: string) => (record: { readonly applicationId: string | null }) => record.applicationId === id
const ofGrant = (id: string) => (record: { readonly grantId: string | null }) => record.grantId === id

/** What goes with a record: all that could not be reached, or would give rights, without it. */
const dependents: { readonly [C in Collection]?: (id: string) => Rows } = {
  organizations: (id) => ({
    members: ofOrganization(id),
    pipelines: ofOrganization(id),
    suites: ofOrganization(id),
    queues: ofOrganization(id),
    agents: ofOrganization(id),
    grants: ofOrganization(id),
    deviceAuthorizations: ofOrganization(id),
    accessTokens: ({ organizationIds }) => organizationIds.length === 1 && organizationIds[0] === id,
  }),
  users: (id) => ({
    members: ofUser(id),
    grants: ofUser(id),
    accessTokens: ofUser(id),
    refreshFamilies: ofUser(id),
    deviceAuthorizations: ofUser(id),
    logins: ofUser(id),
  }),
  pipelines: (id) => ({ builds: ({ pipelineId }) => pipelineId === id }),
  suites: (id) => ({ tests: ({ suiteId }) => suiteId === id }),
  applications: (id) => ({
    grants: ofApplication(id),
    accessTokens: ofApplication(id),
    refreshFamilies: ofApplication(id),
    deviceAuthorizations: ofApplication(id),
  }),
  grants: (id) => ({ accessTokens: ofGrant(id), refreshFamilies: ofGrant(id), deviceAuthorizations: ofGrant(id) }),
  refreshFamilies: (id) => ({
    accessTokens: ({ familyId }) => familyId === id,
    usedRefreshTokens: ({ familyId }) => familyId === id,
  }),
}

/** Deletes a record with all that depends on it. */
export const deleteRecord = (tx: Transaction, collection: Collection, id: string): void => {
  const rows = dependents[collection]?.(id)
  if (rows) each(tx, rows)
  if (collection === 'organizations') {
    for (const token of [...tx.state.values('accessTokens')].filter(({ organizationIds }) =>
      organizationIds.includes(id),
    )) {
      tx.put('accessTokens', { ...token, organizationIds: token.organizationIds.filter((other) => other !== id) })
    }
  }
  if (collection === 'builds') {
    for (const annotation of [...tx.state.annotations(id)]) tx.delete('annotations', annotation.id)
    for (const artifact of [...tx.state.artifacts(id)]) tx.delete('artifacts', artifact.id)
  }
  tx.delete(collection, id)
}
