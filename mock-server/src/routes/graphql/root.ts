import { operations } from '@buildwire/sdk/contract'
import type { GraphQLFieldResolver } from 'graphql'
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

/** Where the schema does not name a field as the REST API does, in camel case. */
const wireNames: Readonly<Record<string, string>> = {
  id: 'graphql_id',
  uuid: 'id',
  url: 'web_url',
  createdBy: 'creator',
}

/** Resolves every field: the roots are calls, the rest are records of the REST API and payloads around them. */
export const resolveField: GraphQLFieldResolver<Readonly<Record<string, unknown>>, Context> = (
  source,
  given,
  _context,
  { fieldName },
) => {
  const wireName = wireNames[fieldName] ?? fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const value = source[Object.hasOwn(source, wireName) ? wireName : fieldName]
  return typeof value === 'function' ? value(given) : value
}

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

const bodyOf = (decision: Decision<Answer>): unknown => {
  if (decision.ok) return answerValue(decision.value)
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
      const { id, name, email } = user
      const fields = { id, graphql_id: graphqlId('User', id), name, email }
      return { ...fields, user: fields }
    },
    build: async ({ slug }: { readonly slug: string }) => {
      const [org_slug, pipeline_slug, number, ...rest] = slug.split('/')
      if (org_slug === undefined || pipeline_slug === undefined || number === undefined || rest.length > 0) return null
      const decision = await get({ org_slug, pipeline_slug, number })
      return !decision.ok && decision.failure.code === 'not_found' ? null : bodyOf(decision)
    },
    buildCancel: async ({ input }: MutationInput) => {
      mustHold('builds.cancel')
      const canceled = bodyOf(await builds['builds.cancel']({ ...mustFind(input.id) }, withoutInput(context)))
      return { clientMutationId: input.clientMutationId ?? null, build: canceled }
    },
    buildRebuild: async ({ input }: MutationInput) => {
      mustHold('builds.rebuild')
      const path = mustFind(input.id)
      const source = bodyOf(await get(path))
      const rebuild = bodyOf(await builds['builds.rebuild']({ ...path }, withoutInput(context)))
      return { clientMutationId: input.clientMutationId ?? null, build: source, rebuild }
    },
  }
}
