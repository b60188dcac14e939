import { digest } from '../digest.js'
import { knownScopes } from '../domain/scope.js'
import type { Path } from '../fields/field.js'
import type { UserRecord } from '../store/records.js'
import { userOf } from './load-organization.js'
import { choose, type Loading } from './loading.js'
import type { SeedAccessToken, SeedGrant } from './tables.js'

/** Organizations of which the user is a member; a token without list works in all of them. */
export const organizationsOf = ({ state }: Pick<Loading, 'state'>, user: UserRecord): readonly string[] =>
  [...state.values('members')].filter(({ userId }) => userId === user.id).map(({ organizationId }) => organizationId)

const checkScopes = (loading: Loading, given: readonly string[], extraScopes: readonly string[], at: Path): void => {
  const known = knownScopes(extraScopes)
  for (const [n, scope] of given.entries()) {
    if (!known.has(scope))
      loading.issues.issue([...at, n], `${JSON.stringify(scope)} is no known scope (extraScopes adds names)`)
  }
}

const organizationIds = (loading: Loading, slugs: readonly string[], at: Path): readonly string[] =>
  slugs.flatMap((slug, n) => {
    const organization = loading.state.find('organizationBySlug', slug)
    if (!organization) loading.dangling('organization', slug, [...at, n], 'organization')
    return organization ? [organization.id] : []
  })

/** `shown` gets the value of a token that is new or has a new value: it is kept as a digest only. */
export const loadAccessToken = (
  loading: Loading,
  given: SeedAccessToken,
  at: Path,
  extraScopes: readonly string[],
  shown: Map<string, string>,
) => {
  if (!loading.sound(at)) return
  const { state, context, issues } = loading
  const stored = given.id ? state.get('accessTokens', given.id) : state.find('accessTokenByName', given.name ?? '')
  const name = given.name ?? stored?.name
  if (name === undefined || name === null) return issues.issue([...at, 'name'], 'is required for a new access token')
  if (!loading.once('access token', name, [...at, 'name'])) return
  if (!stored && !given.user) issues.issue([...at, 'user'], 'is required for a new access token')
  if (!stored && !given.scopes) issues.issue([...at, 'scopes'], 'is required for a new access token')
  const user = given.user ? userOf(loading, given.user, [...at, 'user']) : state.get('users', stored?.userId ?? '')
  checkScopes(loading, given.scopes ?? [], extraScopes, [...at, 'scopes'])
  const listed = given.organizations && organizationIds(loading, given.organizations, [...at, 'organizations'])
  if (!user) return

  const literal = context.givenAccessToken?.(name) ?? given.value
  const value = literal ?? (stored ? null : context.accessToken(name))
  const digested = value === null ? (stored?.digest ?? '') : digest(value)
  const holder = state.find('accessTokenByDigest', digested)
  if (holder && holder.id !== stored?.id) return issues.issue([...at, 'value'], 'belongs to another access token')
  if (value !== null) shown.set(name, value)
  loading.put(
    'accessTokens',
    {
      id: stored?.id ?? given.id ?? context.uuid('accessToken'),
      digest: digested,
      kind: stored?.kind ?? 'api',
      name,
      description: choose(given.description, stored?.description, () => name),
      userId: user.id,
      scopes: choose(given.scopes, stored?.scopes, () => []),
      organizationIds: choose(listed, stored?.organizationIds, () => organizationsOf(loading, user)),
      applicationId: stored?.applicationId ?? null,
      grantId: stored?.grantId ?? null,
      familyId: stored?.familyId ?? null,
      created_at: choose(given.created_at && loading.time(given.created_at), stored?.created_at, () =>
        loading.time('-0s'),
      ),
      expiresAt: choose<number | null>(
        (given.expires_at && Date.parse(loading.time(given.expires_at))) || undefined,
        stored?.expiresAt,
        () => null,
      ),
      revokedAt: stored?.revokedAt ?? null,
      lastUsedAt: stored?.lastUsedAt ?? null,
    },
    stored,
  )
}

export const loadGrant = (loading: Loading, given: SeedGrant, at: Path, extraScopes: readonly string[]) => {
  if (!loading.sound(at)) return
  const { state, context, issues } = loading
  const user = userOf(loading, given.user, [...at, 'user'])
  const application = state.find('applicationByClientId', given.application)
  if (!application) loading.dangling('application', given.application, [...at, 'application'], 'application')
  const [organizationId] = organizationIds(loading, [given.organization], [...at, 'organization'])
  checkScopes(loading, given.scopes ?? [], extraScopes, [...at, 'scopes'])
  if (!user || !application || organizationId === undefined) return
  const stored = given.id
    ? state.get('grants', given.id)
    : state.find('liveGrant', user.id, application.id, organizationId)
  if (!stored && !given.scopes) return issues.issue([...at, 'scopes'], 'is required for a new grant')
  if (!loading.once('grant', `${user.id} ${application.id} ${organizationId}`, at)) return
  const created_at = choose(given.created_at && loading.time(given.created_at), stored?.created_at, () =>
    loading.time('-0s'),
  )
  loading.put(
    'grants',
    {
      id: stored?.id ?? given.id ?? context.uuid('grant'),
      userId: user.id,
      applicationId: application.id,
      organizationId,
      scopes: choose(given.scopes, stored?.scopes, () => []),
      origin: stored?.origin ?? { ip: '127.0.0.1', userAgent: 'seed', at: Date.parse(created_at) },
      created_at,
      lastUsedAt: stored?.lastUsedAt ?? null,
      revokedAt: stored?.revokedAt ?? null,
    },
    stored,
  )
}
