import { timestamp } from '../../domain/timestamp.js'
import type { ServiceEvent } from './exam.js'

/** The token of the request ends on the server, before the time that the client was told. */
export const tokenEnds: ServiceEvent = ({ caller, sandbox: { store, clock } }) =>
  store.update((tx) => {
    const token = caller && tx.state.get('accessTokens', caller.token.id)
    if (token) tx.put('accessTokens', { ...token, revokedAt: clock.now() })
  })

/** A build like the newest of the page is created, and moves all others down by one. */
export const buildInserted: ServiceEvent = ({ sandbox: { store, ids, clock } }, [first]) =>
  store.update((tx) => {
    const newest = tx.state.get('builds', String(first?.id))
    if (newest === undefined) return
    const facts = {
      id: ids.uuid('build'),
      number: tx.nextNumber(newest.pipelineId),
      created_at: timestamp(clock.now()),
      jobs: [],
    }
    tx.put('builds', Object.assign({}, newest, facts))
  })
