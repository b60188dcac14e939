import { type OperationId, operations } from '@buildwire/sdk/contract'
import { groups } from '../../../base/groups.js'
import { type Judge, note } from '../judge.js'
import { formOf, keyOf } from '../requests.js'

const mostReads = 10
const quickMs = 500

export const findBusyReads: Judge = ({ seen }) => {
  const reads = seen.filter(({ method, good }) => method === 'GET' && good)
  for (const requests of groups(reads, keyOf).values()) {
    const quick = requests.filter((one, index) => {
      const before = requests[index - 1]
      return before !== undefined && one.startedAt - before.startedAt < quickMs
    })
    if (quick.length >= mostReads)
      return note(
        `The client sent the same GET ${requests.length} times, less than ${quickMs} ms after each other.`,
        ...requests.slice(0, 2),
      )
  }
  return undefined
}

/** Scopes that the client asked a grant for; its own token is the user's choice. */
export const findUnusedScopes: Judge = ({ seen }) => {
  const used = new Set<string | null>(
    seen.flatMap(({ operation }) => operations[operation as OperationId]?.scope ?? []),
  )
  const starts = seen.filter(
    ({ target, good }) => good && (target === 'exchange' || target === 'oauth.deviceAuthorization'),
  )
  for (const start of starts) {
    const unused = formOf(start, 'scope')
      .split(' ')
      .filter((scope) => scope !== '' && !used.has(scope))
    if (unused.length > 0)
      return note(`The client asked for ${unused.join(', ')}, and used no operation of it.`, start)
  }
  return undefined
}
