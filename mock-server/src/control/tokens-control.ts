import { digest } from '../base/digest.js'
import { drawSecret } from '../base/ids.js'
import {
  awaitsAnswer,
  expiresAt,
  isExpired,
  normalizeUserCode,
} from '../domain/device-authorization.js'
import { knownScopes } from '../domain/scope.js'
import { timestamp } from '../domain/timestamp.js'
import { list, optional, required } from '../fields/composites.js'
import { integer, text } from '../fields/scalars.js'
import { approveDevice, denyDevice } from '../grants/approval.js'
import { findUserCode } from '../oauth/oauth-state.js'
import type { DeviceAuthorizationRecord, UserRecord } from '../records/records.js'
import type { Generation } from '../sandbox/sandbox.js'
import { scopes as scopesField } from '../seed/common-fields.js'
import { apiToken, organizationsOf } from '../seed/load-access.js'
import { accessTokenTable } from '../seed/tables.js'
import type { ReadonlyState, Transaction } from '../store/store.js'
import { type Calls, ControlError, granted, invalidAt, notFound } from './host.js'
import { type RecordView, viewRecord } from './records-control.js'

const email = text({ min: 1, max: 254 })
const slug = text({ min: 1, max: 100 })
const code = text({ max: 40 })

/** The user of an e-mail address that the parameter `user` gives. @throws ControlError (422) */
export function userAt(state: ReadonlyState, address: string): UserRecord {
  const user = state.find('userByEmail', address)
  if (!user) throw invalidAt('user', `there is no user ${JSON.stringify(address)}`)
  return user
}

function organizationAt(state: ReadonlyState, path: string, given: string): string {
  const organization = state.find('organizationBySlug', given)
  if (!organization) throw invalidAt(path, `there is no organization ${JSON.stringify(given)}`)
  return organization.id
}

export function createAccessTokensControl({ call }: Calls) {
  return {
    /** Creates an API access token. Only this answer holds its value. */
    create: call(
      {
        user: required(email),
        scopes: required(scopesField),
        organizations: optional(list(slug, { distinct: true })),
        expires_in: optional(integer(1, 31_536_000)),
        value: accessTokenTable.value,
      },
      async (
        { user: address, scopes, organizations, expires_in, value },
        { store, clock, ids, settings },
      ) => {
        const known = knownScopes(settings.extraScopes)
        const unknown = scopes.findIndex((scope) => !known.has(scope))
        if (unknown >= 0) throw invalidAt(`scopes[${unknown}]`, 'is not a known scope')
        const access_token = value ?? drawSecret(ids, settings.tokenPrefixes.access)
        const now = clock.now()
        const record = await store.update((tx) => {
          const user = userAt(tx.state, address)
          if (tx.state.find('accessTokenByDigest', digest(access_token))) {
            throw new ControlError('conflict', 'There is an access token of this value already')
          }
          const organizationIds = organizations?.map((given, n) =>
            organizationAt(tx.state, `organizations[${n}]`, given),
          )
          const made = {
            ...apiToken,
            id: ids.uuid('accessToken'),
            digest: digest(access_token),
            name: null,
            description: 'Made by the control API',
            userId: user.id,
            scopes,
            organizationIds: organizationIds ?? organizationsOf({ state: tx.state }, user),
            created_at: timestamp(now),
            expiresAt: expires_in ? now + expires_in * 1000 : null,
          }
          tx.put('accessTokens', made)
          return made
        })
        return { ...viewRecord(store.state, record, now), access_token }
      },
    ),
  }
}

function viewDeviceAuthorization(
  { store, oauth, clock }: Generation,
  record: DeviceAuthorizationRecord,
) {
  return {
    /** Empty after the answer or a restart, because records hold the digest only. */
    user_code: oauth.userCodes.of(record),
    client_id: store.state.get('applications', record.applicationId)?.client_id ?? '',
    scope: record.scopes.join(' '),
    state:
      record.state !== 'consumed' && isExpired(record, clock.now())
        ? ('expired' as const)
        : record.state,
    /** The present interval between polls, seconds. */
    interval: record.intervalMs / 1000,
    /** Epoch ms. */
    expiresAt: expiresAt(record),
    lastPolledAt: record.lastPolledAt,
  }
}

export type DeviceAuthorizationView = Readonly<ReturnType<typeof viewDeviceAuthorization>>

async function answer(
  generation: Generation,
  user_code: string,
  decide: (
    tx: Transaction,
    record: DeviceAuthorizationRecord,
    now: number,
  ) => DeviceAuthorizationRecord,
): Promise<RecordView> {
  const { store, clock } = generation
  const now = clock.now()
  const record = await store.update((tx) => {
    const found = findUserCode(tx.state, user_code) ?? notFound('device authorization')
    if (!awaitsAnswer(found, now)) {
      throw new ControlError('conflict', 'The device authorization is no longer pending')
    }
    return decide(tx, found, now)
  })
  return viewRecord(store.state, record, now)
}

export function createDeviceAuthorizationsControl({ call }: Calls) {
  return {
    /** All authorizations, oldest first; with a user_code, the pending one with this code. */
    list: call({ user_code: optional(code) }, ({ user_code }, generation) => {
      const sought = user_code ? digest(normalizeUserCode(user_code) ?? '') : undefined
      return [...generation.store.state.values('deviceAuthorizations')]
        .filter(
          ({ state, userCodeDigest }) =>
            !sought || (state === 'pending' && userCodeDigest === sought),
        )
        .map((record) => viewDeviceAuthorization(generation, record))
    }),
    /** Approves as the page does. @throws ControlError (409) if it is not pending any more */
    approve: call(
      { user_code: required(code), user: required(email), org_slug: required(slug) },
      ({ user_code, user, org_slug }, generation) =>
        answer(generation, user_code, (tx, record, now) => {
          const userId = userAt(tx.state, user).id
          const organizationId = organizationAt(tx.state, 'org_slug', org_slug)
          const approved = approveDevice(tx, generation, record, { userId, organizationId }, now)
          if (!approved.ok && approved.failure.code === 'forbidden') {
            throw invalidAt(
              'org_slug',
              `${JSON.stringify(user)} is not an active member of this organization`,
            )
          }
          return granted(approved)
        }),
    ),
    deny: call(
      { user_code: required(code), user: required(email) },
      ({ user_code, user }, generation) =>
        answer(generation, user_code, (tx, record, now) =>
          granted(denyDevice(tx, record, userAt(tx.state, user).id, now)),
        ),
    ),
  }
}
