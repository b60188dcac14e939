import type { DeviceAuthorizationRecord } from '../store/records.js'
import type { ReadonlyState } from '../store/store.js'

/** User codes in plain, which the control API shows while they wait: in memory alone, the records hold digests. */
export interface UserCodes {
  remember(authorizationId: string, user_code: string): void
  /** Empty once it was answered, and after a restart. */
  of(record: Pick<DeviceAuthorizationRecord, 'id' | 'state'>): string
  /** Forgets those that wait no more. */
  sweep(state: ReadonlyState): void
}

export const createUserCodes = (): UserCodes => {
  const codes = new Map<string, string>()
  return {
    remember: (id, user_code) => void codes.set(id, user_code),
    of: ({ id, state }) => (state === 'pending' ? (codes.get(id) ?? '') : ''),
    sweep: (state) => {
      for (const id of codes.keys()) {
        if (state.get('deviceAuthorizations', id)?.state !== 'pending') codes.delete(id)
      }
    },
  }
}
