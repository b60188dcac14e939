import { createIssueList, type IssueList, isPlainObject, type Path } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import type { Rule } from '../rules/rule.js'
import type { Transaction } from '../store/store.js'
import type { SeedBuild } from './build-tables.js'
import type { SeedContext } from './context.js'
import { plansOfFiller } from './filler.js'
import { loadApplication } from './load-application.js'
import { linkBuild, loadBuild, type PipelinePlace } from './load-build.js'
import { loadAgent, loadMember, loadOrganization, loadQueue, loadSuite, loadUser } from './load-organization.js'
import { checkTriggers, loadPipeline } from './load-pipeline.js'
import { loadAccessToken, loadGrant } from './load-tokens.js'
import { type Loading, startLoading } from './loading.js'
import type { SeedPipeline } from './pipeline-tables.js'
import { type Plan, playBuilds } from './play.js'
import { type SeedDocument, seedField } from './seed-document.js'
import type { GivenSettings } from './settings.js'
import type { SeedOrganization } from './tables.js'

/** A document that is at odds with its tables, with itself or with what is stored; nothing of it was written. */
export class DocumentError extends Error {
  readonly issues: IssueList

  constructor(issues: IssueList) {
    super(`The document has ${issues.count} ${issues.count === 1 ? 'fault' : 'faults'}`)
    this.name = 'DocumentError'
    this.issues = issues
  }
}

export interface Loaded {
  readonly created: number
  readonly updated: number
  /** Values of tokens that are new or changed, by name: shown once, the store keeps digests. */
  readonly accessTokens: Readonly<Record<string, string>>
  readonly clientSecrets: Readonly<Record<string, string>>
  readonly rules: readonly Rule[]
  readonly notices: IssueList['notices']
}

/** `extraScopes` as they are when the document says nothing about them. */
export interface LoadOptions {
  readonly extraScopes: readonly string[]
}

type Listed = readonly (readonly [SeedOrganization, Path, PipelinePlace['organization']])[]

interface Listing extends PipelinePlace {
  readonly given: SeedPipeline
  readonly at: Path
}

const plansOf = (loading: Loading, { given, at, organization, pipeline }: Listing): readonly Plan[] => {
  const place = { organization, pipeline }
  const listed = loading.entries(given.builds, [...at, 'builds']).flatMap(([build, path]): readonly Plan[] => {
    if (!('play' in build) || !loading.sound(path)) return []
    const { created_at, play, ...said } = build
    return [{ place, at: Date.parse(loading.time(created_at ?? '-0s')), given: said, play, path }]
  })
  return [...plansOfFiller(loading, place, given, at), ...listed]
}

const loadPipelines = (loading: Loading, organizations: Listed): void => {
  const { entries } = loading
  const places = organizations.flatMap(([within, at, organization]) =>
    entries(within.pipelines, [...at, 'pipelines']).flatMap(([given, here]) => {
      const pipeline = loadPipeline(loading, organization, given, here)
      return pipeline ? [{ organization, pipeline, given, at: here }] : []
    }),
  )
  for (const { pipeline, at } of places) checkTriggers(loading, pipeline, [...at, 'steps'])
  // Suites and members name pipelines, builds name suites.
  for (const [given, at, organization] of organizations) {
    for (const [suite, here] of entries(given.suites, [...at, 'suites'])) loadSuite(loading, organization, suite, here)
    for (const [member, here] of entries(given.members, [...at, 'members']))
      loadMember(loading, organization, member, here)
  }
  for (const [given, , organization] of organizations) {
    const own = places.filter((place) => place.organization === organization)
    const plans = own.flatMap((place) => plansOf(loading, place))
    playBuilds(loading, organization, given, plans)
  }
  const builds = places.flatMap((place) =>
    entries(place.given.builds, [...place.at, 'builds']).map(([given, at]) => {
      const record = 'play' in given ? undefined : loadBuild(loading, place, given, at)
      return () => record && linkBuild(loading, place, given as SeedBuild, record, at)
    }),
  )
  for (const link of builds) link()
}

const loadAll = (loading: Loading, given: SeedDocument, { extraScopes }: LoadOptions) => {
  const { entries } = loading
  const accessTokens = new Map<string, string>()
  const clientSecrets = new Map<string, string>()
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
  const scopes = (loading.sound(['settings']) && given.settings?.extraScopes) || extraScopes
  for (const [application, at] of entries(given.applications, ['applications'])) {
    loadApplication(loading, application, at, scopes, clientSecrets)
  }
  for (const [token, at] of entries(given.accessTokens, ['accessTokens'])) {
    loadAccessToken(loading, token, at, scopes, accessTokens)
  }
  for (const [grant, at] of entries(given.grants, ['grants'])) loadGrant(loading, grant, at, scopes)
  return { accessTokens: Object.fromEntries(accessTokens), clientSecrets: Object.fromEntries(clientSecrets) }
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
 * Reads a document into a transaction: checked whole, all or nothing. Records are found by id, else by natural key;
 * given keys replace, null restores the default, other keys stay.
 *
 * @throws DocumentError with every fault; the caller's `store.update` then undoes what was written.
 */
export const loadDocument = (
  document: unknown,
  tx: Transaction,
  context: SeedContext,
  options: LoadOptions,
): Loaded => {
  const issues = createIssueList()
  seedField.check(document, [], issues)
  const loading = startLoading(tx, context, issues, document)
  // Beyond the limit nobody knows which parts are sound.
  if (!isPlainObject(document) || issues.count > issues.issues.length) throw new DocumentError(issues)
  const given = document as SeedDocument
  const shown = loadAll(loading, given, options)
  if (issues.count > 0) throw new DocumentError(issues)
  keepSettings(tx, given)
  return {
    ...loading.counts,
    ...shown,
    rules: given.rules ?? [],
    notices: issues.notices,
  }
}
