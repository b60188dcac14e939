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

/** Where the schema does not name a field as the REST API does, in camel case. */
const wireNames: Readonly<Record<string, string>> = {
  id: 'graphql_id',
  uuid: 'id',
  url: 'web_url',
  createdBy: 'creator',
}

/**
 * Resolves every field: the roots are calls, the rest are records of the REST API and payloads
 * around them.
 */
export const resolveField: GraphQLFieldResolver<
  Readonly<Record<string, unknown>>,
  RequestContext
> = (source, given, _context, { fieldName }) => {
  const wireName =
    wireNames[fieldName] ?? fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const value = source[Object.hasOwn(source, wireName) ? wireName : fieldName]
  return typeof value === 'function' ? value(given) : value
}

/**
 * The same request as the operation of another path sees it, without query and body. Private
 * members are not inherited.
 */
function at(context: RequestContext, parameters: PathParameters): RequestContext {
  return Object.create(context, {
    request: { value: context.request },
    parameters: { value: parameters },
    query: { value: [] },
    bytes: { value: async () => accept(new Uint8Array()) },
  })
}

/** Where the build of a GraphQL id lives; undefined when there is none, whoever asks. */
function pathOf({ sandbox }: RequestContext, id: string): PathParameters | undefined {
  const uuid = /^Build---([0-9a-f-]{36})$/i.exec(Buffer.from(id, 'base64').toString('utf8'))?.[1]
  const { state } = sandbox.store
  const build = uuid === undefined ? undefined : state.get('builds', uuid.toLowerCase())
  const pipeline = build && state.get('pipelines', build.pipelineId)
  const organization = build && state.get('organizations', build.organizationId)
  if (build === undefined || pipeline === undefined || organization === undefined) return undefined
  return { org_slug: organization.slug, pipeline_slug: pipeline.slug, number: String(build.number) }
}

export class Refused extends Error {
  override readonly name = 'Refused'
}

function bodyOf(decision: Decision<HandlerAnswer>): unknown {
  if (decision.ok) return answerValue(decision.value)
  throw new Refused(decision.failure.message)
}

interface MutationInput {
  readonly input: { readonly id: string; readonly clientMutationId?: string | null }
}

export function rootValue(builds: BuildHandlers, context: RequestContext) {
  const { user } = context.caller
  /**
   * The request as the REST operation behind a mutation gets it, which wants its own scope beside
   * `graphql`.
   */
  const behind = (id: 'builds.cancel' | 'builds.rebuild', build: string): RequestContext => {
    const allowed = authorizeUse(context.caller, operations[id].scope)
    if (!allowed.ok) {
      context.detail = allowed.failure.detail
      throw new Refused(allowed.failure.message)
    }
    const path = pathOf(context, build)
    if (path === undefined) throw new Refused('No build found')
    return at(context, path)
  }
  return {
    viewer: () => {
      const { id, name, email } = user
      const fields = { id, graphql_id: graphqlId('User', id), name, email }
      return { ...fields, user: fields }
    },
    build: async ({ slug }: { readonly slug: string }) => {
      const [org_slug, pipeline_slug, number, ...rest] = slug.split('/')
      if (
        org_slug === undefined ||
        pipeline_slug === undefined ||
        number === undefined ||
        rest.length > 0
      )
        return null
      const decision = await builds['builds.get'](at(context, { org_slug, pipeline_slug, number }))
      return !decision.ok && decision.failure.code === 'not_found' ? null : bodyOf(decision)
    },
    buildCancel: async ({ input: { id, clientMutationId = null } }: MutationInput) => {
      const build = bodyOf(await builds['builds.cancel'](behind('builds.cancel', id)))
      return { clientMutationId, build }
    },
    buildRebuild: async ({ input: { id, clientMutationId = null } }: MutationInput) => {
      const source = behind('builds.rebuild', id)
      const build = bodyOf(await builds['builds.get'](source))
      const rebuild = bodyOf(await builds['builds.rebuild'](source))
      return { clientMutationId, build, rebuild }
    },
  }
}
