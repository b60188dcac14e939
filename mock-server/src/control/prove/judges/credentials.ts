import { groups } from '../../../base/groups.js'
import { harm, hasLanes, isAfter, type Judge, longest } from '../judge.js'
import { bearerOf, formOf, keyOf, type SeenRequest } from '../requests.js'

function hostOf({ request }: SeenRequest): string {
  return request.headers['host'] ?? ''
}

/** A token is for the server that issued it: the server's other name is another origin. */
export const findLeaked: Judge = ({ seen }) => {
  const home = seen.find((request) => bearerOf(request) !== '')
  const away = seen.find(
    (request) => home && hostOf(request) !== hostOf(home) && bearerOf(request) !== '',
  )
  return away && harm(`The client sent its token to another origin, ${hostOf(away)}.`, away)
}

/** Requests each of which was sent after the client had the refusal of the one before. */
function oneByOne(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  const chain: SeenRequest[] = []
  for (const request of requests) {
    const last = chain.at(-1)
    if (last === undefined || isAfter(request, last)) chain.push(request)
  }
  return chain
}

const mostRefusals = 3
/** Requests that leave at one time arrive within this time, ms. */
const burstMs = 1_000

/** A token that worked and was refused then is not tried again with the same request. */
export const findRefusedAgain: Judge = ({ seen, base }) => {
  for (const [bearer, requests] of groups(seen, bearerOf)) {
    const worked = requests.some(({ good, isFault }) => good || isFault)
    const refused = requests.filter(({ status }) => status === 401)
    if (bearer === '' || !worked || refused.length < 2) continue
    const repeated = [...groups(refused, keyOf)].flatMap(([key, requests]) => {
      const chain = oneByOne(requests)
      const usual = base.seen.filter((one) => keyOf(one) === key)
      // Each part of the client meets the refusal once.
      return chain.length > (hasLanes(usual) ? 2 : 1) ? [chain] : []
    })
    const again = longest(repeated)
    const [first] = refused
    const late = refused.filter((one) => first && one.startedAt > first.answeredAt + burstMs)
    const all = oneByOne(late)
    const worst = again.length > 1 ? again : all
    if (again.length > 1 || all.length > mostRefusals)
      return harm(`The client asked ${worst.length} times with a token that was refused.`, ...worst)
  }
  return undefined
}

/** The use of a refresh token that was used before ends the whole login (RFC 9700 §4.14.2). */
export const findSpentRefreshToken: Judge = ({ seen }) => {
  const refreshes = seen.filter(({ target }) => target === 'refresh')
  for (const uses of groups(refreshes, (one) => formOf(one, 'refresh_token')).values()) {
    const at = uses.findIndex(({ done }) => done)
    const again = at < 0 ? undefined : uses.slice(at + 1).find(({ good }) => !good)
    const first = uses[at]
    if (first && again)
      return harm(
        'The server had replaced the refresh_token; the client sent the same one again.',
        first,
        again,
      )
  }
  return undefined
}

/** An assertion with a jti is good for one token. */
export const findSpentAssertion: Judge = ({ seen, exit }) => {
  const exchanges = seen.filter(({ target }) => target === 'exchange')
  for (const uses of groups(exchanges, (one) => formOf(one, 'client_assertion')).values()) {
    const at = uses.findIndex(({ done }) => done)
    const again = at < 0 ? undefined : uses.slice(at + 1).find(({ good }) => !good)
    const first = uses[at]
    // A client that sends another assertion next has lost nothing.
    if (first && again && exit !== 'green')
      return harm(
        'The server had used the client_assertion; the client sent the same one again.',
        first,
        again,
      )
  }
  return undefined
}

function userOf(exchange: SeenRequest): string {
  const names = ['client_id', 'subject_token', 'audience', 'scope']
  return names.map((name) => formOf(exchange, name)).join(' ')
}

function exchangesOf(
  seen: readonly SeenRequest[],
  isMeant: (exchange: SeenRequest) => boolean,
): readonly SeenRequest[] {
  const exchanges = seen.filter((one) => one.target === 'exchange' && isMeant(one))
  return longest(groups(exchanges, userOf).values())
}

function isRefused({ status }: SeenRequest): boolean {
  return status === 400 || status === 401
}

export const findRefusedKey: Judge = ({ seen, base }) => {
  const worst = exchangesOf(seen, isRefused)
  const usual = base.seen.filter(({ target }) => target === 'exchange').length
  if (worst.length <= Math.max(mostRefusals, usual)) return undefined
  return harm(`The key was refused, and the client asked ${worst.length} times with it.`, ...worst)
}

/** A client that gets a token for each call meets the limit of the token endpoint. */
export const findMintedPerCall: Judge = ({ seen }) => {
  const worst = exchangesOf(seen, ({ good }) => good)
  const calls = seen.filter(
    ({ client_id, accessTokenId }) => client_id !== null && accessTokenId !== null,
  )
  const most = longest(groups(calls, ({ accessTokenId }) => accessTokenId ?? '').values())
  if (worst.length <= 3 || most.length > 1) return undefined
  return harm(
    `${worst.length} exchanges for one user, and no token was used for more than one call.`,
    ...worst,
  )
}

export const findPrintedToken: Judge = ({ printsToken }) =>
  printsToken ? harm('The command printed its token.') : undefined
