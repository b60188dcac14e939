import type { RetryState } from '@buildwire/sdk/contract'
import { cancelBuild } from '../domain/cancel.js'
import { conclude } from '../domain/conclude.js'
import { createBuild } from '../domain/create-build.js'
import { accept, type Decision, map, refuse } from '../domain/decision.js'
import { rebuildBuild } from '../domain/rebuild.js'
import { readRetryStates, retryFailedJobs } from '../domain/retry.js'
import { bodyReader, type Property } from '../http/read-body.js'
import { present } from '../present/present.js'
import { printBuild } from '../present/print-builds.js'
import type { BuildRecord } from '../records/records.js'
import type { Answer } from '../request/context.js'
import type { Context, Handlers } from '../request/exchange.js'
import { inTurn } from '../request/in-turn.js'
import { turnOf } from '../store/turn.js'
import { readCreateBuild } from './build-body.js'
import { route, withBody } from './route.js'

const answerBuild = (context: Context, build: BuildRecord): Answer => ({ json: printBuild(context, build) })

const reason: Property<string | null> = (value) => (typeof value === 'string' ? value : null)
const readCancel = bodyReader('builds.cancel', { cancel_reason: reason })

const states: Property<readonly RetryState[]> = (value, _name, faults) => {
  const read = readRetryStates(value)
  if (read.ok) return read.value
  faults.refuse(read.failure)
  return []
}

export const buildWriteHandlers = {
  'builds.create': withBody('builds.create', readCreateBuild, async ({ place, body }, context) => {
    const { user } = context.caller
    const author = body.author ?? { name: user.name, email: user.email }
    const made = await context.sandbox.store.update((tx): Decision<BuildRecord> => {
      const pipeline = tx.state.get('pipelines', place.pipeline.id)
      if (pipeline === undefined) return refuse('not_found', 'No pipeline found')
      const turn = turnOf(tx, context.sandbox, context.now)
      return createBuild(turn, pipeline, { ...body, author }, { source: 'api', creatorId: user.id })
    })
    return map(made, (build): Answer => {
      const { url } = present(context.sandbox).buildUrls(build)
      return { ...answerBuild(context, build), headers: { Location: url } }
    })
  }),

  // The body only may say something: what it says beside that is ignored, under `--strict` too.
  'builds.cancel': withBody(
    'builds.cancel',
    (body) => readCancel(body, { strict: false }),
    async ({ place, body }, context) => {
      const canceled = await inTurn(context, place, (turn, build) => {
        const decision = cancelBuild(build, body.cancel_reason, turn)
        if (decision.ok) conclude(turn, decision.value)
        return decision
      })
      return map(canceled, (build) => answerBuild(context, build))
    },
    { mayBeNothing: true },
  ),

  'builds.rebuild': route('builds.rebuild', async ({ place }, context) => {
    const { user } = context.caller
    const made = await inTurn(context, place, (turn, build, pipeline) => rebuildBuild(turn, pipeline, build, user))
    return map(made, (build) => answerBuild(context, build))
  }),

  'builds.retryFailedJobs': withBody(
    'builds.retryFailedJobs',
    bodyReader('builds.retryFailedJobs', { states }),
    async ({ place, body, show }, context) => {
      const retried = await inTurn(context, place, (turn, build) => {
        const result = retryFailedJobs(build, body.states, turn)
        if (result.count > 0) turn.put(result.build)
        return accept(result)
      })
      return map(retried, ({ build, count }) => ({ body: { ...show.build(build), retried_jobs_count: count } }))
    },
  ),
} satisfies Partial<Handlers>
