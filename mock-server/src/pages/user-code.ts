import { findUserCode } from '../oauth/user-codes.js'
import type { ApplicationRecord, DeviceAuthorizationRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'

export interface DeviceRequest {
  readonly record: DeviceAuthorizationRecord
  readonly application: ApplicationRecord
}

/** The request behind a typed user code, whatever its state. */
export const typedRequest = (state: ReadonlyState, typed: string): DeviceRequest | undefined =>
  deviceRequest(state, findUserCode(state, typed)?.id ?? '')

/** The request by its id, which the form of the review page carries. */
export function deviceRequest(state: ReadonlyState, id: string): DeviceRequest | undefined {
  const record = state.get('deviceAuthorizations', id)
  const application = record && state.get('applications', record.applicationId)
  return record && application ? { record, application } : undefined
}
