import { advanceBuild } from '../../domain/advance-build.js'
import { cancelBuild } from '../../domain/cancel.js'
import { timestamp } from '../../domain/timestamp.js'
import type { Turn } from '../../domain/turn.js'
import type { BuildRecord } from '../../records/records.js'
import { turnOf } from '../../store/turn.js'
import type { ServiceEvent } from './exam.js'
import { isOver } from './uses.js'

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

/** Moves the build of the response, if it is still under way. */
function moveBuild(
  move: (turn: Turn, build: BuildRecord) => unknown,
  cancelGraceMs?: number,
): ServiceEvent {
  return ({ sandbox: { store, ids, clock, settings } }, [shown]) =>
    store.update((tx) => {
      const build = tx.state.get('builds', String(shown?.id))
      if (build === undefined || isOver(build)) return
      const turn = turnOf(tx, { ids, settings }, clock.now())
      move(cancelGraceMs === undefined ? turn : Object.assign({}, turn, { cancelGraceMs }), build)
    })
}

const somebody = 'Canceled by another user'

export const buildFails = moveBuild((turn, build) =>
  advanceBuild(turn, build, 'finished', 'failed'),
)

export const buildCanceled = moveBuild((turn, build) => cancelBuild(turn, build, somebody), 0)

/** Jobs of the build are on agents first, because only those take a while to be canceled. */
export const buildCanceling = moveBuild((turn, build) => {
  const started = advanceBuild(turn, build, 'started')
  cancelBuild(turn, started.ok ? started.value : build, somebody)
}, 4_000)
