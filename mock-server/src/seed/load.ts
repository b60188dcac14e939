import { createIssueList, type IssueList, isPlainObject, type Path } from '../fields/field.js'
import type { Rule } from '../rules/rule.js'
import type { GivenSettings } from '../sandbox/settings.js'
import type { Transaction } from '../store/store.js'
import type { SeedContext } from './context.js'
import { plansOfFiller } from './filler.js'
import { loadApplication } from './load-application.js'
import { linkBuild, loadBuild, type PipelinePlace } from './load-build.js'
import {
  loadAgent,
  loadMember,
  loadOrganization,
  loadQueue,
  loadSuite,
  loadUser,
  organizationLists,
} from './load-organization.js'
import { checkTriggers, loadPipeline } from './load-pipeline.js'
import { loadAccessToken, loadGrant } from './load-tokens.js'
import { type Loading, startLoading } from './loading.js'
import type { SeedPipeline } from './pipeline-tables.js'
import { type Plan, playBuilds } from './play.js'
import { type SeedDocument, seedField } from './seed-document.js'
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
  /** Values that are shown once: the store keeps digests. */
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

/** The builds of a pipeline that are played: made up, or listed with `play`. */
const plansOf = (loading: Loading, { given, at, organization, pipeline }: Listing): readonly Plan[] => {
  const place = { organization, pipeline }
  const listed = (given.builds ?? []).flatMap((build, n): readonly Plan[] => {
    const path = [...at, 'builds', n]
    if (!('play' in build) || !loading.sound(path)) return []
    const { created_at, play, ...said } = build
    return [{ place, at: Date.parse(loading.time(created_at ?? '-0s')), given: said, play, path }]
  })
  return [...plansOfFiller(loading, place, given, at), ...listed]
}

const loadPipelines = (loading: Loading, organizations: Listed): void => {
  const places = organizations.flatMap(([given, at, organization]) =>
    (given.pipelines ?? []).flatMap((pipelineGiven, n) => {
      const here = [...at, 'pipelines', n]
      const pipeline = loadPipeline(loading, organization, pipelineGiven, here)
      return pipeline ? [{ organization, pipeline, given: pipelineGiven, at: here }] : []
    }),
  )
  for (const { pipeline, at } of places) checkTriggers(loading, pipeline, [...at, 'steps'])
  // Suites and members name pipelines, builds name suites.
  for (const [given, at, organization] of organizations) {
    for (const [n, suite] of (given.suites ?? []).entries())
      loadSuite(loading, organization, suite, [...at, 'suites', n])
    for (const [n, member] of (given.members ?? []).entries())
      loadMember(loading, organization, member, [...at, 'members', n])
  }
  for (const [given, , organization] of organizations) {
    const own = places.filter((place) => place.organization === organization)
    playBuilds(
      loading,
      organization,
      given,
      own.flatMap((place) => plansOf(loading, place)),
    )
  }
  const builds = places.flatMap((place) =>
    (place.given.builds ?? []).flatMap((build, n) => {
      if ('play' in build) return []
      const at = [...place.at, 'builds', n]
      return [{ place, given: build, at, record: loadBuild(loading, place, build, at) }]
    }),
  )
  for (const { place, given, at, record } of builds) if (record) linkBuild(loading, place, given, record, at)
}

const listSound = (loading: Loading, at: Path, entries: readonly unknown[]): boolean =>
  loading.sound(
    at,
    entries.map((_, n) => String(n)),
  )

/** The lists of an organization that are lists: a faulty one is reported already and is empty here. */
const withSoundLists = (loading: Loading, given: SeedOrganization, at: Path): SeedOrganization => ({
  ...given,
  ...Object.fromEntries(
    organizationLists.flatMap((name) => {
      const entries = given[name]
      return Array.isArray(entries) && listSound(loading, [...at, name], entries) ? [] : [[name, []]]
    }),
  ),
})

const loadAll = (loading: Loading, given: SeedDocument, { extraScopes }: LoadOptions) => {
  const accessTokens = new Map<string, string>()
  const clientSecrets = new Map<string, string>()
  const entries = <T>(
    name: keyof SeedDocument,
    list: readonly T[] | null | undefined,
  ): readonly (readonly [T, Path])[] =>
    Array.isArray(list) && listSound(loading, [name], list)
      ? list.map((entry: T, n) => [entry, [name, n]] as const)
      : []

  for (const [user, at] of entries('users', given.users)) loadUser(loading, user, at)
  const organizations: Listed = entries('organizations', given.organizations).flatMap(([organization, at]) => {
    const record = loadOrganization(loading, organization, at)
    return record ? [[withSoundLists(loading, organization, at), at, record] as const] : []
  })
  for (const [organization, at, record] of organizations) {
    for (const [n, queue] of (organization.queues ?? []).entries())
      loadQueue(loading, record, queue, [...at, 'queues', n])
    for (const [n, agent] of (organization.agents ?? []).entries())
      loadAgent(loading, record, agent, [...at, 'agents', n])
  }
  loadPipelines(loading, organizations)
  const scopes = given.settings?.extraScopes ?? extraScopes
  for (const [application, at] of entries('applications', given.applications)) {
    loadApplication(loading, application, at, scopes, clientSecrets)
  }
  for (const [token, at] of entries('accessTokens', given.accessTokens)) {
    loadAccessToken(loading, token, at, scopes, accessTokens)
  }
  for (const [grant, at] of entries('grants', given.grants)) loadGrant(loading, grant, at, scopes)
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
  if (lifecycle) tx.put('meta', { id: 'lifecycle', value: lifecycle })
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
