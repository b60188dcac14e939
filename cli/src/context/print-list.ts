import type { CiClient, Page } from '@buildwire/sdk'
import type { FlagValues } from '../flags/flags.js'
import { type listFlags, listSize } from '../flags/groups.js'
import type { Printable } from '../io/printable.js'
import type { RecordKind } from '../views/view.js'
import type { Context } from './context.js'

/** Asks for the pages of a list. */
export type ListCall<T> = (
  ci: CiClient,
  query: { readonly per_page: number },
  options: { readonly signal: AbortSignal },
) => AsyncIterable<Page<T>> | Promise<AsyncIterable<Page<T>>>

/** Asks for a list, as much of it as the flags say, and prints it. */
export async function printList<T>(
  { ci, out, signal }: Context,
  kind: RecordKind<T>,
  flags: FlagValues<typeof listFlags>,
  pages: ListCall<T>,
  seen: { readonly about?: Printable | null; readonly manyPipelines?: boolean } = {},
): Promise<void> {
  const { per_page, ...size } = listSize(flags)
  await out.list(kind, { ...size, ...seen, pages: await pages(await ci(), { per_page }, { signal }) })
}
