import { digest } from '../base/digest.js'
import { acceptKey } from '../domain/keys.js'
import { knownScopes } from '../domain/scope.js'
import { timestamp } from '../domain/timestamp.js'
import type { Path } from '../fields/field.js'
import type { ApplicationRecord } from '../records/records.js'
import { applicationTable, applicationTables, type SeedApplication } from './application-table.js'
import { checkScopes } from './load-tokens.js'
import type { Loading } from './loading.js'

const stored = ({ state }: Loading, { id, client_id }: SeedApplication): ApplicationRecord | undefined =>
  id ? state.get('applications', id) : client_id ? state.find('applicationByClientId', client_id) : undefined

type Settings = ReturnType<typeof settingsOf>

const settingsOf = (
  loading: Loading,
  given: SeedApplication,
  known: ApplicationRecord | undefined,
  scopes: ReadonlySet<string>,
) => loading.merge(applicationTable, given, known, { description: () => '', grantableScopes: () => [...scopes] })

/** What of an application no row of the table can say alone: each fault with the setting that it is at. */
const faults = (given: SeedApplication, { kind, name, jwks, jwks_uri, ...own }: Settings, isNew: boolean) => {
  const found: (readonly [path: Path, message: string])[] = []
  if (kind === null) found.push([['kind'], 'is required'])
  if (name === null) found.push([['name'], 'is required'])
  const foreign = kind === null ? {} : applicationTables[kind === 'device' ? 'token_exchange' : 'device']
  for (const setting of Object.keys(foreign)) {
    if (Object.hasOwn(given, setting)) found.push([[setting], `is not a setting of a ${kind} application`])
  }
  if (kind === 'device' && own.clientType === 'public' && given.client_secret) {
    found.push([['client_secret'], 'belongs to confidential applications only'])
  }
  if (kind !== 'token_exchange') return found
  if (!given.grantableScopes && (isNew || given.grantableScopes === null))
    found.push([['grantableScopes'], 'is required'])
  if (own.grantableScopes.length === 0) found.push([['grantableScopes'], 'must name at least one scope'])
  if ((jwks === null) === (jwks_uri === null)) found.push([['jwks'], 'exactly one of jwks and jwks_uri must be given'])
  const kids = (jwks?.keys ?? []).map((key) => Reflect.get(key, 'kid'))
  for (const [n, kid] of kids.entries()) {
    if (kids.indexOf(kid) < n) found.push([['jwks', 'keys', n, 'kid'], 'must differ from the kid of other keys'])
  }
  return found
}

const acceptedKeys = (jwks: Settings['jwks']): ApplicationRecord['jwks'] =>
  jwks && {
    keys: jwks.keys.flatMap((jwk) => {
      const accepted = acceptKey(jwk)
      return accepted.ok ? [accepted.value] : []
    }),
  }

/** Registers an application or changes one; a new confidential one gets a secret that is shown once. */
export const loadApplication = (
  loading: Loading,
  given: SeedApplication,
  at: Path,
  extraScopes: readonly string[],
  shown: Map<string, string>,
) => {
  if (!loading.sound(at)) return
  const { state, context, issues } = loading
  const known = stored(loading, given)
  if (known && given.kind && given.kind !== known.kind) return issues.issue([...at, 'kind'], 'cannot be changed')
  const settings = settingsOf(loading, given, known, knownScopes(extraScopes))
  const found = faults(given, settings, known === undefined)
  for (const [path, message] of found) issues.issue([...at, ...path], message)
  checkScopes(loading, given.grantableScopes ?? [], extraScopes, [...at, 'grantableScopes'])
  checkScopes(loading, given.defaultScopes ?? [], extraScopes, [...at, 'defaultScopes'])
  const { client_secret, kind, name, ...own } = settings
  if (found.length > 0 || kind === null || name === null) return

  const id = known?.id ?? given.id ?? context.uuid('application')
  const client_id = settings.client_id ?? context.uuid('client_id').replaceAll('-', '').slice(0, 20)
  if (!loading.once('application', client_id, [...at, 'client_id'])) return
  const holder = state.find('applicationByClientId', client_id)
  if (holder && holder.id !== id) return issues.issue([...at, 'client_id'], 'belongs to another application')

  const confidential = own.clientType === 'confidential'
  const keeps = known?.clientType === 'confidential' && known.clientSecretDigest !== null && client_secret === null
  const secret = confidential && !keeps ? (client_secret ?? context.clientSecret(client_id)) : null
  if (secret !== null) shown.set(client_id, secret)
  const kept = confidential ? (known?.clientSecretDigest ?? null) : null
  loading.put(
    'applications',
    {
      ...own,
      id,
      kind,
      name,
      client_id,
      jwks: acceptedKeys(own.jwks),
      clientSecretDigest: secret === null ? kept : digest(secret),
      created_at: known?.created_at ?? timestamp(context.now),
    },
    known,
  )
}
