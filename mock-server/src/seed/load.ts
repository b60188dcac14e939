import { createIssueList, type IssueList } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import type { Rule } from '../rules/rule.js'
import type { Transaction } from '../store/store.js'
import { plansOfFiller } from './filler.js'
import { linkBuild } from './link-build.js'
import { loadAccessToken, loadApplication, loadGrant } from './load-access.js'
import { loadBuild } from './load-build.js'
import { loadOrganizations } from './load-organization.js'
import { entries, type Loading, type SeedContext, startLoading } from './loading.js'
import { type BuildPlan, playBuilds } from './play.js'
import { loadPrepared, type PreparedBuilds } from './prepared.js'
import { seedError } from './seed-error.js'
import type { SettingsInput } from './settings.js'
import { type SeedDocument, seedField } from './tables.js'

export interface LoadResult {
  readonly created: number
  readonly updated: number
  /**
   * The values of new or changed tokens, by name. They are shown once; the store keeps only their
   * digests.
   */
  readonly accessTokens: Readonly<Record<string, string>>
  readonly clientSecrets: Readonly<Record<string, string>>
  readonly rules: readonly Rule[]
  readonly notices: IssueList['notices']
}

type LoadedOrganization = ReturnType<typeof loadOrganizations>[number]

function plansOf(loading: Loading, { pipelines }: LoadedOrganization): readonly BuildPlan[] {
  return pipelines.flatMap(({ location, given, at }) => {
    const played = entries(given.builds, [...at, 'builds']).flatMap(
      ([build, path]): readonly BuildPlan[] => {
        if (!('play' in build)) return []
        const { created_at, play, ...fields } = build
        const startsAt = Date.parse(loading.time(created_at ?? '-0s'))
        return [{ location, at: startsAt, given: fields, play, path }]
      },
    )
    return [...plansOfFiller(loading, location, given, at), ...played]
  })
}

function loadBuilds(loading: Loading, organizations: readonly LoadedOrganization[]): void {
  for (const loaded of organizations)
    playBuilds(loading, loaded.organization, loaded.given, plansOf(loading, loaded))
  const links: (() => void)[] = []
  for (const { location, given, at } of organizations.flatMap(({ pipelines }) => pipelines)) {
    for (const [build, path] of entries(given.builds, [...at, 'builds'])) {
      if ('play' in build) continue
      const record = loadBuild(loading, location, build, path)
      if (record) links.push(() => linkBuild(loading, location, build, record, path))
    }
  }
  // A build may refer to a build that comes after it in the document.
  for (const link of links) link()
}

function loadAll(loading: Loading, document: SeedDocument, prepared?: PreparedBuilds): void {
  const organizations = loadOrganizations(loading, document)
  const isPrepared = prepared !== undefined && loadPrepared(loading, prepared)
  if (!isPrepared) loadBuilds(loading, organizations)

  for (const [application, at] of entries(document.applications, ['applications']))
    loadApplication(loading, application, at)
  for (const [token, at] of entries(document.accessTokens, ['accessTokens']))
    loadAccessToken(loading, token, at)
  for (const [grant, at] of entries(document.grants, ['grants'])) loadGrant(loading, grant, at)
}

/** Stores settings and lifecycle as records, so that a restart and a snapshot keep them. */
function keepSettings(tx: Transaction, { settings, lifecycle }: SeedDocument): void {
  if (settings) {
    const stored = (tx.state.get('meta', 'settings')?.value ?? {}) as SettingsInput
    const { tokenPrefixes } = settings
    const prefixes = tokenPrefixes && {
      tokenPrefixes: { ...stored.tokenPrefixes, ...tokenPrefixes },
    }
    tx.put('meta', { id: 'settings', value: { ...stored, ...settings, ...prefixes } })
  }
  if (lifecycle) tx.put('meta', { id: 'lifecycle', value: withoutNulls(lifecycle) })
  if (lifecycle === null) tx.delete('meta', 'lifecycle')
}

/**
 * Checks a whole document and loads it into a transaction. If its values are invalid, the error
 * lists every invalid value. Otherwise it lists every contradiction between records.
 *
 * @param fail Makes the error.
 * @param prepared The builds of the document, already played.
 * @throws SeedError; the caller's `store.update` then undoes all writes
 */
export function loadDocument(
  document: unknown,
  tx: Transaction,
  context: SeedContext,
  fail = seedError,
  prepared?: PreparedBuilds,
): LoadResult {
  const issues = createIssueList()
  const throwIssues = (): void => {
    if (issues.count > 0) throw fail(issues)
  }
  seedField.check(document, [], issues)
  throwIssues()
  const given = document as SeedDocument
  const extraScopes = given.settings?.extraScopes ?? context.extraScopes
  const loading = startLoading(tx, { ...context, extraScopes }, issues)
  loadAll(loading, given, prepared)
  throwIssues()
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
