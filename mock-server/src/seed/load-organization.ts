import type { Path } from '../fields/field.js'
import type { OrganizationRecord, SuiteRecord } from '../records/records.js'
import { entries, type Loading } from './loading.js'
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

export const loadUser = (loading: Loading, given: SeedUser, at: Path) =>
  loading.load('user', given, at, [], ({ stored, name: email, own }) =>
    loading.merge(userTable, given, stored, {
      ...own,
      name: () => email.slice(0, email.indexOf('@')),
      created_at: loading.yearAgo,
    }),
  )

/** The organization's own record; what lies inside it follows once every organization is there. */
export const loadOrganization = (loading: Loading, given: SeedOrganization, at: Path) =>
  loading.load('organization', given, at, [], ({ stored, name, own }) =>
    loading.merge(organizationOwn, given, stored, { ...own, name: () => name, created_at: loading.yearAgo }),
  )

export const loadMember = (loading: Loading, organization: OrganizationRecord, given: SeedMember, at: Path) => {
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

export const loadQueue = (loading: Loading, { id }: OrganizationRecord, given: SeedQueue, at: Path) =>
  loading.load('queue', given, at, [id], ({ stored, own }) => {
    const { paused, ...queue } = loading.merge(queueTable, given, stored, own)
    const clusterId = stored?.clusterId ?? clusterOf(loading, id)
    return { ...queue, organizationId: id, clusterId, paused: paused !== false }
  })

/** All queues of an organization stand in one cluster. */
const clusterOf = ({ state, context }: Loading, organizationId: string): string => {
  for (const queue of state.values('queues')) if (queue.organizationId === organizationId) return queue.clusterId
  return context.uuid('cluster')
}

export const loadAgent = (loading: Loading, organization: OrganizationRecord, given: SeedAgent, at: Path) =>
  loading.load('agent', given, at, [organization.id], ({ stored, name, own }) => {
    if (given.queue) loading.refer('queue', [...at, 'queue'], organization.id, given.queue)
    const {
      queue: _queue,
      creator: _creator,
      ...agent
    } = loading.merge(agentTable, given, stored, {
      ...own,
      hostname: () => `${name}.${organization.slug}.example`,
      created_at: () => loading.time('-30d'),
    })
    const creatorId = loading.userId([...at, 'creator'], given.creator, stored?.creatorId)
    return { ...agent, organizationId: organization.id, creatorId }
  })

/** The agent of this name, made when the organization has none yet. */
export const agentNamed = (loading: Loading, organization: OrganizationRecord, name: string): string => {
  const known = loading.state.find('agentByName', organization.id, name)
  return (known ?? loadAgent(loading, organization, { name }, []))?.id ?? ''
}

export const loadSuite = (loading: Loading, { id }: OrganizationRecord, given: SeedSuite, at: Path) => {
  const suite = loading.load('suite', given, at, [id], ({ stored, name, own }) => {
    const defaults = { ...own, name: () => name, created_at: loading.yearAgo }
    return { ...loading.merge(suiteOwn, given, stored, defaults), organizationId: id }
  })
  if (!suite) return
  for (const [test, here] of entries(given.tests, [...at, 'tests'])) loadTest(loading, suite, test, here)
}

const loadTest = (loading: Loading, { id: suiteId }: SuiteRecord, given: SeedTest, at: Path) => {
  const scope = given.scope ?? loading.state.get('tests', given.id ?? '')?.scope ?? ''
  loading.load('test', given, at, [suiteId, scope], ({ stored, own }) => {
    const location = given.location === undefined ? stored?.location : given.location
    const defaults = { ...own, file_name: () => location?.replace(/(?::\d+)+$/, '') ?? null }
    return { ...loading.merge(testTable, given, stored, defaults), suiteId }
  })
}
