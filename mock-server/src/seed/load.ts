import { createIssueList, type IssueList, type Path } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import type { Rule } from '../rules/rule.js'
import type { Transaction } from '../store/store.js'
import { plansOfFiller } from './filler.js'
import { loadAccessToken, loadApplication, loadGrant } from './load-access.js'
import { linkBuild, loadBuild, type PipelinePlace } from './load-build.js'
import {
  checkTriggers,
  loadAgent,
  loadMember,
  loadOrganization,
  loadPipeline,
  loadQueue,
  loadSuite,
  loadUser,
} from './load-organization.js'
import { entries, type Loading, type SeedContext, startLoading } from './loading.js'
import { type Plan, playBuilds } from './play.js'
import { seedError } from './seed-error.js'
import type { GivenSettings } from './settings.js'
import { type SeedDocument, type SeedOrganization, seedField } from './tables.js'

export interface Loaded {
  readonly created: number
  readonly updated: number
  /** Values of tokens that are new or changed, by name: shown once, the store keeps digests. */
  readonly accessTokens: Readonly<Record<string, string>>
  readonly clientSecrets: Readonly<Record<string, string>>
  readonly rules: readonly Rule[]
  readonly notices: IssueList['notices']
}

type Listed = readonly (readonly [SeedOrganization, Path, PipelinePlace['organization']])[]

const loadPipelines = (loading: Loading, organizations: Listed): void => {
  const places = organizations.flatMap(([within, at, organization]) =>
    entries(within.pipelines, [...at, 'pipelines']).flatMap(([given, here]) => {
      const pipeline = loadPipeline(loading, organization, given, here)
      const builds = entries(given.builds, [...here, 'builds'])
      return pipeline ? [{ place: { organization, pipeline }, given, at: here, builds }] : []
    }),
  )
  for (const { place, at } of places) checkTriggers(loading, place.pipeline, [...at, 'steps'])
  // Suites and members name pipelines, builds name suites.
  for (const [{ suites, members }, at, organization] of organizations) {
    for (const [suite, here] of entries(suites, [...at, 'suites'])) loadSuite(loading, organization, suite, here)
    for (const [member, here] of entries(members, [...at, 'members'])) loadMember(loading, organization, member, here)
  }
  for (const [given, , organization] of organizations) {
    const plans = places
      .filter(({ place }) => place.organization === organization)
      .flatMap(({ place, given: pipeline, at, builds }) => [
        ...plansOfFiller(loading, place, pipeline, at),
        ...builds.flatMap(([build, path]): readonly Plan[] => {
          if (!('play' in build)) return []
          const { created_at, play, ...said } = build
          return [{ place, at: Date.parse(loading.time(created_at ?? '-0s')), given: said, play, path }]
        }),
      ])
    playBuilds(loading, organization, given, plans)
  }
  const links = places.flatMap(({ place, builds }) =>
    builds.flatMap(([build, path]) => {
      if ('play' in build) return []
      const record = loadBuild(loading, place, build, path)
      return record ? [() => linkBuild(loading, place, build, record, path)] : []
    }),
  )
  for (const link of links) link()
}

const loadAll = (loading: Loading, given: SeedDocument): void => {
  for (const [user, at] of entries(given.users, ['users'])) loadUser(loading, user, at)
  const organizations: Listed = entries(given.organizations, ['organizations']).flatMap(([organization, at]) => {
    const record = loadOrganization(loading, organization, at)
    return record ? [[organization, at, record] as const] : []
  })
  for (const [{ queues, agents }, at, record] of organizations) {
    for (const [queue, here] of entries(queues, [...at, 'queues'])) loadQueue(loading, record, queue, here)
    for (const [agent, here] of entries(agents, [...at, 'agents'])) loadAgent(loading, record, agent, here)
  }
  loadPipelines(loading, organizations)
  for (const [own, at] of entries(given.applications, ['applications'])) loadApplication(loading, own, at)
  for (const [token, at] of entries(given.accessTokens, ['accessTokens'])) loadAccessToken(loading, token, at)
  for (const [grant, at] of entries(given.grants, ['grants'])) loadGrant(loading, grant, at)
}

/** Settings and lifecycle are records of the sandbox itself, so that a restart and a snapshot keep them. */
const keepSettings = (tx: Transaction, { settings, lifecycle }: SeedDocument): void => {
  if (settings) {
    const stored = (tx.state.get('meta', 'settings')?.value ?? {}) as GivenSettings
    const { tokenPrefixes } = settings
    const prefixes = tokenPrefixes && { tokenPrefixes: { ...stored.tokenPrefixes, ...tokenPrefixes } }
    tx.put('meta', { id: 'settings', value: { ...stored, ...settings, ...prefixes } })
  }
  if (lifecycle) tx.put('meta', { id: 'lifecycle', value: withoutNulls(lifecycle) })
  if (lifecycle === null) tx.delete('meta', 'lifecycle')
}

/**
 * Reads a document into a transaction: checked whole, all or nothing. @throws SeedError, as `fail` makes it, with every
 * fault of its values, or else of what does not fit together; the caller's `store.update` undoes what was written
 */
export const loadDocument = (document: unknown, tx: Transaction, context: SeedContext, fail = seedError): Loaded => {
  const issues = createIssueList()
  const sound = (): void => {
    if (issues.count > 0) throw fail(issues)
  }
  seedField.check(document, [], issues)
  sound()
  const given = document as SeedDocument
  const extraScopes = given.settings?.extraScopes ?? context.extraScopes
  const loading = startLoading(tx, { ...context, extraScopes }, issues)
  loadAll(loading, given)
  sound()
  keepSettings(tx, given)
  const { counts, shown } = loading
  return {
    ...counts,
    accessTokens: Object.fromEntries(shown.accessTokens),
    clientSecrets: Object.fromEntries(shown.clientSecrets),
    rules: given.rules ?? [],
    notices: issues.notices,
  }
}
