import { createIssueList, type IssueList } from '../fields/field.js'
import { withoutNulls } from '../fields/merge.js'
import type { Rule } from '../rules/rule.js'
import type { Transaction } from '../store/store.js'
import { plansOfFiller } from './filler.js'
import { loadAccessToken, loadApplication, loadGrant } from './load-access.js'
import { linkBuild, loadBuild } from './load-build.js'
import { loadOrganizations } from './load-organization.js'
import { entries, type Loading, type SeedContext, startLoading } from './loading.js'
import { type Plan, playBuilds } from './play.js'
import { seedError } from './seed-error.js'
import type { GivenSettings } from './settings.js'
import { type SeedDocument, seedField } from './tables.js'

export interface Loaded {
  readonly created: number
  readonly updated: number
  /** Values of tokens that are new or changed, by name: shown once, the store keeps digests. */
  readonly accessTokens: Readonly<Record<string, string>>
  readonly clientSecrets: Readonly<Record<string, string>>
  readonly rules: readonly Rule[]
  readonly notices: IssueList['notices']
}

function loadAll(loading: Loading, given: SeedDocument): void {
  const links: (() => void)[] = []
  const organizations = loadOrganizations(loading, given)
  for (const { organization, given: within, places } of organizations) {
    const plans = places.flatMap(({ place, given: pipeline, at }) => [
      ...plansOfFiller(loading, place, pipeline, at),
      ...entries(pipeline.builds, [...at, 'builds']).flatMap(([build, path]): readonly Plan[] => {
        if (!('play' in build)) return []
        const { created_at, play, ...said } = build
        return [
          { place, at: Date.parse(loading.time(created_at ?? '-0s')), given: said, play, path },
        ]
      }),
    ])
    playBuilds(loading, organization, within, plans)
  }
  for (const { place, given: pipeline, at } of organizations.flatMap(({ places }) => places)) {
    for (const [build, path] of entries(pipeline.builds, [...at, 'builds'])) {
      const record = 'play' in build ? undefined : loadBuild(loading, place, build, path)
      if (record && !('play' in build))
        links.push(() => linkBuild(loading, place, build, record, path))
    }
  }
  for (const link of links) link()
  for (const [own, at] of entries(given.applications, ['applications']))
    loadApplication(loading, own, at)
  for (const [token, at] of entries(given.accessTokens, ['accessTokens']))
    loadAccessToken(loading, token, at)
  for (const [grant, at] of entries(given.grants, ['grants'])) loadGrant(loading, grant, at)
}

/**
 * Settings and lifecycle are records of the sandbox itself, so that a restart and a snapshot keep
 * them.
 */
function keepSettings(tx: Transaction, { settings, lifecycle }: SeedDocument): void {
  if (settings) {
    const stored = (tx.state.get('meta', 'settings')?.value ?? {}) as GivenSettings
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
 * Reads a document into a transaction: checked whole, all or nothing. @throws SeedError, as `fail`
 * makes it, with every fault of its values, or else of what does not fit together; the caller's
 * `store.update` undoes what was written
 */
export function loadDocument(
  document: unknown,
  tx: Transaction,
  context: SeedContext,
  fail = seedError,
): Loaded {
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
