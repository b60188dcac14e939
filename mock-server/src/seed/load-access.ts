import { digest } from '../base/digest.js'
import { acceptKey } from '../domain/keys.js'
import { timestamp } from '../domain/timestamp.js'
import type { InputOf } from '../fields/composites.js'
import type { Path } from '../fields/field.js'
import type { ApplicationRecord, UserRecord } from '../records/records.js'
import { applicationTable, applicationTables } from './application-tables.js'
import { entries, type Loading } from './loading.js'
import { accessTokenTable, grantTable } from './tables.js'

type ApplicationSettings = ReturnType<typeof settingsOf>

function settingsOf(
  loading: Loading,
  given: InputOf<typeof applicationTable>,
  stored: ApplicationRecord | undefined,
) {
  return loading.merge(applicationTable, given, stored, {
    client_id: () => loading.context.uuid('client_id').replaceAll('-', '').slice(0, 20),
    description: () => '',
    grantableScopes: () => [...loading.scopes],
  })
}

/** Finds contradictions between the settings of an application, each with its path. */
function findFaults(
  given: InputOf<typeof applicationTable>,
  { kind, name, jwks, jwks_uri, clientType, grantableScopes }: ApplicationSettings,
  isNew: boolean,
) {
  const faults: (readonly [path: Path, message: string])[] = []
  if (kind === null) faults.push([['kind'], 'is required'])
  if (name === null) faults.push([['name'], 'is required'])

  const otherKind = kind === 'device' ? 'token_exchange' : 'device'
  const otherSettings = kind === null ? [] : Object.keys(applicationTables[otherKind])
  for (const setting of otherSettings) {
    if (Object.hasOwn(given, setting))
      faults.push([[setting], `is not a setting of a ${kind} application`])
  }
  if (kind === 'device' && clientType === 'public' && given.client_secret) {
    faults.push([['client_secret'], 'belongs to confidential applications only'])
  }
  if (kind !== 'token_exchange') return faults

  if (!given.grantableScopes && (isNew || given.grantableScopes === null))
    faults.push([['grantableScopes'], 'is required'])
  if (grantableScopes.length === 0)
    faults.push([['grantableScopes'], 'must name at least one scope'])
  if ((jwks === null) === (jwks_uri === null))
    faults.push([['jwks'], 'exactly one of jwks and jwks_uri must be given'])
  const kids = (jwks?.keys ?? []).map((key) => Reflect.get(key, 'kid'))
  for (const [n, kid] of kids.entries()) {
    if (kids.indexOf(kid) < n)
      faults.push([['jwks', 'keys', n, 'kid'], 'must differ from the kid of other keys'])
  }
  return faults
}

function acceptedKeys(jwks: ApplicationSettings['jwks']): ApplicationRecord['jwks'] {
  return (
    jwks && {
      keys: jwks.keys.flatMap((jwk) => {
        const accepted = acceptKey(jwk)
        return accepted.ok ? [accepted.value] : []
      }),
    }
  )
}

/** Creates or updates an application. A new confidential one gets a secret that is shown once. */
export function loadApplication(
  loading: Loading,
  given: InputOf<typeof applicationTable>,
  at: Path,
) {
  const { state, context, issues, shown } = loading
  const before = given.id
    ? state.get('applications', given.id)
    : state.find('applicationByClientId', given.client_id ?? '')
  if (before && given.kind && given.kind !== before.kind)
    return issues.issue([...at, 'kind'], 'cannot be changed')
  const merged = settingsOf(loading, given, before)
  const { client_secret, kind, name, client_id, ...settings } = merged
  const faults = findFaults(given, merged, before === undefined)
  for (const [path, message] of faults) issues.issue([...at, ...path], message)
  loading.checkScopes(given.grantableScopes, [...at, 'grantableScopes'])
  loading.checkScopes(given.defaultScopes, [...at, 'defaultScopes'])
  if (faults.length > 0 || kind === null || name === null) return

  loading.load('application', { id: given.id, client_id }, at, [], ({ stored, own }) => {
    const confidential = settings.clientType === 'confidential'
    const kept = confidential ? (stored?.clientSecretDigest ?? null) : null
    const isNew = confidential && (kept === null || client_secret !== null)
    const secret = isNew ? (client_secret ?? context.clientSecret(client_id)) : null
    if (secret !== null) shown.clientSecrets.set(client_id, secret)
    return {
      ...settings,
      id: own.id(),
      kind,
      name,
      client_id,
      jwks: acceptedKeys(settings.jwks),
      clientSecretDigest: secret === null ? kept : digest(secret),
      created_at: stored?.created_at ?? timestamp(context.now),
    }
  })
}

