import { VirtualClock } from '@buildwire/mock-server'
import { test } from 'vitest'
import { acmeServer, adminToken, apiOver, controlOver } from './control-client.js'

/**
 * A test with its own server at 09:00 on 2026-03-01. `api` calls it as its admin, `call` calls its
 * control API.
 */
export const it = test
  .extend('server', async ({ task: _task }, { onCleanup }) => {
    const server = acmeServer({ clock: new VirtualClock({ now: '2026-03-01T09:00:00Z' }) })
    onCleanup(() => server.close())
    await server.ready()
    return server
  })
  .extend('token', ({ server }) => adminToken(server))
  .extend('api', ({ server, token }) => apiOver(server, token))
  .extend('call', ({ server }) => controlOver(server))
  .extend('aBuild', ({ call }) => async (more: object = {}) => {
    const { body } = await call('POST', '/builds', {
      org_slug: 'acme',
      pipeline_slug: 'web',
      ...more,
    })
    return body
  })
