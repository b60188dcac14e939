import { timestamp } from '../../domain/timestamp.js'
import type { ServiceEvent } from './exam.js'

/** The token of the request ends on the server, before the time that the client was told. */
export const tokenEnds: ServiceEvent = ({ caller, sandbox: { store, clock } }) =>
  store.update((tx) => {
    const token = caller && tx.state.get('accessTokens', caller.token.id)
    if (token) tx.put('accessTokens', { ...token, revokedAt: clock.now() })
  })

/**
 * Another user creates a build like the first of the response, or like the newest where the
 * response is lost. It moves all others of a list down by one.
 */
export const buildInserted: ServiceEvent = ({ sandbox: { store, ids, clock } }, [first]) =>
  store.update((tx) => {
    const all = [...tx.state.values('builds')]
    const newest =
      first === undefined
        ? all.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]
        : tx.state.get('builds', String(first.id))
    if (newest === undefined) return
    const facts = {
      id: ids.uuid('build'),
      number: tx.nextNumber(newest.pipelineId),
      created_at: timestamp(clock.now()),
      message: 'Created by another user',
      meta_data: {},
      jobs: [],
    }
    tx.put('builds', Object.assign({}, newest, facts))
  })
