import type { InputOf } from '../fields/composites.js'
import type { Path } from '../fields/field.js'
import type { OrganizationRecord, PipelineRecord, SuiteRecord } from '../records/records.js'
import { checkTriggers, loadPipeline } from './load-pipeline.js'
import { entries, type Loading } from './loading.js'
import type { SeedDocument } from './tables.js'
import {
  agentTable,
  memberTable,
  organizationTable,
  queueTable,
  suiteTable,
  testTable,
  userTable,
} from './tables.js'

/** A pipeline and the organization that it belongs to. */
export interface PipelineLocation {
  readonly organization: OrganizationRecord
  readonly pipeline: PipelineRecord
}

function loadUser(loading: Loading, given: InputOf<typeof userTable>, at: Path) {
  return loading.load('user', given, at, [], ({ stored, name: email, own }) =>
    loading.merge(userTable, given, stored, {
      ...own,
      name: () => email.slice(0, email.indexOf('@')),
      created_at: loading.yearAgo,
    }),
  )
}

function loadOrganization(loading: Loading, given: InputOf<typeof organizationTable>, at: Path) {
  return loading.load('organization', given, at, [], ({ stored, name, own }) =>
    loading.merge(organizationTable, given, stored, {
      ...own,
      name: () => name,
      created_at: loading.yearAgo,
    }),
  )
}

function loadMember(
  loading: Loading,
  organization: OrganizationRecord,
  given: InputOf<typeof memberTable>,
  at: Path,
) {
  const user = loading.refer('user', [...at, 'user'], given.user)
  if (!user || !loading.once(`member of ${organization.id}`, user.id, [...at, 'user'])) return
  const stored = loading.state.find('member', organization.id, user.id)
  for (const slug of Object.keys(given.pipelines ?? {})) {
    loading.refer('pipeline', [...at, 'pipelines', slug], organization.id, slug)
  }
  const own = {
    id: `${organization.id}:${user.id}`,
    organizationId: organization.id,
    userId: user.id,
  }
  loading.put('members', { ...loading.merge(memberTable, given, stored, {}), ...own }, stored)
}

function loadQueue(
  loading: Loading,
  { id }: OrganizationRecord,
  given: InputOf<typeof queueTable>,
  at: Path,
) {
  return loading.load('queue', given, at, [id], ({ stored, own }) => {
    const { paused, ...queue } = loading.merge(queueTable, given, stored, own)
    const clusterId = stored?.clusterId ?? clusterOf(loading, id)
    return { ...queue, organizationId: id, clusterId, paused: paused !== false }
  })
}

/** All queues of an organization belong to one cluster. */
function clusterOf({ state, context }: Loading, organizationId: string): string {
  for (const queue of state.values('queues'))
    if (queue.organizationId === organizationId) return queue.clusterId
  return context.uuid('cluster')
}

function loadAgent(
  loading: Loading,
  organization: OrganizationRecord,
  given: InputOf<typeof agentTable>,
  at: Path,
) {
  return loading.load('agent', given, at, [organization.id], ({ stored, name, own }) => {
    if (given.queue) loading.refer('queue', [...at, 'queue'], organization.id, given.queue)
    const hostname = () => `${name}.${organization.slug}.example`
    const defaults = { ...own, hostname, created_at: () => loading.time('-30d') }
    return {
      ...loading.merge(agentTable, given, stored, defaults),
      organizationId: organization.id,
      creatorId: loading.userId([...at, 'creator'], given.creator, stored?.creatorId),
    }
  })
}

/** The id of the agent with this name. The agent is made if the organization has none yet. */
export function agentNamed(
  loading: Loading,
  organization: OrganizationRecord,
  name: string,
): string {
  const stored = loading.state.find('agentByName', organization.id, name)
  return (stored ?? loadAgent(loading, organization, { name }, []))?.id ?? ''
}

function loadSuite(
  loading: Loading,
  { id }: OrganizationRecord,
  given: InputOf<typeof suiteTable>,
  at: Path,
) {
  const suite = loading.load('suite', given, at, [id], ({ stored, name, own }) => {
    const defaults = { ...own, name: () => name, created_at: loading.yearAgo }
    return { ...loading.merge(suiteTable, given, stored, defaults), organizationId: id }
  })
  if (!suite) return
  for (const [test, here] of entries(given.tests, [...at, 'tests']))
    loadTest(loading, suite, test, here)
}

function loadTest(
  loading: Loading,
  { id: suiteId }: SuiteRecord,
  given: InputOf<typeof testTable>,
  at: Path,
) {
  const scope = given.scope ?? loading.state.get('tests', given.id ?? '')?.scope ?? ''
  loading.load('test', given, at, [suiteId, scope], ({ stored, own }) => {
    const location = given.location === undefined ? stored?.location : given.location
    const defaults = { ...own, file_name: () => location?.replace(/(?::\d+)+$/, '') ?? null }
    return { ...loading.merge(testTable, given, stored, defaults), suiteId }
  })
}

/**
 * Loads users and organizations with everything inside them except builds. Records that refer to
 * others are loaded after those others.
 */
export function loadOrganizations(loading: Loading, { users, organizations }: SeedDocument) {
  for (const [user, at] of entries(users, ['users'])) loadUser(loading, user, at)

  const loaded = entries(organizations, ['organizations']).flatMap(([given, at]) => {
    const organization = loadOrganization(loading, given, at)
    return organization ? [{ organization, given, at }] : []
  })
  for (const { organization, given, at } of loaded) {
    for (const [queue, here] of entries(given.queues, [...at, 'queues']))
      loadQueue(loading, organization, queue, here)
    for (const [agent, here] of entries(given.agents, [...at, 'agents']))
      loadAgent(loading, organization, agent, here)
  }

  const pipelines = loaded.flatMap(({ organization, given: { pipelines: listed }, at: above }) =>
    entries(listed, [...above, 'pipelines']).flatMap(([given, at]) => {
      const pipeline = loadPipeline(loading, organization, given, at)
      return pipeline ? [{ location: { organization, pipeline }, given, at }] : []
    }),
  )
  for (const { location, at } of pipelines)
    checkTriggers(loading, location.pipeline, [...at, 'steps'])

  for (const { organization, given, at } of loaded) {
    for (const [suite, here] of entries(given.suites, [...at, 'suites']))
      loadSuite(loading, organization, suite, here)
    for (const [member, here] of entries(given.members, [...at, 'members']))
      loadMember(loading, organization, member, here)
  }

  return loaded.map(({ organization, given, at }) => ({
    organization,
    given,
    at,
    pipelines: pipelines.filter(({ location }) => location.organization === organization),
  }))
}
