import type { Answer, Context, Handlers, PathParameters } from '../context.js'
import { cancelBuild } from '../domain/cancel.js'
import { conclude } from '../domain/conclude.js'
import { createBuild } from '../domain/create-build.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { rebuildBuild } from '../domain/rebuild.js'
import { readRetryStates, retryFailedJobs } from '../domain/retry.js'
import type { Turn } from '../domain/turn.js'
import { FieldErrors } from '../http/fields.js'
import { present } from '../http/present.js'
import { printBuild } from '../http/print-builds.js'
import { readCreateBuild } from '../http/read-create-build.js'
import { type BuildPlace, findBuild, findPipeline, requireWrite } from '../http/resource.js'
import { turnOf } from '../lifecycle/turn.js'
import type { BuildRecord, PipelineRecord } from '../store/records.js'
import type { Transaction } from '../store/store.js'

/** A build as every write answers it. */
const show = (context: Context, build: BuildRecord): Answer => ({ json: printBuild(context, build) })

/** Finds the build that a write names, and checks the caller's right to change it. */
function findWritable(context: Context, path: PathParameters): Decision<BuildPlace> {
  const place = findBuild(context, path)
  if (!place.ok) return place
  const allowed = requireWrite(context, place.value.pipeline)
  return allowed.ok ? place : allowed
}

/** Decides and writes in one turn, on the build as it is in that turn. */
function inTurn<T>(
  { sandbox, now }: Context,
  place: BuildPlace,
  decide: (turn: Turn, build: BuildRecord, pipeline: PipelineRecord) => Decision<T>,
): Promise<Decision<T>> {
  return sandbox.store.update((tx: Transaction): Decision<T> => {
    const build = tx.state.get('builds', place.build.id)
    const pipeline = tx.state.get('pipelines', place.pipeline.id)
    if (pipeline === undefined) return refuse('not_found', 'No pipeline found')
    if (build === undefined) return refuse('not_found', 'No build found')
    return decide(turnOf(tx, sandbox, now), build, pipeline)
  })
}

/** A body that only may say something: what is no JSON object says nothing. */
async function optionalBody(context: Context): Promise<Decision<Readonly<Record<string, unknown>>>> {
  const body = await context.body()
  return !body.ok && body.failure.code === 'bad_request' ? accept({}) : body
}

export const buildWriteHandlers = {
  'builds.create': async (path, context) => {
    const place = findPipeline(context, path)
    if (!place.ok) return place
    const allowed = requireWrite(context, place.value.pipeline)
    if (!allowed.ok) return allowed
    const body = await context.body()
    if (!body.ok) return body
    const request = readCreateBuild(body.value, context.sandbox)
    if (!request.ok) return request
    const { user } = context.caller
    const author = request.value.author ?? { name: user.name, email: user.email }
    const made = await context.sandbox.store.update((tx): Decision<BuildRecord> => {
      const pipeline = tx.state.get('pipelines', place.value.pipeline.id)
      if (pipeline === undefined) return refuse('not_found', 'No pipeline found')
      const turn = turnOf(tx, context.sandbox, context.now)
      return createBuild(turn, pipeline, { ...request.value, author }, { source: 'api', creatorId: user.id })
    })
    if (!made.ok) return made
    const { url } = present(context.sandbox).buildUrls(made.value)
    return accept({ ...show(context, made.value), status: 201, headers: { Location: url } })
  },

  'builds.cancel': async (path, context) => {
    const place = findWritable(context, path)
    if (!place.ok) return place
    const body = await optionalBody(context)
    if (!body.ok) return body
    const { cancel_reason } = body.value
    const reason = typeof cancel_reason === 'string' ? cancel_reason : null
    const canceled = await inTurn(context, place.value, (turn, build) => {
      const decision = cancelBuild(build, reason, turn)
      if (decision.ok) conclude(turn, decision.value)
      return decision
    })
    return canceled.ok ? accept(show(context, canceled.value)) : canceled
  },

  'builds.rebuild': async (path, context) => {
    const place = findWritable(context, path)
    if (!place.ok) return place
    const made = await inTurn(context, place.value, (turn, build, pipeline) =>
      rebuildBuild(turn, pipeline, build, context.caller.user),
    )
    return made.ok ? accept(show(context, made.value)) : made
  },

  'builds.retryFailedJobs': async (path, context) => {
    const place = findWritable(context, path)
    if (!place.ok) return place
    const body = await context.body()
    if (!body.ok) return body
    const states = readRetryStates(body.value['states'])
    if (!states.ok) return states
    const errors = new FieldErrors()
    if (context.sandbox.strict) errors.unknown(body.value, ['states'])
    if (errors.list.length > 0) return refuse('unprocessable', 'Validation Failed', { errors: errors.list })
    const retried = await inTurn(context, place.value, (turn, build) => {
      const result = retryFailedJobs(build, states.value, turn)
      if (result.count > 0) turn.put(result.build)
      return accept(result)
    })
    if (!retried.ok) return retried
    const { build, count } = retried.value
    const shown = present(context.sandbox, context.caller).build(build)
    return accept<Answer>({ status: 202, body: { ...shown, retried_jobs_count: count } })
  },
} satisfies Partial<Handlers>
