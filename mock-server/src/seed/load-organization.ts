import { countJobs } from '../domain/plan-jobs.js'
import type { Given } from '../fields/composites.js'
import type { Path } from '../fields/field.js'
import type { OrganizationRecord, PipelineRecord, Step, SuiteRecord } from '../records/records.js'
import { maxJobs } from '../records/steps.js'
import { pipelineTable, providerSettingsTable, type SeedPipeline } from './build-tables.js'
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

export interface PipelinePlace {
  readonly organization: OrganizationRecord
  readonly pipeline: PipelineRecord
}

function loadUser(loading: Loading, given: Given<typeof userTable>, at: Path) {
  return loading.load('user', given, at, [], ({ stored, name: email, own }) =>
    loading.merge(userTable, given, stored, {
      ...own,
      name: () => email.slice(0, email.indexOf('@')),
      created_at: loading.yearAgo,
    }),
  )
}

function loadOrganization(loading: Loading, given: Given<typeof organizationTable>, at: Path) {
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
  given: Given<typeof memberTable>,
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
  given: Given<typeof queueTable>,
  at: Path,
) {
  return loading.load('queue', given, at, [id], ({ stored, own }) => {
    const { paused, ...queue } = loading.merge(queueTable, given, stored, own)
    const clusterId = stored?.clusterId ?? clusterOf(loading, id)
    return { ...queue, organizationId: id, clusterId, paused: paused !== false }
  })
}

/** All queues of an organization stand in one cluster. */
function clusterOf({ state, context }: Loading, organizationId: string): string {
  for (const queue of state.values('queues'))
    if (queue.organizationId === organizationId) return queue.clusterId
  return context.uuid('cluster')
}

function loadAgent(
  loading: Loading,
  organization: OrganizationRecord,
  given: Given<typeof agentTable>,
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

/** The agent of this name, made when the organization has none yet. */
export function agentNamed(
  loading: Loading,
  organization: OrganizationRecord,
  name: string,
): string {
  const known = loading.state.find('agentByName', organization.id, name)
  return (known ?? loadAgent(loading, organization, { name }, []))?.id ?? ''
}

function loadSuite(
  loading: Loading,
  { id }: OrganizationRecord,
  given: Given<typeof suiteTable>,
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
  given: Given<typeof testTable>,
  at: Path,
) {
  const scope = given.scope ?? loading.state.get('tests', given.id ?? '')?.scope ?? ''
  loading.load('test', given, at, [suiteId, scope], ({ stored, own }) => {
    const location = given.location === undefined ? stored?.location : given.location
    const defaults = { ...own, file_name: () => location?.replace(/(?::\d+)+$/, '') ?? null }
    return { ...loading.merge(testTable, given, stored, defaults), suiteId }
  })
}

/** `owner/name` of `git@git.example:owner/name.git` or an URL of it. */
function repositoryName(repository: string): string {
  return /([^/:]+\/[^/]+?)(?:\.git)?$/.exec(repository)?.[1] ?? repository
}

/** Every step, those of groups too, with its place. */
export function stepsWithin(steps: readonly Step[], at: Path = []): (readonly [Step, Path])[] {
  return steps.flatMap((step, n) => {
    const here: readonly [Step, Path] = [step, [...at, n]]
    return 'group' in step ? [here, ...stepsWithin(step.steps, [...at, n, 'steps'])] : [here]
  })
}

/**
 * Keys are unique in a pipeline, and queues that steps name exist. Pipelines that triggers name are
 * looked up later.
 */
function checkSteps(
  loading: Loading,
  organization: OrganizationRecord,
  steps: readonly Step[],
  at: Path,
): void {
  if (countJobs(steps) > maxJobs)
    loading.issues.issue(at, `the steps make more than ${maxJobs} jobs`)
  const keys = new Set<string>()
  for (const [step, path] of stepsWithin(steps, at)) {
    const key = 'key' in step ? step.key : undefined
    if (key !== undefined && keys.has(key))
      loading.issues.issue([...path, 'key'], `${JSON.stringify(key)} names another step already`)
    if (key !== undefined) keys.add(key)
    if ('queue' in step && step.queue)
      loading.refer('queue', [...path, 'queue'], organization.id, step.queue)
  }
}

/** Reports trigger steps whose pipeline does not exist. */
function checkTriggers(loading: Loading, pipeline: PipelineRecord, at: Path): void {
  for (const [step, path] of stepsWithin(pipeline.steps, at)) {
    if ('trigger' in step)
      loading.refer('pipeline', [...path, 'trigger'], pipeline.organizationId, step.trigger)
  }
}

function loadPipeline(
  loading: Loading,
  organization: OrganizationRecord,
  given: SeedPipeline,
  at: Path,
): PipelineRecord | undefined {
  return loading.load(
    'pipeline',
    given,
    at,
    [organization.id],
    ({ stored, name: slug, own: known }) => {
      const own = loading.merge(pipelineTable, given, stored, {
        ...known,
        name: () => slug,
        repository: () => `git@git.example:${organization.slug}/${slug}.git`,
        created_at: loading.yearAgo,
      })
      const provider = given.provider?.settings ?? {}
      const repository = () => repositoryName(own.repository)
      checkSteps(loading, organization, own.steps, [...at, 'steps'])
      if (given.nextNumber) loading.tx.startNumbers(own.id, given.nextNumber)
      return {
        ...own,
        organizationId: organization.id,
        providerId: given.provider?.id ?? stored?.providerId ?? 'git',
        providerSettings: loading.merge(providerSettingsTable, provider, stored?.providerSettings, {
          repository,
        }),
        webhookKey: stored?.webhookKey ?? loading.context.uuid('webhook').replaceAll('-', ''),
      }
    },
  )
}

/**
 * Users, organizations and what lies inside them but builds; what names another one follows once
 * all of those are there.
 */
export function loadOrganizations(loading: Loading, { users, organizations }: SeedDocument) {
  for (const [user, at] of entries(users, ['users'])) loadUser(loading, user, at)
  const known = entries(organizations, ['organizations']).flatMap(([given, at]) => {
    const organization = loadOrganization(loading, given, at)
    return organization ? [{ organization, given, at }] : []
  })
  for (const { organization, given, at } of known) {
    for (const [queue, here] of entries(given.queues, [...at, 'queues']))
      loadQueue(loading, organization, queue, here)
    for (const [agent, here] of entries(given.agents, [...at, 'agents']))
      loadAgent(loading, organization, agent, here)
  }
  const places = known.flatMap(({ organization, given: within, at: above }) =>
    entries(within.pipelines, [...above, 'pipelines']).flatMap(([given, at]) => {
      const pipeline = loadPipeline(loading, organization, given, at)
      return pipeline ? [{ place: { organization, pipeline }, given, at }] : []
    }),
  )
  for (const { place, at } of places) checkTriggers(loading, place.pipeline, [...at, 'steps'])
  for (const { organization, given, at } of known) {
    for (const [suite, here] of entries(given.suites, [...at, 'suites']))
      loadSuite(loading, organization, suite, here)
    for (const [one, here] of entries(given.members, [...at, 'members']))
      loadMember(loading, organization, one, here)
  }
  return known.map((one) => ({
    ...one,
    places: places.filter(({ place }) => place.organization === one.organization),
  }))
}
