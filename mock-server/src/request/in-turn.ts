import { type Decision, refuse } from '../domain/decision.js'
import type { Turn } from '../domain/turn.js'
import type { BuildRecord, PipelineRecord } from '../records/records.js'
import type { Transaction } from '../store/store.js'
import { turnOf } from '../store/turn.js'
import type { Context } from './exchange.js'
import type { Place } from './resource.js'

/** Decides and writes in one turn, on the build as it is in that turn. */
export function inTurn<T>(
  { sandbox, now }: Context,
  place: Place<'builds.cancel'>,
  decide: (turn: Turn, build: BuildRecord, pipeline: PipelineRecord, tx: Transaction) => Decision<T>,
): Promise<Decision<T>> {
  return sandbox.store.update((tx: Transaction): Decision<T> => {
    const build = tx.state.get('builds', place.build.id)
    const pipeline = tx.state.get('pipelines', place.pipeline.id)
    if (pipeline === undefined) return refuse('not_found', 'No pipeline found')
    if (build === undefined) return refuse('not_found', 'No build found')
    return decide(turnOf(tx, sandbox, now), build, pipeline, tx)
  })
}
