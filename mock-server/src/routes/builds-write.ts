import type { RetryState } from '@buildwire/sdk/contract'
import { cancelBuild } from '../domain/cancel.js'
import { type BuildRequest, createBuild, rebuildBuild } from '../domain/create-build.js'
import { accept, type Decision, map, refuse } from '../domain/decision.js'
import { readRetryStates, retryFailedJobs } from '../domain/retry.js'
import {
  type BodyReader,
  bodyReader,
  digits,
  flag,
  optionalText,
  type Property,
  pairs,
  requiredText,
  texts,
} from '../http/read-body.js'
import { present } from '../present/present.js'
import { printBuild } from '../present/print-builds.js'
import type { BuildRecord } from '../records/records.js'
import type { Answer, Context, Handlers } from '../request/exchange.js'
import { inTurn } from '../request/resource.js'
import { turnOf } from '../store/turn.js'
import { route, withBody } from './route.js'

const author: Property<BuildRequest['author']> = (value, name, faults) => {
  const { name: called = '', email = '' } = pairs((member) => (member === null ? '' : member))(
    value,
    name,
    faults,
  )
  for (const [key, member] of Object.entries({ name: called, email })) {
    if (typeof member !== 'string') faults.add(`${name}.${key}`, 'invalid')
  }
  return `${called}${email}`.trim() === '' ? null : { name: String(called), email: String(email) }
}

/** Not a number so large that its digits were lost when the JSON was read. */
function variable(value: unknown): string | undefined {
  const isLost = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return !isLost && ['string', 'number', 'boolean'].includes(typeof value)
    ? String(value)
    : undefined
}

function metaData(value: unknown, key: string): string | boolean | undefined {
  if (key === '') return undefined
  return typeof value === 'boolean' ? value : variable(value)
}

const readProperties = bodyReader('builds.create', {
  commit: requiredText,
  branch: requiredText,
  author,
  clean_checkout: flag,
  ignore_pipeline_branch_filters: flag,
  env: pairs(variable),
  message: optionalText,
  meta_data: pairs(metaData),
  pull_request_id: digits,
  pull_request_base_branch: optionalText,
  pull_request_repository: optionalText,
  pull_request_labels: texts,
})

/** Reads the body of create: all field errors in the table's order, then names in `env`. */
export const readCreateBuild: BodyReader<BuildRequest> = (body, options) => {
  const read = readProperties(body, options)
  if (!read.ok) return read
  const {
    pull_request_id: id,
    pull_request_base_branch: base,
    pull_request_repository: repository,
    pull_request_labels: labels,
    ...request
  } = read.value
  const badName = Object.keys(request.env).find((name) => !/^[A-Za-z0-9_]+$/.test(name))
  if (badName !== undefined) {
    return refuse(
      'unprocessable',
      `"${badName}" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)`,
    )
  }
  const given = { id, base: base || null, repository: repository || null }
  const isPulled = labels !== null || Object.values(given).some((value) => value !== null)
  return accept({
    ...request,
    pull_request: isPulled ? { ...given, labels: labels ?? [], draft: false } : null,
  })
}

function answerBuild(context: Context, build: BuildRecord): Answer {
  return {
    json: printBuild(context, build),
  }
}

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
      const { url } = present(context.sandbox).locationOf(build)
      return { ...answerBuild(context, build), headers: { Location: url } }
    })
  }),

  // The body only may say something: what it says beside that is ignored, under `--strict` too.
  'builds.cancel': withBody(
    'builds.cancel',
    (body) => readCancel(body, { strict: false }),
    async ({ place, body }, context) => {
      const canceled = await inTurn(context, place, (turn, build) =>
        cancelBuild(turn, build, body.cancel_reason),
      )
      return map(canceled, (build) => answerBuild(context, build))
    },
    { mayBeNothing: true },
  ),

  'builds.rebuild': route('builds.rebuild', async ({ place }, context) => {
    const { user } = context.caller
    const made = await inTurn(context, place, (turn, build, pipeline) =>
      rebuildBuild(turn, pipeline, build, user),
    )
    return map(made, (build) => answerBuild(context, build))
  }),

  'builds.retryFailedJobs': withBody(
    'builds.retryFailedJobs',
    bodyReader('builds.retryFailedJobs', { states }),
    async ({ place, body, show }, context) => {
      const retried = await inTurn(context, place, (turn, build) =>
        accept(retryFailedJobs(turn, build, body.states)),
      )
      return map(retried, ({ build, count }) => ({
        body: { ...show.build(build), retried_jobs_count: count },
      }))
    },
  ),
} satisfies Partial<Handlers>
