import { VirtualClock } from '@buildwire/mock-server'
import { test } from 'vitest'
import { acmeServer, adminToken, apiOver, controlOver } from './control-client.js'

/**
 * A test with a server of its own at 09:00 of 2026-03-01, asked as its admin (`api`) or by its
 * control API (`call`).
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
