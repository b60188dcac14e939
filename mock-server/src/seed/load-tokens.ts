import { digest } from '../base/digest.js'
import { knownScopes } from '../domain/scope.js'
import type { Path } from '../fields/field.js'
import type { UserRecord } from '../records/records.js'
import type { Loading } from './loading.js'
import { accessTokenOwn, grantOwn, type SeedAccessToken, type SeedGrant } from './tables.js'

/** Organizations of which the user is a member; a token without list works in all of them. */
export const organizationsOf = ({ state }: Pick<Loading, 'state'>, user: UserRecord): readonly string[] =>
  [...state.values('members')].filter(({ userId }) => userId === user.id).map(({ organizationId }) => organizationId)

export const checkScopes = (
  loading: Loading,
  given: readonly string[],
  extraScopes: readonly string[],
  at: Path,
): void => {
  const known = knownScopes(extraScopes)
  for (const [n, scope] of given.entries()) {
    if (!known.has(scope))
      loading.issues.issue([...at, n], `${JSON.stringify(scope)} is no known scope (extraScopes adds names)`)
  }
}

const organizationIds = (loading: Loading, slugs: readonly string[], at: Path): readonly string[] =>
  slugs.flatMap((slug, n) => {
    const organization = loading.refer('organization', [...at, n], slug)
    return organization ? [organization.id] : []
  })

/** What every new access token of the API starts with. */
export const apiToken = {
  kind: 'api',
  applicationId: null,
  grantId: null,
  familyId: null,
  revokedAt: null,
  lastUsedAt: null,
} as const

/** `shown` gets the value of a token that is new or has a new value: it is kept as a digest only. */
export const loadAccessToken = (
  loading: Loading,
  given: SeedAccessToken,
  at: Path,
  extraScopes: readonly string[],
  shown: Map<string, string>,
) => {
  const { state, context, issues } = loading
  const known = loading.identify('access token', given, at)
  if (!known) return
  const { stored, name, own } = known
  if (!stored && !given.user) issues.issue([...at, 'user'], 'is required for a new access token')
  if (!stored && !given.scopes) issues.issue([...at, 'scopes'], 'is required for a new access token')
  const user = given.user
    ? loading.refer('user', [...at, 'user'], given.user)
    : state.get('users', stored?.userId ?? '')
  checkScopes(loading, given.scopes ?? [], extraScopes, [...at, 'scopes'])
  const listed = given.organizations && organizationIds(loading, given.organizations, [...at, 'organizations'])
  if (!user) return

  const literal = context.givenAccessToken?.(name) ?? given.value
  const value = literal ?? (stored ? null : context.accessToken(name))
  const digested = value === null ? (stored?.digest ?? '') : digest(value)
  const holder = state.find('accessTokenByDigest', digested)
  if (holder && holder.id !== stored?.id) return issues.issue([...at, 'value'], 'belongs to another access token')
  if (value !== null) shown.set(name, value)
  const defaults = { ...own, description: () => name, scopes: () => [], created_at: () => loading.time('-0s') }
  const mine = () => organizationsOf(loading, user)
  const endsAt = given.expires_at === undefined ? stored?.expiresAt : given.expires_at
  loading.put(
    'accessTokens',
    {
      ...apiToken,
      ...stored,
      ...loading.merge(accessTokenOwn, given, stored, defaults),
      digest: digested,
      userId: user.id,
      organizationIds: listed ?? (given.organizations === undefined ? stored?.organizationIds : undefined) ?? mine(),
      expiresAt: typeof endsAt === 'string' ? Date.parse(loading.time(endsAt)) : (endsAt ?? null),
    },
    stored,
  )
}

export const loadGrant = (loading: Loading, given: SeedGrant, at: Path, extraScopes: readonly string[]) => {
  if (!loading.sound(at)) return
  const { state, context, issues } = loading
  const user = loading.refer('user', [...at, 'user'], given.user)
  const application = loading.refer('application', [...at, 'application'], given.application)
  const [organizationId] = organizationIds(loading, [given.organization], [...at, 'organization'])
  checkScopes(loading, given.scopes ?? [], extraScopes, [...at, 'scopes'])
  if (!user || !application || organizationId === undefined) return
  const stored = given.id
    ? state.get('grants', given.id)
    : state.find('liveGrant', user.id, application.id, organizationId)
  if (!stored && !given.scopes) return issues.issue([...at, 'scopes'], 'is required for a new grant')
  if (!loading.once('grant', `${user.id} ${application.id} ${organizationId}`, at)) return
  const id = () => stored?.id ?? context.uuid('grant')
  const defaults = { id, scopes: () => [], created_at: () => loading.time('-0s') }
  const own = loading.merge(grantOwn, given, stored, defaults)
  const { id: applicationId } = application
  loading.put(
    'grants',
    {
      origin: { ip: '127.0.0.1', userAgent: 'seed', at: Date.parse(own.created_at) },
      lastUsedAt: null,
      revokedAt: null,
      ...stored,
      ...own,
      userId: user.id,
      applicationId,
      organizationId,
    },
    stored,
  )
}
