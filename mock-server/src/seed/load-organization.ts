import { asciiLower } from '../domain/ascii-lower.js'
import type { Path } from '../fields/field.js'
import { merge } from '../fields/merge.js'
import type { AgentRecord, OrganizationRecord, SuiteRecord } from '../store/records.js'
import { identify, type Loading } from './loading.js'
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
  if (!loading.sound(at)) return
  const find = (email: string) => loading.state.find('userByEmail', email)
  const named = { collection: 'users', noun: 'user', key: 'email', find, fold: asciiLower } as const
  const known = identify(loading, named, given, at)
  if (!known) return
  const { stored, id, name: email } = known
  const defaults = {
    id: () => id,
    email: () => email,
    name: () => email.slice(0, email.indexOf('@')),
    created_at: yearAgo(loading),
  }
  loading.put('users', merge(userTable, given, stored, defaults, loading.context.now), stored)
}

export const organizationLists = ['members', 'queues', 'agents', 'pipelines', 'suites'] as const

/** The organization's own record; what lies inside it follows once every organization is there. */
export const loadOrganization = (
  loading: Loading,
  given: SeedOrganization,
  at: Path,
): OrganizationRecord | undefined => {
  if (!loading.sound(at, organizationLists)) return undefined
  const find = (slug: string) => loading.state.find('organizationBySlug', slug)
  const named = { collection: 'organizations', noun: 'organization', key: 'slug', find } as const
  const known = identify(loading, named, given, at)
  if (!known) return undefined
  const { stored, id, name: slug } = known
  const defaults = { id: () => id, slug: () => slug, name: () => slug, created_at: yearAgo(loading) }
  const record = merge(organizationOwn, given, stored, defaults, loading.context.now)
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
  const { user: _, ...own } = merge(memberTable, given, stored, {}, loading.context.now)
  const id = `${organization.id}:${user.id}`
  loading.put('members', { ...own, id, organizationId: organization.id, userId: user.id }, stored)
}

export const loadQueue = (loading: Loading, organization: OrganizationRecord, given: SeedQueue, at: Path) => {
  if (!loading.sound(at)) return
  const find = (key: string) => loading.state.find('queueByKey', organization.id, key)
  const named = { collection: 'queues', noun: 'queue', within: organization.id, key: 'key', find } as const
  const known = identify(loading, named, given, at)
  if (!known) return
  const { stored, id, name } = known
  const defaults = { id: () => id, key: () => name }
  const { paused, ...own } = merge(queueTable, given, stored, defaults, loading.context.now)
  const clusterId = stored?.clusterId ?? clusterOf(loading, organization)
  loading.put('queues', { ...own, organizationId: organization.id, clusterId, paused: paused !== false }, stored)
}

/** All queues of an organization stand in one cluster. */
const clusterOf = ({ state, context }: Loading, { id }: OrganizationRecord): string => {
  for (const queue of state.values('queues')) if (queue.organizationId === id) return queue.clusterId
  return context.uuid('cluster')
}

const agentByName = ({ state }: Loading, organization: OrganizationRecord, name: string) => {
  for (const agent of state.values('agents')) {
    if (agent.organizationId === organization.id && agent.name === name) return agent
  }
  return undefined
}

const agentRecord = (
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedAgent,
  { stored, id, name }: { readonly stored?: AgentRecord | undefined; readonly id: string; readonly name: string },
) => {
  const defaults = {
    id: () => id,
    name: () => name,
    hostname: () => `${name}.${organization.slug}.example`,
    created_at: () => loading.time('-30d'),
  }
  const { queue: _queue, creator: _creator, ...own } = merge(agentTable, given, stored, defaults, loading.context.now)
  return { ...own, organizationId: organization.id, creatorId: stored?.creatorId ?? null }
}

export const loadAgent = (loading: Loading, organization: OrganizationRecord, given: SeedAgent, at: Path) => {
  if (!loading.sound(at)) return
  const find = (name: string) => agentByName(loading, organization, name)
  const named = { collection: 'agents', noun: 'agent', within: organization.id, key: 'name', find } as const
  const known = identify(loading, named, given, at)
  if (!known) return
  if (given.queue) loading.refer('queue', [...at, 'queue'], organization.id, given.queue)
  const creator = given.creator ? loading.refer('user', [...at, 'creator'], given.creator) : undefined
  const record = agentRecord(loading, organization, given, known)
  const creatorId = given.creator === undefined ? record.creatorId : (creator?.id ?? null)
  loading.put('agents', { ...record, creatorId }, known.stored)
}

/** The agent of this name, made when the organization has none yet. */
export const agentNamed = (loading: Loading, organization: OrganizationRecord, name: string): string => {
  const known = agentByName(loading, organization, name)
  if (known) return known.id
  const id = loading.context.uuid('agent')
  loading.tx.put('agents', agentRecord(loading, organization, { name }, { id, name }))
  return id
}

export const loadSuite = (loading: Loading, organization: OrganizationRecord, given: SeedSuite, at: Path) => {
  if (!loading.sound(at, ['tests'])) return
  const find = (slug: string) => loading.state.find('suiteBySlug', organization.id, slug)
  const named = { collection: 'suites', noun: 'suite', within: organization.id, key: 'slug', find } as const
  const known = identify(loading, named, given, at)
  if (!known) return
  const { stored, id, name: slug } = known
  const defaults = { id: () => id, slug: () => slug, name: () => slug, created_at: yearAgo(loading) }
  const own = merge(suiteOwn, given, stored, defaults, loading.context.now)
  const suite = { ...own, organizationId: organization.id }
  loading.put('suites', suite, stored)
  const tests = given.tests ?? []
  const places = tests.map((_, n) => String(n))
  if (!loading.sound([...at, 'tests'], places)) return
  for (const [n, test] of tests.entries()) loadTest(loading, suite, test, [...at, 'tests', n])
}

const loadTest = (loading: Loading, suite: SuiteRecord, given: SeedTest, at: Path) => {
  if (!loading.sound(at)) return
  const { state, context } = loading
  const scope = given.scope ?? state.get('tests', given.id ?? '')?.scope ?? ''
  const find = (name: string) => state.find('testByName', suite.id, scope, name)
  const within = `${suite.id} in ${JSON.stringify(scope)}`
  const known = identify(loading, { collection: 'tests', noun: 'test', within, key: 'name', find }, given, at)
  if (!known) return
  const { stored, id, name } = known
  const location = given.location === undefined ? stored?.location : given.location
  const defaults = {
    id: () => id,
    name: () => name,
    file_name: () => location?.replace(/(?::\d+)+$/, '') ?? null,
  }
  loading.put('tests', { ...merge(testTable, given, stored, defaults, context.now), suiteId: suite.id }, stored)
}
