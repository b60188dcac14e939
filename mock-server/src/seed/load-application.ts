import { digest } from '../digest.js'
import { applicationSettings, validateApplication } from '../domain/application.js'
import { knownScopes } from '../domain/scope.js'
import { timestamp } from '../domain/timestamp.js'
import type { Path } from '../fields/field.js'
import { isNetwork } from '../http/address.js'
import type { ApplicationRecord } from '../store/records.js'
import type { Loading } from './loading.js'

type Settings = Readonly<Record<string, unknown>>

const stored = ({ state }: Loading, given: Settings): ApplicationRecord | undefined => {
  const { id, client_id } = given
  if (typeof id === 'string') return state.get('applications', id)
  return typeof client_id === 'string' ? state.find('applicationByClientId', client_id) : undefined
}

/** Path parts of `jwks.keys[0].kid`. */
const parts = (path: string): Path =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index))

/** Registers an application or changes one; a new confidential one gets a secret that is shown once. */
export const loadApplication = (
  loading: Loading,
  given: Settings,
  at: Path,
  extraScopes: readonly string[],
  shown: Map<string, string>,
) => {
  if (!loading.sound(at)) return
  const { state, context, issues } = loading
  const known = stored(loading, given)
  const { id: givenId, ...settings } = given
  if (known && settings['kind'] !== undefined && settings['kind'] !== known.kind) {
    return issues.issue([...at, 'kind'], 'cannot be changed')
  }
  // null restores the default: it replaces what is stored, and the validator reads it as absent.
  const whole = known ? { ...applicationSettings(known), ...settings } : settings
  const validated = validateApplication(whole, { knownScopes: knownScopes(extraScopes), isNetwork })
  if (!validated.ok) {
    for (const { path, message } of validated.errors) issues.issue([...at, ...parts(path)], message)
    return
  }
  const { client_id: wanted, client_secret, ...value } = validated.value
  const id = known?.id ?? (typeof givenId === 'string' ? givenId : context.uuid('application'))
  const client_id = wanted ?? known?.client_id ?? context.uuid('client_id').replaceAll('-', '').slice(0, 20)
  if (!loading.once('application', client_id, [...at, 'client_id'])) return
  const holder = state.find('applicationByClientId', client_id)
  if (holder && holder.id !== id) return issues.issue([...at, 'client_id'], 'belongs to another application')

  const keeps = known?.clientType === 'confidential' && known.clientSecretDigest !== null && client_secret === undefined
  const secret =
    value.clientType === 'confidential' && !keeps ? (client_secret ?? context.clientSecret(client_id)) : null
  if (secret !== null) shown.set(client_id, secret)
  const kept = value.clientType === 'confidential' ? (known?.clientSecretDigest ?? null) : null
  loading.put(
    'applications',
    {
      ...value,
      id,
      client_id,
      clientSecretDigest: secret === null ? kept : digest(secret),
      created_at: known?.created_at ?? timestamp(context.now),
    },
    known,
  )
}
