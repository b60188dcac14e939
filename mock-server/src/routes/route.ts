import {
  type BodyName,
  type OperationId,
  type OperationTypes,
  operations,
  type QueryName,
} from '@buildwire/sdk/contract'
import { accept, type Decision } from '../domain/decision.js'
import { readJson } from '../http/body.js'
import { type ListEnd, type ListPage, linkHeader } from '../http/link.js'
import { type Query, readQuery } from '../http/query.js'
import type { BodyReader } from '../http/read-body.js'
import { type Presentation, present } from '../present/present.js'
import type { HandlerAnswer, RequestContext, RequestHandler } from '../request/exchange.js'
import { findPathRecords, type RecordsOf } from '../request/resource.js'

/** What a request asks of an operation: records of its path, query, body, and a presentation. */
interface OperationInput<Id extends OperationId, Body = unknown> {
  readonly place: RecordsOf<Id>
  readonly query: Query<Id>
  readonly body: Body
  readonly show: Presentation
}

function inputOf<Id extends OperationId, Body>(
  { sandbox, caller }: RequestContext,
  parts: Omit<OperationInput<Id, Body>, 'show'>,
): OperationInput<Id, Body> {
  return {
    ...parts,
    get show() {
      return present(sandbox, caller)
    },
  }
}

type AnswerInput<Id extends OperationId, Body = unknown> = (
  input: OperationInput<Id, Body>,
  context: RequestContext,
) => Decision<HandlerAnswer> | Promise<Decision<HandlerAnswer>>

/** One key per query parameter, so that a new parameter of the contract needs code to compile. */
type ParameterUses<Id extends OperationId> = { readonly [N in QueryName<Id>]: unknown }

/**
 * Makes the handler of an operation with a query. Checks the records of the path, then the rights,
 * then the query; `answer` checks the state.
 */
export function withQuery<Id extends OperationId>(
  id: Id,
  _uses: ParameterUses<Id>,
  answer: AnswerInput<Id>,
): RequestHandler {
  return (context) => {
    const place = findPathRecords(context, id)
    if (!place.ok) return place
    const query = readQuery(id, context.query)
    if (!query.ok) return query

    const parts = { place: place.value, query: query.value, body: undefined }
    return answer(inputOf<Id, unknown>(context, parts), context)
  }
}

/** The operations that take neither a query nor a body. */
type IdWithoutInput = {
  readonly [Id in OperationId]: [QueryName<Id> | BodyName<Id>] extends [never] ? Id : never
}[OperationId]

export function route<Id extends IdWithoutInput>(id: Id, answer: AnswerInput<Id>): RequestHandler {
  return withQuery(id, {} as ParameterUses<Id>, answer)
}

/**
 * Makes the handler of an operation with a body, which is read after the rights are checked. An
 * optional body that is not a JSON object counts as an empty object.
 */
export function withBody<Id extends OperationId, Body>(
  id: [QueryName<Id>] extends [never] ? Id : never,
  read: BodyReader<Body>,
  answer: AnswerInput<Id, Body>,
  { isOptional = false } = {},
): RequestHandler {
  return async (context) => {
    const place = findPathRecords<Id>(context, id)
    if (!place.ok) return place

    const json = await readJson(context)
    const isMissing = isOptional && !json.ok && json.failure.code === 'bad_request'
    const document = isMissing ? accept({}) : json
    const body = document.ok ? read(document.value, context.sandbox) : document
    if (!body.ok) return body

    const parts = { place: place.value, query: {} as Query<Id>, body: body.value }
    return answer(inputOf(context, parts), context)
  }
}

/** The slice of a list that a request asks for, and the `Link` header that belongs to it. */
export function pageOf(id: OperationId, paging: ListPage, context: RequestContext) {
  const { page } = paging
  const per_page = Math.min(paging.per_page, context.sandbox.settings.maxPerPage)
  const url = operations[id].path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => context.parameters[name] ?? '',
  )
  return {
    offset: (page - 1) * per_page,
    limit: per_page,
    headers(end: ListEnd): Readonly<Record<string, string>> {
      const link = linkHeader(
        `${context.sandbox.urls.baseUrl}${url}`,
        context.query,
        { page, per_page },
        end,
      )
      return link === undefined ? {} : { Link: link }
    },
  }
}

/** The filters of a list: one for each parameter, except the two of paging. */
type ListFilters<Id extends OperationId, R> = {
  readonly [N in Exclude<QueryName<Id>, keyof ListPage>]: (
    value: Exclude<Query<Id>[N], null>,
  ) => (record: R) => boolean
}

type ListId = {
  readonly [Id in OperationId]: keyof ListPage extends QueryName<Id> ? Id : never
}[OperationId]

/** An item of a list, as the contract describes it. */
type Item<Id extends ListId> = OperationTypes[Id]['result'][number]

/** Makes the handler of a list: reads the records, filters them, and shows one page of them. */
export function list<const Id extends ListId, R>(
  id: Id,
  parts: {
    records(place: RecordsOf<Id>, context: RequestContext): readonly R[]
    show(show: Presentation, record: R): Item<Id>
    readonly filters: ListFilters<Id, R>
  },
): RequestHandler {
  return withQuery(
    id,
    { ...parts.filters, page: 'pageOf', per_page: 'pageOf' } as ParameterUses<Id>,
    ({ place, query, show }, context) => {
      const filters: Readonly<Record<string, (value: never) => (record: R) => boolean>> =
        parts.filters
      const tests = Object.entries(query).flatMap(([name, value]) => {
        const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
        return isEmpty ? [] : (filters[name]?.(value as never) ?? [])
      })
      const matching = parts
        .records(place, context)
        .filter((record) => tests.every((test) => test(record)))

      const { offset, limit, headers } = pageOf(id, query as unknown as ListPage, context)
      const hasMore = matching.length > offset + limit
      return accept({
        body: matching.slice(offset, offset + limit).map((record) => parts.show(show, record)),
        headers: headers({ hasMore, total: matching.length }),
      })
    },
  )
}
