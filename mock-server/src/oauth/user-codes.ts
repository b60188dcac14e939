import { digest } from '../base/digest.js'
import { normalizeUserCode } from '../domain/device-authorization.js'
import type { DeviceAuthorizationRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'

/** The request under a typed user code, whatever its state. */
export const findUserCode = (state: ReadonlyState, typed: string): DeviceAuthorizationRecord | undefined => {
  const code = normalizeUserCode(typed)
  return code === undefined ? undefined : state.find('deviceAuthorizationByUserCode', digest(code))
}

export type UserCodes = ReturnType<typeof createUserCodes>

/** User codes in plain, which the control API shows while they wait: in memory alone, the records hold digests. */
export const createUserCodes = () => {
  const codes = new Map<string, string>()
  return {
    remember: (authorizationId: string, user_code: string) => void codes.set(authorizationId, user_code),
    /** Empty once it was answered, and after a restart. */
    of: ({ id, state }: Pick<DeviceAuthorizationRecord, 'id' | 'state'>): string =>
      state === 'pending' ? (codes.get(id) ?? '') : '',
    sweep: (state: ReadonlyState) => {
      for (const id of codes.keys()) {
        if (state.get('deviceAuthorizations', id)?.state !== 'pending') codes.delete(id)
      }
    },
  }
}
