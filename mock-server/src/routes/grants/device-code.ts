import { digest } from '../../base/digest.js'
import { drawSecret } from '../../base/ids.js'
import { map } from '../../domain/decision.js'
import { pollDeviceAuthorization } from '../../domain/device-authorization.js'
import { deviceApplication, type Grant, issueFacts } from '../../grants/grant.js'
import { mintForDevice } from '../../grants/mint.js'

/** RFC 8628 §3.4: the device polls until its user has answered; an approved code is consumed in this very turn. */
export const deviceCodeGrant: Grant = {
  grantType: 'urn:ietf:params:oauth:grant-type:device_code',
  parameters: ['device_code'],
  handle: ({ form, sandbox }, client) =>
    sandbox.store.update((tx) => {
      const now = sandbox.clock.now()
      const allowed = deviceApplication(tx.state, client)
      if (!allowed.ok) return allowed
      const application = allowed.value
      const record = tx.state.find('deviceAuthorizationByDeviceCode', digest(form.get('device_code') ?? ''))
      const facts = issueFacts(tx.state, record)
      const poll = pollDeviceAuthorization(record, application, facts, now, sandbox.settings.pollGraceMs)
      if (poll.next !== undefined) tx.put('deviceAuthorizations', poll.next)
      return map(poll.answer, ({ userId, organizationId, grantId, scopes }) => {
        sandbox.oauth.sweep(tx, now)
        const owner = { userId: userId ?? '', organizationId: organizationId ?? '', grantId: grantId ?? '', scopes }
        if (!application.refreshTokens) return mintForDevice(tx, sandbox, application, owner, null, now, {})
        const id = sandbox.ids.uuid('refreshFamily')
        const refresh_token = drawSecret(sandbox.ids, sandbox.settings.tokenPrefixes.refresh)
        const family = { ...owner, id, applicationId: application.id, digest: digest(refresh_token) }
        tx.put('refreshFamilies', { ...family, revokedAt: null, createdAt: now })
        return mintForDevice(tx, sandbox, application, owner, id, now, { refresh_token })
      })
    }),
}
