import { asciiLower } from '../domain/ascii-lower.js'
import type { Path } from '../fields/field.js'
import type { OrganizationRecord, SuiteRecord, UserRecord } from '../store/records.js'
import { choose, type Loading } from './loading.js'
import type { SeedMember, SeedOrganization, SeedQueue, SeedSuite, SeedTest, SeedUser } from './tables.js'

/** The user of an e-mail address; reports a reference that leads nowhere. */
export const userOf = (loading: Loading, address: string, at: Path): UserRecord | undefined => {
  const user = loading.state.find('userByEmail', address)
  if (!user) loading.dangling('user', address, at, 'user')
  return user
}

export const loadUser = (loading: Loading, given: SeedUser, at: Path) => {
  if (!loading.sound(at)) return
  const { state, context } = loading
  const stored = given.id ? state.get('users', given.id) : state.find('userByEmail', given.email ?? '')
  const email = given.email ?? stored?.email
  if (email === undefined) return loading.issues.issue([...at, 'email'], 'is required for a new user')
  if (!loading.once('user', asciiLower(email), [...at, 'email'])) return
  const holder = state.find('userByEmail', email)
  if (holder && holder.id !== (stored?.id ?? given.id)) {
    return loading.issues.issue([...at, 'email'], 'belongs to another user')
  }
  loading.put(
    'users',
    {
      id: stored?.id ?? given.id ?? context.uuid('user'),
      email,
      name: choose(given.name, stored?.name, () => email.slice(0, email.indexOf('@'))),
      emailVerified: choose(given.emailVerified, stored?.emailVerified, () => true),
      active: choose(given.active, stored?.active, () => true),
      created_at: choose(given.created_at && loading.time(given.created_at), stored?.created_at, () =>
        loading.time('-365d'),
      ),
    },
    stored,
  )
}

const lists = ['members', 'queues', 'pipelines', 'suites']

/** The organization's own record; what lies inside it follows once every organization is there. */
export const loadOrganization = (
  loading: Loading,
  given: SeedOrganization,
  at: Path,
): OrganizationRecord | undefined => {
  if (!loading.sound(at, lists)) return undefined
  const { state, context, issues } = loading
  const stored = given.id ? state.get('organizations', given.id) : state.find('organizationBySlug', given.slug ?? '')
  const slug = given.slug ?? stored?.slug
  if (slug === undefined) {
    issues.issue([...at, 'slug'], 'is required for a new organization')
    return undefined
  }
  if (!loading.once('organization', slug, [...at, 'slug'])) return undefined
  const holder = state.find('organizationBySlug', slug)
  if (holder && holder.id !== (stored?.id ?? given.id)) {
    issues.issue([...at, 'slug'], 'belongs to another organization')
    return undefined
  }
  const record: OrganizationRecord = {
    id: stored?.id ?? given.id ?? context.uuid('organization'),
    slug,
    name: choose(given.name, stored?.name, () => slug),
    tokenExchangeEnabled: choose(given.tokenExchangeEnabled, stored?.tokenExchangeEnabled, () => true),
    jtiRequired: choose(given.jtiRequired, stored?.jtiRequired, () => false),
    created_at: choose(given.created_at && loading.time(given.created_at), stored?.created_at, () =>
      loading.time('-365d'),
    ),
  }
  loading.put('organizations', record, stored)
  return record
}

export const loadMember = (loading: Loading, organization: OrganizationRecord, given: SeedMember, at: Path) => {
  if (!loading.sound(at)) return
  const user = userOf(loading, given.user, [...at, 'user'])
  if (!user || !loading.once(`member of ${organization.id}`, user.id, [...at, 'user'])) return
  const stored = loading.state.find('member', organization.id, user.id)
  const pipelines = choose(given.pipelines, stored?.pipelines, () => ({}))
  for (const slug of Object.keys(given.pipelines ?? {})) {
    if (!loading.state.find('pipelineBySlug', organization.id, slug)) {
      loading.dangling('pipeline', slug, [...at, 'pipelines', slug], 'pipeline')
    }
  }
  loading.put(
    'members',
    {
      id: `${organization.id}:${user.id}`,
      organizationId: organization.id,
      userId: user.id,
      role: choose(given.role, stored?.role, () => 'member'),
      active: choose(given.active, stored?.active, () => true),
      pipelines,
    },
    stored,
  )
}

