import type { CiClient } from '../client/client.js'
import type { BuildPath } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/context.js'
import type { SummaryAnnotation } from './failure-summary.js'
import { htmlText, textOf } from './text.js'

/** Notes longer than this are cut before anybody reads them, in UTF-16 units. */
const longestNote = 40_000

/** The notes of style error and warning, errors first; null when there are some that could not be read. */
export async function notesOf(
  ci: CiClient,
  path: BuildPath,
  options: CallOptions,
): Promise<SummaryAnnotation[] | null> {
  try {
    const page = await ci.annotations.list({ ...path, per_page: 100 }, options)
    const notes = page.items.flatMap(({ style, context, body_html }): SummaryAnnotation[] => {
      const loud = (['error', 'warning'] as const).find((word) => word === style)
      const text = htmlText((textOf(body_html) ?? '').slice(0, longestNote))
      return loud === undefined || text === '' ? [] : [{ style: loud, context: textOf(context), text }]
    })
    return [...notes.filter(({ style }) => style === 'error'), ...notes.filter(({ style }) => style === 'warning')]
  } catch (error) {
    if (!isCiError(error)) throw error
    // A service without annotations, or a token that may not read them, has none.
    const absent = error.code === 'not_found' || error.code === 'forbidden' || error.code === 'insufficient_scope'
    return absent ? [] : null
  }
}
