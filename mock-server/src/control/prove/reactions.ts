import { timestamp } from '../../domain/timestamp.js'
import type { Reaction } from './exam.js'

/** The token that a page was read with ends. */
export const endToken: Reaction = ({ caller, sandbox }) =>
  sandbox.store.update((tx) => {
    const token = caller && tx.state.get('accessTokens', caller.token.id)
    if (token) tx.put('accessTokens', { ...token, revokedAt: sandbox.clock.now() })
  })

/** A build like the first of a page is created. */
export const insertBuild: Reaction = ({ sandbox: { store, ids, clock } }, [first]) =>
  store.update((tx) => {
    const newest = tx.state.get('builds', String(first))
    if (newest === undefined) return
    const own = { id: ids.uuid('build'), number: tx.nextNumber(newest.pipelineId), created_at: timestamp(clock.now()) }
    tx.put('builds', { ...newest, ...own, jobs: [] })
  })