/** The ids of the organizations of a user, the default for access tokens. */
export function organizationsOf(
  { state }: Pick<Loading, 'state'>,
  user: UserRecord,
): readonly string[] {
  return [...state.values('members')]
    .filter(({ userId }) => userId === user.id)
    .map(({ organizationId }) => organizationId)
}

/** The first values of every new API access token. */
export const apiToken = {
  kind: 'api',
  applicationId: null,
  grantId: null,
  familyId: null,
  revokedAt: null,
  lastUsedAt: null,
} as const

export function loadAccessToken(
  loading: Loading,
  given: InputOf<typeof accessTokenTable>,
  at: Path,
) {
  return loading.load('access token', given, at, [], ({ stored, name, own }) => {
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

    const value =
      context.givenAccessToken?.(name) ?? given.value ?? (stored ? null : context.accessToken(name))
    const digested = value === null ? (stored?.digest ?? '') : digest(value)
    const holder = state.find('accessTokenByDigest', digested)
    if (holder && holder.id !== stored?.id)
      issues.issue([...at, 'value'], 'belongs to another access token')
    if (value !== null) shown.accessTokens.set(name, value)
    const defaults = {
      ...own,
      description: () => name,
      scopes: () => [],
      created_at: () => loading.time('-0s'),
    }
    const kept = given.organizations === undefined ? stored?.organizationIds : undefined
    const endsAt = given.expires_at === undefined ? stored?.expiresAt : given.expires_at
    return {
      ...apiToken,
      ...stored,
      ...loading.merge(accessTokenTable, given, stored, defaults),
      digest: digested,
      userId: user.id,
      organizationIds: given.organizations ? listed : (kept ?? organizationsOf(loading, user)),
      expiresAt: typeof endsAt === 'string' ? Date.parse(loading.time(endsAt)) : (endsAt ?? null),
    }
  })
}

export function loadGrant(loading: Loading, given: InputOf<typeof grantTable>, at: Path) {
  const { state, context, issues } = loading
  const user = loading.refer('user', [...at, 'user'], given.user)
  const application = loading.refer('application', [...at, 'application'], given.application)
  const organization = loading.refer('organization', [...at, 'organization'], given.organization)
  loading.checkScopes(given.scopes, [...at, 'scopes'])
  if (!user || !application || !organization) return
  const parties = {
    userId: user.id,
    applicationId: application.id,
    organizationId: organization.id,
  }
  const stored = given.id
    ? state.get('grants', given.id)
    : state.find('liveGrant', user.id, application.id, organization.id)
  if (!stored && !given.scopes)
    return issues.issue([...at, 'scopes'], 'is required for a new grant')
  if (!loading.once('grant', Object.values(parties).join(' '), at)) return
  const id = () => stored?.id ?? context.uuid('grant')
  const defaults = { id, scopes: () => [], created_at: () => loading.time('-0s') }
  const own = loading.merge(grantTable, given, stored, defaults)
  const origin = { ip: '127.0.0.1', userAgent: 'seed', at: Date.parse(own.created_at) }
  loading.put(
    'grants',
    { origin, lastUsedAt: null, revokedAt: null, ...stored, ...own, ...parties },
    stored,
  )
}
