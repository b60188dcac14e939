import { standardScopes } from '../domain/scope.js'
import { timestamp } from '../domain/timestamp.js'
import type { OrganizationRecord, QueueRecord } from '../store/records.js'
import type { Entry, SeedContext } from './context.js'
import { makeApplications } from './demo/applications.js'
import { makeBuilds } from './demo/builds.js'
import { makeAgents, makePeople } from './demo/people.js'
import { makePipelines } from './demo/pipelines.js'
import { makeSuites } from './demo/tests.js'
import { apiToken, memberOf, pipelineRecord } from './parts.js'

const day = 86_400_000

/**
 * A service that has been lived in for three weeks: `acme` with six people, six pipelines and 320 builds, two test
 * suites, three applications, the tokens `admin`, `reader` and `foreign`, and a second organization out of reach.
 */
export function* demoSeed(context: SeedContext): Generator<Entry> {
  const created_at = timestamp(Math.floor(context.now / day) * day - 400 * day)
  const organization = (slug: string, name: string): OrganizationRecord => ({
    id: context.uuid('organization'),
    slug,
    name,
    tokenExchangeEnabled: true,
    jtiRequired: false,
    created_at,
  })
  const acme = organization('acme', 'Acme Rockets')
  yield ['organizations', acme]
  const people = makePeople(context, created_at)
  for (const user of Object.values(people)) {
    yield ['users', user]
    yield ['members', memberOf(acme, user, user === people.robin ? 'admin' : 'member')]
  }
  const clusterId = context.uuid('cluster')
  const queues = ['default', 'mac'].map(
    (key): QueueRecord => ({
      id: context.uuid('queue'),
      organizationId: acme.id,
      clusterId,
      key,
      paused: key === 'mac',
    }),
  )
  for (const queue of queues) yield ['queues', queue]
  const agents = makeAgents(context, acme, people.robin, created_at)
  for (const agent of agents) yield ['agents', agent]
  const pipelines = makePipelines(context, acme, created_at)
  for (const pipeline of Object.values(pipelines)) yield ['pipelines', pipeline]
  const [web, api] = makeSuites(context, acme, created_at)
  for (const made of [web, api]) {
    yield ['suites', made.suite]
    for (const test of made.tests) yield ['tests', test]
  }
  for (const application of makeApplications(context, created_at)) yield ['applications', application]
  const token = { userId: people.robin.id, organizationIds: [acme.id], created_at }
  yield apiToken(context, { ...token, name: 'admin', scopes: [...standardScopes] })
  yield apiToken(context, { ...token, name: 'reader', scopes: ['read_builds', 'read_suites'] })
  for (const build of makeBuilds(context, { people, pipelines, queues, agents, suite: web.suite }))
    yield ['builds', build]

  const orbit = organization('orbit', 'Orbit Freight')
  yield ['organizations', orbit]
  const lee = {
    id: context.uuid('user'),
    name: 'Lee Marlow',
    email: 'lee@orbit.example',
    emailVerified: true,
    active: true,
    created_at,
  }
  yield ['users', lee]
  yield ['members', memberOf(orbit, lee, 'admin')]
  const steps = [{ command: 'make check', key: 'check', label: ':satellite: Check' }]
  yield ['pipelines', pipelineRecord(context, orbit, { slug: 'probe', name: 'Probe', steps, created_at })]
  yield apiToken(context, {
    name: 'foreign',
    userId: lee.id,
    scopes: [...standardScopes],
    organizationIds: [orbit.id],
    created_at,
  })
}
