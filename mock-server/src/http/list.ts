import type { Answer, Context } from '../context.js'
import { accept, type Decision } from '../domain/decision.js'
import { linkHeader } from './link.js'
import { readPaging } from './query.js'

/** One page of a list that is in order already, with its `Link` header. */
export function answerList<R>(
  context: Context,
  records: readonly R[],
  url: string,
  show: (record: R) => unknown,
): Decision<Answer> {
  const paging = readPaging(context.query)
  if (!paging.ok) return paging
  const { page, per_page } = paging.value
  const from = (page - 1) * per_page
  const hasMore = records.length > from + per_page
  const link = linkHeader(url, context.query, paging.value, { hasMore, total: records.length })
  return accept({
    body: records.slice(from, from + per_page).map(show),
    ...(link !== undefined && { headers: { Link: link } }),
  })
}
