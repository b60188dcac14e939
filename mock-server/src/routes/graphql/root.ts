import { operations } from '@buildwire/sdk/contract'
import type { GraphQLFieldResolver } from 'graphql'
import { authorizeUse } from '../../domain/access-token.js'
import { accept, type Decision } from '../../domain/decision.js'
import { graphqlId } from '../../present/urls.js'
import { answerValue } from '../../request/answer.js'
import type {
  HandlerAnswer,
  Handlers,
  PathParameters,
  RequestContext,
} from '../../request/exchange.js'

export type BuildHandlers = Pick<Handlers, 'builds.get' | 'builds.cancel' | 'builds.rebuild'>

/** Fields whose name is not the camel case of the REST API's name. */
const wireNames: Readonly<Record<string, string>> = {
  id: 'graphql_id',
  uuid: 'id',
  url: 'web_url',
  createdBy: 'creator',
}

/** Resolves every field. Root fields are functions; the others are members of REST records. */
export const resolveField: GraphQLFieldResolver<
  Readonly<Record<string, unknown>>,
  RequestContext
> = (source, args, _context, { fieldName }) => {
  const wireName =
    wireNames[fieldName] ?? fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const value = source[Object.hasOwn(source, wireName) ? wireName : fieldName]
  return typeof value === 'function' ? value(args) : value
}

/**
 * The same request for an operation at another path, without query and body. It must define
 * `request` and `bytes`, because they read private members, which are not inherited.
 */
function contextAt(context: RequestContext, parameters: PathParameters): RequestContext {
  return Object.create(context, {
    request: { value: context.request },
    parameters: { value: parameters },
    query: { value: [] },
    bytes: { value: async () => accept(new Uint8Array()) },
  })
}

/** The path of the build with a GraphQL id; undefined if there is none. Checks no rights. */
function pathOf({ sandbox }: RequestContext, id: string): PathParameters | undefined {
  const uuid = /^Build---([0-9a-f-]{36})$/i.exec(Buffer.from(id, 'base64').toString('utf8'))?.[1]
  const { state } = sandbox.store
  const build = uuid === undefined ? undefined : state.get('builds', uuid.toLowerCase())
  const pipeline = build && state.get('pipelines', build.pipelineId)
  const organization = build && state.get('organizations', build.organizationId)
  if (build === undefined || pipeline === undefined || organization === undefined) return undefined
  return { org_slug: organization.slug, pipeline_slug: pipeline.slug, number: String(build.number) }
}

export class OperationRefused extends Error {
  override readonly name = 'OperationRefused'
}

function bodyOf(decision: Decision<HandlerAnswer>): unknown {
  if (decision.ok) return answerValue(decision.value)
  throw new OperationRefused(decision.failure.message)
}

interface MutationInput {
  readonly input: { readonly id: string; readonly clientMutationId?: string | null }
}

export function rootValue(builds: BuildHandlers, context: RequestContext) {
  const { user } = context.caller
  /** The request for the REST operation of a mutation. The operation needs its own scope too. */
  const contextFor = (id: 'builds.cancel' | 'builds.rebuild', build: string): RequestContext => {
    const allowed = authorizeUse(context.caller, operations[id].scope)
    if (!allowed.ok) {
      context.detail = allowed.failure.detail
      throw new OperationRefused(allowed.failure.message)
    }
    const path = pathOf(context, build)
    if (path === undefined) throw new OperationRefused('No build found')
    return contextAt(context, path)
  }
  return {
    viewer: () => {
      const { id, name, email } = user
      const fields = { id, graphql_id: graphqlId('User', id), name, email }
      return { ...fields, user: fields }
    },
    build: async ({ slug }: { readonly slug: string }) => {
      const parts = slug.split('/')
      if (parts.length !== 3) return null

      const [org_slug = '', pipeline_slug = '', number = ''] = parts
      const source = contextAt(context, { org_slug, pipeline_slug, number })
      const decision = await builds['builds.get'](source)
      const isMissing = !decision.ok && decision.failure.code === 'not_found'
      return isMissing ? null : bodyOf(decision)
    },
    buildCancel: async ({ input: { id, clientMutationId = null } }: MutationInput) => {
      const build = bodyOf(await builds['builds.cancel'](contextFor('builds.cancel', id)))
      return { clientMutationId, build }
    },
    buildRebuild: async ({ input: { id, clientMutationId = null } }: MutationInput) => {
      const source = contextFor('builds.rebuild', id)
      const build = bodyOf(await builds['builds.get'](source))
      const rebuild = bodyOf(await builds['builds.rebuild'](source))
      return { clientMutationId, build, rebuild }
    },
  }
}
