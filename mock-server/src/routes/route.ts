import {
  type BodyName,
  type OperationId,
  operations,
  type QueryName,
} from '@buildwire/sdk/contract'
import { accept, type Decision } from '../domain/decision.js'
import { readJson } from '../http/body.js'
import { type ListEnd, linkHeader, mostPerPage, type Paging } from '../http/link.js'
import { type Query, readQuery } from '../http/query.js'
import type { BodyReader } from '../http/read-body.js'
import { type Presentation, present } from '../present/present.js'
import type { Answer, Context, Handler } from '../request/exchange.js'
import { findPlace, type Place } from '../request/resource.js'

export interface Asked<Id extends OperationId, Body = unknown> {
  readonly place: Place<Id>
  readonly query: Query<Id>
  readonly body: Body
  readonly show: Presentation
}

function askedBy<Id extends OperationId, Body>(
  { sandbox, caller }: Context,
  parts: Omit<Asked<Id, Body>, 'show'>,
): Asked<Id, Body> {
  return {
    ...parts,
    get show() {
      return present(sandbox, caller)
    },
  }
}

type Answering<Id extends OperationId, Body = unknown> = (
  asked: Asked<Id, Body>,
  context: Context,
) => Decision<Answer> | Promise<Decision<Answer>>

/**
 * What is done with each query parameter: one that the contract gains does not compile until it
 * stands here.
 */
type Uses<Id extends OperationId> = { readonly [N in QueryName<Id>]: unknown }

/**
 * The handler of an operation with a query. Order of checks: what the path names, rights, query;
 * state is for `answer`.
 */
export function withQuery<Id extends OperationId>(
  id: Id,
  _uses: Uses<Id>,
  answer: Answering<Id>,
): Handler {
  return (context) => {
    const place = findPlace(context, id)
    if (!place.ok) return place
    const query = readQuery(id, context.query)
    if (!query.ok) return query
    return answer(
      askedBy<Id, unknown>(context, { place: place.value, query: query.value, body: undefined }),
      context,
    )
  }
}

type Plain<Id extends OperationId> = [QueryName<Id> | BodyName<Id>] extends [never] ? Id : never
type WithoutInput = { readonly [Id in OperationId]: Plain<Id> }[OperationId]

export function route<Id extends WithoutInput>(id: Id, answer: Answering<Id>): Handler {
  return withQuery(id, {} as Uses<Id>, answer)
}

/**
 * The handler of an operation with a body, which is read after the rights; `mayBeNothing`: what is
 * no object says nothing.
 */
export function withBody<Id extends OperationId, Body>(
  id: [QueryName<Id>] extends [never] ? Id : never,
  read: BodyReader<Body>,
  answer: Answering<Id, Body>,
  { mayBeNothing = false } = {},
): Handler {
  return async (context) => {
    const place = findPlace<Id>(context, id)
    if (!place.ok) return place
    const sent = await readJson(context)
    const json = !sent.ok && mayBeNothing && sent.failure.code === 'bad_request' ? accept({}) : sent
    const body = json.ok ? read(json.value, context.sandbox) : json
    if (!body.ok) return body
    return answer(
      askedBy(context, { place: place.value, query: {} as Query<Id>, body: body.value }),
      context,
    )
  }
}

export function pageOf(id: OperationId, { page, per_page: asked }: Paging, context: Context) {
  const per_page = Math.min(asked, mostPerPage)
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

type Given<T> = Exclude<T, null>

/** The filters of a list, one for each of its parameters but the two of paging. */
type Filters<Id extends OperationId, R> = {
  readonly [N in Exclude<QueryName<Id>, keyof Paging>]: (
    value: Given<Query<Id>[N]>,
  ) => (record: R) => boolean
}

type ListId = {
  readonly [Id in OperationId]: keyof Paging extends QueryName<Id> ? Id : never
}[OperationId]

export function list<Id extends ListId, R>(
  id: Id,
  parts: {
    records(place: Place<Id>, context: Context): readonly R[]
    show(show: Presentation, record: R): unknown
    readonly filters: Filters<Id, R>
  },
): Handler {
  return withQuery(
    id,
    { ...parts.filters, page: 'pageOf', per_page: 'pageOf' } as Uses<Id>,
    (asked, context) => {
      const filters: Readonly<Record<string, (value: never) => (record: R) => boolean>> =
        parts.filters
      const tests = Object.entries(asked.query).flatMap(([name, value]) => {
        const isGiven = value !== null && !(Array.isArray(value) && value.length === 0)
        return (isGiven && filters[name]?.(value as never)) || []
      })
      const found = parts
        .records(asked.place, context)
        .filter((record) => tests.every((test) => test(record)))
      const { offset, limit, headers } = pageOf(id, asked.query as unknown as Paging, context)
      const { show } = asked
      return accept({
        body: found.slice(offset, offset + limit).map((record) => parts.show(show, record)),
        headers: headers({ hasMore: found.length > offset + limit, total: found.length }),
      })
    },
  )
}
