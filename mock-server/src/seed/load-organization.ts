import type { Path } from '../fields/field.js'
import type { AgentRecord, OrganizationRecord, SuiteRecord } from '../records/records.js'
import type { Loading } from './loading.js'
import {
  agentTable,
  memberTable,
  organizationOwn,
  queueTable,
  type SeedAgent,
  type SeedMember,
  type SeedOrganization,
  type SeedQueue,
  type SeedSuite,
  type SeedTest,
  type SeedUser,
  suiteOwn,
  testTable,
  userTable,
} from './tables.js'

/** When things came to be whose seed does not say. */
export const yearAgo = (loading: Loading) => () => loading.time('-365d')

export const loadUser = (loading: Loading, given: SeedUser, at: Path) => {
  const known = loading.identify('user', given, at)
  if (!known) return
  const { stored, name: email, own } = known
  const defaults = { ...own, name: () => email.slice(0, email.indexOf('@')), created_at: yearAgo(loading) }
  loading.put('users', loading.merge(userTable, given, stored, defaults), stored)
}

/** The organization's own record; what lies inside it follows once every organization is there. */
export const loadOrganization = (
  loading: Loading,
  given: SeedOrganization,
  at: Path,
): OrganizationRecord | undefined => {
  const known = loading.identify('organization', given, at)
  if (!known) return undefined
  const { stored, name, own } = known
  const defaults = { ...own, name: () => name, created_at: yearAgo(loading) }
  const record = loading.merge(organizationOwn, given, stored, defaults)
  loading.put('organizations', record, stored)
  return record
}

export const loadMember = (loading: Loading, organization: OrganizationRecord, given: SeedMember, at: Path) => {
  if (!loading.sound(at)) return
  const user = loading.refer('user', [...at, 'user'], given.user)
  if (!user || !loading.once(`member of ${organization.id}`, user.id, [...at, 'user'])) return
  const stored = loading.state.find('member', organization.id, user.id)
  for (const slug of Object.keys(given.pipelines ?? {})) {
    loading.refer('pipeline', [...at, 'pipelines', slug], organization.id, slug)
  }
  const { user: _, ...own } = loading.merge(memberTable, given, stored, {})
  const id = `${organization.id}:${user.id}`
  loading.put('members', { ...own, id, organizationId: organization.id, userId: user.id }, stored)
}

export const loadQueue = (loading: Loading, organization: OrganizationRecord, given: SeedQueue, at: Path) => {
  const known = loading.identify('queue', given, at, organization.id)
  if (!known) return
  const { stored } = known
  const { paused, ...own } = loading.merge(queueTable, given, stored, known.own)
  const clusterId = stored?.clusterId ?? clusterOf(loading, organization)
  loading.put('queues', { ...own, organizationId: organization.id, clusterId, paused: paused !== false }, stored)
}

/** All queues of an organization stand in one cluster. */
const clusterOf = ({ state, context }: Loading, { id }: OrganizationRecord): string => {
  for (const queue of state.values('queues')) if (queue.organizationId === id) return queue.clusterId
  return context.uuid('cluster')
}

const agentRecord = (
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedAgent,
  known: { readonly stored?: AgentRecord | undefined; readonly id: string; readonly name: string },
) => {
  const { stored, id, name } = known
  const defaults = {
    id: () => id,
    name: () => name,
    hostname: () => `${name}.${organization.slug}.example`,
    created_at: () => loading.time('-30d'),
  }
  const { queue: _queue, creator: _creator, ...own } = loading.merge(agentTable, given, stored, defaults)
  return { ...own, organizationId: organization.id, creatorId: stored?.creatorId ?? null }
}

export const loadAgent = (loading: Loading, organization: OrganizationRecord, given: SeedAgent, at: Path) => {
  const known = loading.identify('agent', given, at, organization.id)
  if (!known) return
  if (given.queue) loading.refer('queue', [...at, 'queue'], organization.id, given.queue)
  const creator = given.creator ? loading.refer('user', [...at, 'creator'], given.creator) : undefined
  const record = agentRecord(loading, organization, given, known)
  const creatorId = given.creator === undefined ? record.creatorId : (creator?.id ?? null)
  loading.put('agents', { ...record, creatorId }, known.stored)
}

/** The agent of this name, made when the organization has none yet. */
export const agentNamed = (loading: Loading, organization: OrganizationRecord, name: string): string => {
  const known = loading.state.find('agentByName', organization.id, name)
  if (known) return known.id
  const id = loading.context.uuid('agent')
  loading.tx.put('agents', agentRecord(loading, organization, { name }, { id, name }))
  return id
}

export const loadSuite = (loading: Loading, organization: OrganizationRecord, given: SeedSuite, at: Path) => {
  const known = loading.identify('suite', given, at, organization.id)
  if (!known) return
  const { stored, name } = known
  const defaults = { ...known.own, name: () => name, created_at: yearAgo(loading) }
  const suite = { ...loading.merge(suiteOwn, given, stored, defaults), organizationId: organization.id }
  loading.put('suites', suite, stored)
  for (const [test, here] of loading.entries(given.tests, [...at, 'tests'])) loadTest(loading, suite, test, here)
}

const loadTest = (loading: Loading, suite: SuiteRecord, given: SeedTest, at: Path) => {
  const scope = given.scope ?? loading.state.get('tests', given.id ?? '')?.scope ?? ''
  const known = loading.identify('test', given, at, suite.id, scope)
  if (!known) return
  const { stored, own } = known
  const location = given.location === undefined ? stored?.location : given.location
  const defaults = { ...own, file_name: () => location?.replace(/(?::\d+)+$/, '') ?? null }
  loading.put('tests', { ...loading.merge(testTable, given, stored, defaults), suiteId: suite.id }, stored)
}
