import { type Build, operations, type Pipeline, type User } from '@buildwire/sdk/contract'
import { authorizeUse } from '../../domain/access-token.js'
import { accept, type Decision } from '../../domain/decision.js'
import { graphqlId } from '../../present/urls.js'
import { answerValue } from '../../request/answer.js'
import type { Answer, Context, Handlers } from '../../request/context.js'

/** The REST operations behind the schema: rights, rules and refusals are theirs. */
export type BuildHandlers = Pick<Handlers, 'builds.get' | 'builds.cancel' | 'builds.rebuild'>

interface BuildPath {
  readonly org_slug: string
  readonly pipeline_slug: string
  readonly number: string
}

const userFields = (user: Pick<User, 'id' | 'graphql_id' | 'name' | 'email'>) => ({
  id: user.graphql_id,
  uuid: user.id,
  name: user.name,
  email: user.email,
})

const pipelineFields = ({ graphql_id, id, name, slug, web_url }: Pipeline) => ({
  id: graphql_id,
  uuid: id,
  name,
  slug,
  url: web_url,
})

/** A build of the REST API in the schema's words. */
const buildFields = (build: Build) => ({
  id: build.graphql_id,
  uuid: build.id,
  number: build.number,
  url: build.web_url,
  state: build.state,
  blocked: build.blocked,
  cancelReason: build.cancel_reason,
  message: build.message,
  commit: build.commit,
  branch: build.branch,
  source: build.source,
  createdAt: build.created_at,
  scheduledAt: build.scheduled_at,
  startedAt: build.started_at,
  finishedAt: build.finished_at,
  createdBy: build.creator ? userFields(build.creator) : null,
  pipeline: build.pipeline ? pipelineFields(build.pipeline) : null,
  rebuiltFrom: build.rebuilt_from ? { uuid: build.rebuilt_from.id, number: build.rebuilt_from.number } : null,
})

/** The same request as an operation without query and body sees it. */
const withoutInput = (context: Context): Context => ({
  ...context,
  query: [],
  bytes: async () => accept(new Uint8Array()),
  body: async () => accept({}),
})

/** Where the build of a GraphQL id lives; undefined when there is none, whoever asks. */
const pathOf = ({ sandbox }: Context, id: string): BuildPath | undefined => {
  const uuid = /^Build---([0-9a-f-]{36})$/i.exec(Buffer.from(id, 'base64').toString('utf8'))?.[1]
  const { state } = sandbox.store
  const build = uuid === undefined ? undefined : state.get('builds', uuid.toLowerCase())
  const pipeline = build && state.get('pipelines', build.pipelineId)
  const organization = build && state.get('organizations', build.organizationId)
  if (build === undefined || pipeline === undefined || organization === undefined) return undefined
  return { org_slug: organization.slug, pipeline_slug: pipeline.slug, number: String(build.number) }
}

/** A refusal that becomes an entry of `errors`. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

const bodyOf = (decision: Decision<Answer>): Build => {
  if (decision.ok) return answerValue(decision.value) as Build
  throw new Refused(decision.failure.message)
}

interface MutationInput {
  readonly input: { readonly id: string; readonly clientMutationId?: string | null }
}

/** Resolvers of the schema's roots; `throw` is how graphql is told of a refusal. */
export const rootValue = (builds: BuildHandlers, context: Context) => {
  const { user } = context.caller
  const get = async (path: BuildPath) => builds['builds.get']({ ...path }, withoutInput(context))
  /** The REST operation behind a mutation has a scope of its own beside `graphql`. */
  const mustHold = (id: 'builds.cancel' | 'builds.rebuild'): void => {
    const { scope } = operations[id]
    const allowed = authorizeUse(context.caller, scope)
    if (allowed.ok) return
    context.note(`scope ${scope}`)
    throw new Refused(allowed.failure.message)
  }
  const mustFind = (id: string): BuildPath => {
    const path = pathOf(context, id)
    if (path === undefined) throw new Refused('No build found')
    return path
  }
  return {
    viewer: () => {
      const fields = userFields({ ...user, graphql_id: graphqlId('User', user.id) })
      return { ...fields, user: fields }
    },
    build: async ({ slug }: { readonly slug: string }) => {
      const [org_slug, pipeline_slug, number, ...rest] = slug.split('/')
      if (org_slug === undefined || pipeline_slug === undefined || number === undefined || rest.length > 0) return null
      const decision = await get({ org_slug, pipeline_slug, number })
      return !decision.ok && decision.failure.code === 'not_found' ? null : buildFields(bodyOf(decision))
    },
    buildCancel: async ({ input }: MutationInput) => {
      mustHold('builds.cancel')
      const canceled = bodyOf(await builds['builds.cancel']({ ...mustFind(input.id) }, withoutInput(context)))
      return { clientMutationId: input.clientMutationId ?? null, build: buildFields(canceled) }
    },
    buildRebuild: async ({ input }: MutationInput) => {
      mustHold('builds.rebuild')
      const path = mustFind(input.id)
      const source = bodyOf(await get(path))
      const rebuild = bodyOf(await builds['builds.rebuild']({ ...path }, withoutInput(context)))
      return {
        clientMutationId: input.clientMutationId ?? null,
        build: buildFields(source),
        rebuild: buildFields(rebuild),
      }
    },
  }
}
