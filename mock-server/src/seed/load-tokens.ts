import { digest } from '../base/digest.js'
import type { Path } from '../fields/field.js'
import type { UserRecord } from '../records/records.js'
import { entries, type Loading } from './loading.js'
import { accessTokenOwn, grantOwn, type SeedAccessToken, type SeedGrant } from './tables.js'

/** Organizations of which the user is a member; a token without list works in all of them. */
export const organizationsOf = ({ state }: Pick<Loading, 'state'>, user: UserRecord): readonly string[] =>
  [...state.values('members')].filter(({ userId }) => userId === user.id).map(({ organizationId }) => organizationId)

/** What every new access token of the API starts with. */
export const apiToken = {
  kind: 'api',
  applicationId: null,
  grantId: null,
  familyId: null,
  revokedAt: null,
  lastUsedAt: null,
} as const

export const loadAccessToken = (loading: Loading, given: SeedAccessToken, at: Path) =>
  loading.load('access token', given, at, [], ({ stored, name, own }) => {
    const { state, context, issues, shown } = loading
    for (const key of ['user', 'scopes'] as const) {
      if (!stored && !given[key]) issues.issue([...at, key], 'is required for a new access token')
    }
    const user = given.user
      ? loading.refer('user', [...at, 'user'], given.user)
      : state.get('users', stored?.userId ?? '')
    loading.checkScopes(given.scopes, [...at, 'scopes'])
    const listed = entries(given.organizations, [...at, 'organizations']).flatMap(
      ([slug, here]) => loading.refer('organization', here, slug)?.id ?? [],
    )
    if (!user) return undefined

    const value = context.givenAccessToken?.(name) ?? given.value ?? (stored ? null : context.accessToken(name))
    const digested = value === null ? (stored?.digest ?? '') : digest(value)
    const holder = state.find('accessTokenByDigest', digested)
    if (holder && holder.id !== stored?.id) issues.issue([...at, 'value'], 'belongs to another access token')
    if (value !== null) shown.accessTokens.set(name, value)
    const defaults = { ...own, description: () => name, scopes: () => [], created_at: () => loading.time('-0s') }
    const kept = given.organizations === undefined ? stored?.organizationIds : undefined
    const endsAt = given.expires_at === undefined ? stored?.expiresAt : given.expires_at
    return {
      ...apiToken,
      ...stored,
      ...loading.merge(accessTokenOwn, given, stored, defaults),
      digest: digested,
      userId: user.id,
      organizationIds: given.organizations ? listed : (kept ?? organizationsOf(loading, user)),
      expiresAt: typeof endsAt === 'string' ? Date.parse(loading.time(endsAt)) : (endsAt ?? null),
    }
  })

export const loadGrant = (loading: Loading, given: SeedGrant, at: Path) => {
  const { state, context, issues } = loading
  const user = loading.refer('user', [...at, 'user'], given.user)
  const application = loading.refer('application', [...at, 'application'], given.application)
  const organization = loading.refer('organization', [...at, 'organization'], given.organization)
  loading.checkScopes(given.scopes, [...at, 'scopes'])
  if (!user || !application || !organization) return
  const parties = { userId: user.id, applicationId: application.id, organizationId: organization.id }
  const stored = given.id
    ? state.get('grants', given.id)
    : state.find('liveGrant', user.id, application.id, organization.id)
  if (!stored && !given.scopes) return issues.issue([...at, 'scopes'], 'is required for a new grant')
  if (!loading.once('grant', Object.values(parties).join(' '), at)) return
  const id = () => stored?.id ?? context.uuid('grant')
  const defaults = { id, scopes: () => [], created_at: () => loading.time('-0s') }
  const own = loading.merge(grantOwn, given, stored, defaults)
  const origin = { ip: '127.0.0.1', userAgent: 'seed', at: Date.parse(own.created_at) }
  loading.put('grants', { origin, lastUsedAt: null, revokedAt: null, ...stored, ...own, ...parties }, stored)
}