export const loadQueue = (loading: Loading, organization: OrganizationRecord, given: SeedQueue, at: Path) => {
  if (!loading.sound(at)) return
  const { state, context } = loading
  const stored = given.id ? state.get('queues', given.id) : state.find('queueByKey', organization.id, given.key ?? '')
  const key = given.key ?? stored?.key
  if (key === undefined) return loading.issues.issue([...at, 'key'], 'is required for a new queue')
  if (!loading.once(`queue of ${organization.id}`, key, [...at, 'key'])) return
  loading.put(
    'queues',
    {
      id: stored?.id ?? given.id ?? context.uuid('queue'),
      organizationId: organization.id,
      clusterId: stored?.clusterId ?? clusterOf(loading, organization),
      key,
      paused: choose(given.paused, stored?.paused, () => false),
    },
    stored,
  )
}

/** All queues of an organization stand in one cluster. */
const clusterOf = ({ state, context }: Loading, { id }: OrganizationRecord): string => {
  for (const queue of state.values('queues')) if (queue.organizationId === id) return queue.clusterId
  return context.uuid('cluster')
}

export const loadSuite = (loading: Loading, organization: OrganizationRecord, given: SeedSuite, at: Path) => {
  if (!loading.sound(at, ['tests'])) return
  const { state, context } = loading
  const stored = given.id ? state.get('suites', given.id) : state.find('suiteBySlug', organization.id, given.slug ?? '')
  const slug = given.slug ?? stored?.slug
  if (slug === undefined) return loading.issues.issue([...at, 'slug'], 'is required for a new suite')
  if (!loading.once(`suite of ${organization.id}`, slug, [...at, 'slug'])) return
  const suite: SuiteRecord = {
    id: stored?.id ?? given.id ?? context.uuid('suite'),
    organizationId: organization.id,
    slug,
    name: choose(given.name, stored?.name, () => slug),
    created_at: choose(given.created_at && loading.time(given.created_at), stored?.created_at, () =>
      loading.time('-365d'),
    ),
  }
  loading.put('suites', suite, stored)
  if (
    !loading.sound(
      [...at, 'tests'],
      (given.tests ?? []).map((_, n) => String(n)),
    )
  )
    return
  for (const [n, test] of (given.tests ?? []).entries()) loadTest(loading, suite, test, [...at, 'tests', n])
}

const loadTest = (loading: Loading, suite: SuiteRecord, given: SeedTest, at: Path) => {
  if (!loading.sound(at)) return
  const { state, context } = loading
  const stored = given.id
    ? state.get('tests', given.id)
    : state.find('testByName', suite.id, given.scope ?? '', given.name ?? '')
  const name = given.name ?? stored?.name
  if (name === undefined) return loading.issues.issue([...at, 'name'], 'is required for a new test')
  const scope = choose(given.scope, stored?.scope, () => '')
  if (!loading.once(`test of ${suite.id} in ${JSON.stringify(scope)}`, name, [...at, 'name'])) return
  const location = choose<string | null>(given.location, stored?.location, () => null)
  loading.put(
    'tests',
    {
      id: stored?.id ?? given.id ?? context.uuid('test'),
      suiteId: suite.id,
      scope,
      name,
      location,
      file_name: choose<string | null>(
        given.file_name,
        stored?.file_name,
        () => location?.replace(/(?::\d+)+$/, '') ?? null,
      ),
      labels: choose(given.labels, stored?.labels, () => []),
    },
    stored,
  )
}
