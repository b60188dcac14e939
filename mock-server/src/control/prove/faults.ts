import { timestamp } from '../../domain/timestamp.js'
import type { Action, Match, Rule } from '../../rules/rule.js'
import type { Settings } from '../../seed/settings.js'
import * as client from './judges.js'
import {
  type Audience,
  by,
  faultRuleId,
  grantTypes,
  type Reaction,
  type Seen,
  type Use,
} from './seen.js'

/**
 * One thing that goes wrong for a client: which requests meet it, how the server makes it, and how
 * to see that it harmed the client.
 */
export interface ClientFault extends Audience {
  readonly id: string
  readonly title: string
  readonly cure: string
  /** Judges run in order; the first harm found is reported. */
  readonly judges: readonly client.Judge[]
  /**
   * What the server does to the request that is struck; none: the fault-free run is judged, or one
   * under the settings.
   */
  readonly actions?: (struck: Seen, otherOrigin: string) => readonly Action[]
  /** How many requests in a row are struck, 1 by default; null: all from then on. */
  readonly times?: number | null
  readonly react?: Reaction
  /** What is different with the whole server; one run shows it. */
  readonly settings?: Partial<Settings>
  /**
   * Real time that a client which does everything right may need beside its usual one, ms; 5 000 by
   * default.
   */
  readonly takesMs?: number
}

type Prose = Omit<ClientFault, keyof Audience | 'id' | 'actions' | 'judges'>

function fault(
  id: string,
  audience: Audience,
  actions: ClientFault['actions'] | readonly Action[],
  judges: ClientFault['judges'],
  prose: Prose,
): ClientFault {
  return {
    id,
    ...audience,
    ...prose,
    ...(actions && { actions: typeof actions === 'function' ? actions : () => actions }),
    judges,
  }
}

/** The real answer, as it is: what follows in a rule comes after the commit. */
const done: Action = { patchResponse: {} }
const lost: Action = { networkError: 'afterCommit' }
const gatewayHtml: Action = { preset: 'badGatewayHtml' }
const broken: Action = { networkError: 'beforeCommit' }
const half: Action = { preset: 'truncatedJson' }
const late: Action = { delayMs: 2_000 }
/** Waits are real time: short, and longer than a busy machine holds up a request by itself. */
const wait: Action = { patchResponse: { headers: { 'Retry-After': '2' } } }
const reset: Action = {
  patchResponse: { headers: { 'Retry-After': '2', 'RateLimit-Reset': '2' }, json: { reset: 2 } },
}

const sixSeconds: Action = { patchResponse: { json: { interval: 6 } } }
const oddBuild: Action = {
  patchResponse: { json: { state: 'hibernating', unknown_to_you: { deep: [1] } } },
}

const login: Action = {
  respond: {
    status: 200,
    headers: { 'Content-Type': 'text/html' },
    text: '<!doctype html><h1>Please log in</h1>\n',
  },
}

function refused(error: string, error_description: string): readonly Action[] {
  return [
    {
      respond: {
        status: 400,
        json: { error, error_description },
        headers: { 'Cache-Control': 'no-store' },
      },
    },
  ]
}

function linkAway({ path }: Seen, otherOrigin: string): readonly Action[] {
  return [
    {
      patchResponse: {
        headers: { Link: `<${otherOrigin}${path}?page=2&per_page=30>; rel="next"` },
      },
    },
  ]
}

function sendAway({ path }: Seen, otherOrigin: string): readonly Action[] {
  return [{ respond: { status: 302, headers: { Location: `${otherOrigin}${path}` } } }]
}

const endToken: Reaction = ({ caller, sandbox: { store, clock } }) =>
  store.update((tx) => {
    const token = caller && tx.state.get('accessTokens', caller.token.id)
    if (token) tx.put('accessTokens', { ...token, revokedAt: clock.now() })
  })
const insertBuild: Reaction = ({ sandbox: { store, ids, clock } }, [first]) =>
  store.update((tx) => {
    const newest = tx.state.get('builds', String(first))
    if (newest === undefined) return
    const own = {
      id: ids.uuid('build'),
      number: tx.nextNumber(newest.pipelineId),
      created_at: timestamp(clock.now()),
    }
    tx.put('builds', { ...newest, ...own, jobs: [] })
  })

const readAgain = 'Send a read again after a short wait, two or three times, before you give up.'
const lookFirst =
  'Do not send a write again whose answer you did not get: look for its result (here: the newest build of the branch), or fail and say that it may have been done.'
const readWhole =
  'Hold an answer for good only when its status, its type and all of its body are what you expect.'
const keepWait =
  'Wait as long as Retry-After says, with a little random time on top, and only then send again; or fail.'
const logInAgain =
  'Only authorization_pending and slow_down are worth another poll. Everything else ends this code.'

/** Every fault, the most expensive harm first: a budget cuts from the end. */
export const faults: readonly ClientFault[] = [
  fault('after-commit', by.creates, [lost], [client.findDoubled], {
    title: 'the work is done and the answer is lost',
    cure: lookFirst,
  }),
  fault('bad-gateway', by.creates, [done, gatewayHtml], [client.findDoubled], {
    title: 'the work is done and a proxy answers 502 with HTML',
    cure: lookFirst,
  }),
  fault('slow', by.creates, [done, late], [client.findDoubled], {
    title: 'the work is done and the answer comes 2 s later',
    cure: `Give an answer more time than 2 s. ${lookFirst}`,
  }),
  fault('truncated', by.creates, [half], [client.findDoubled], {
    title: 'the work is done and half of the answer arrives',
    cure: lookFirst,
  }),
  fault(
    'unavailable',
    by.requests,
    [{ preset: 'unavailable' }, wait],
    [client.findEarlyRetry, client.findGivenUp],
    {
      title: '503 with Retry-After: 2',
      cure: keepWait,
    },
  ),
  fault(
    'rate-limited',
    by.requests,
    [{ preset: 'rateLimitedSeconds' }, reset],
    [client.findEarlyRetry, client.findGivenUp],
    {
      title: '429 with Retry-After: 2 and reset headers',
      cure: keepWait,
    },
  ),
  fault(
    'before-commit',
    by.repeats,
    [broken],
    [client.findEarlyPoll, client.findMissedList, client.findFailure],
    {
      title: 'the connection breaks and nothing was done',
      cure: readAgain,
    },
  ),
  fault('bad-gateway', by.reads, [gatewayHtml], [client.findMissedList, client.findFailure], {
    title: 'a proxy answers 502 with HTML',
    cure: readAgain,
  }),
  fault('truncated', by.jsonReads, [half], [client.findMissed], {
    title: 'half of the answer arrives',
    cure: readWhole,
  }),
  fault('html', by.jsonReads, [login], [client.findMissed], {
    title: 'a page of HTML arrives with status 200',
    cure: readWhole,
  }),
  fault('link', by.walks, linkAway, [client.findLeaked, client.findCutShort], {
    title: 'the next page is said to be at another origin',
    cure: 'Follow a Link only to the origin that you asked, and fail otherwise: your token belongs there and nowhere else.',
  }),
  fault('redirect', by.reads, sendAway, [client.findLeaked, client.findMissedList], {
    title: 'a redirect leads to another origin',
    cure: 'Leave the token behind when a redirect leads to another origin, or follow none at all.',
  }),
  fault('insertion', by.buildWalks, [done], [client.findRepeated], {
    title: 'a build is created between two pages',
    cure: 'Ask for all pages with the same created_to, the moment of the first; or drop records whose id has come.',
    react: insertBuild,
  }),
  fault('token-ends', by.walks, [done], [client.findHammered, client.findCutShort], {
    title: 'the token ends between two pages',
    cure: 'After a 401 get another token, once, or fail. A list that was not read to its end is no list.',
    react: endToken,
  }),
  fault('unknown', by.buildReads, [oddBuild], [client.findFailure], {
    title: 'an unknown state and an unknown key arrive',
    cure: 'Take states for an open set and ignore keys that you do not know: services grow.',
  }),
  fault('recorded', by.buildReads, undefined, [client.findFailure], {
    title: 'the service speaks as recordings of such services do: nulls, texts, short jobs',
    cure: 'Take only ids, numbers and states for granted. Every other field may be null or absent.',
    settings: { dialect: 'recorded' },
  }),
  fault('slow', by.reads, [late], [client.findFailure], {
    title: 'the answer comes 2 s later',
    cure: 'Give an answer more time than 2 s.',
  }),
  fault(
    'slow-down',
    by.polls,
    refused('slow_down', 'Polling too quickly'),
    [client.findEarlyPoll, client.findFailure],
    {
      title: 'a poll is answered slow_down, twice',
      cure: 'Add 5 s to the interval for each slow_down, and keep it (RFC 8628 §3.5).',
      times: 2,
      takesMs: 25_000,
    },
  ),
  fault('interval', by.logins, [sixSeconds], [client.findEarlyPoll, client.findFailure], {
    title: 'the interval between polls is 6 s',
    cure: 'Take the interval from the answer that brought the codes.',
    takesMs: 15_000,
  }),
  fault(
    'denied',
    by.polls,
    refused('access_denied', 'The user denied the request'),
    [client.findPolledOn],
    {
      title: 'the user denies the login',
      cure: logInAgain,
    },
  ),
  fault(
    'expired',
    by.polls,
    refused('expired_token', 'The device code has expired'),
    [client.findPolledOn],
    {
      title: 'the device code expires',
      cure: logInAgain,
    },
  ),
  fault('after-commit', by.polls, [lost], [client.findPolledOn, client.findEarlyPoll], {
    title: 'the answer of a poll is lost',
    cure: `A poll may be sent again after the interval. ${logInAgain}`,
  }),
  fault('after-commit', by.exchanges, [lost], [client.findSpentAgain], {
    title: 'the token is minted and the answer is lost',
    cure: 'Sign a new assertion, with a jti of its own, for each attempt.',
  }),
  fault('after-commit', by.refreshes, [lost], [client.findSpentAgain], {
    title: 'the refresh token is replaced and the answer is lost',
    cure: 'Do not send a refresh token again whose answer was lost: the second use ends the whole login. Ask for a new one.',
  }),
  fault(
    'rotated-key',
    by.exchanges,
    refused('invalid_client', 'invalid signature'),
    [client.findExchangedOn],
    {
      title: 'the key that signs is no longer registered',
      cure: 'A key that is refused stays refused: fail, and say which key it is.',
      times: null,
    },
  ),
  fault('clock-off', by.exchanges, [{ advanceClockMs: 600_000 }], [client.findExchangedOn], {
    title: "the server's clock is 10 minutes ahead",
    cure: 'Take the time for iat and exp from the Date of an answer when an assertion is refused for its time, once.',
  }),
  fault('every-call', by.exchanges, undefined, [client.findMintedPerCall], {
    title: 'token requests are limited',
    cure: 'Keep a token until shortly before it ends, and share it between all calls of that user.',
  }),
  fault('content', by.downloads, undefined, [client.findTakenAlong], {
    title: 'the content of an artifact is at another origin',
    cure: 'Fetch the address that the answer names without your token: it is a key by itself.',
  }),
]

export interface Row {
  readonly id: string
  readonly fault: ClientFault
  readonly use: Use
}

export function rowsFor(some: readonly ClientFault[], uses: readonly Use[]): readonly Row[] {
  return some.flatMap((fault) => {
    const met = uses.filter((use) => fault.skip(use) >= 0)
    const shown = fault.settings === undefined ? met : met.slice(0, 1)
    return shown.map((use) => ({ id: `${fault.id}/${use.target}`, fault, use }))
  })
}

export function rulesOf({ fault, use }: Row, otherOrigin: string): readonly Rule[] {
  const skip = fault.skip(use)
  const actions = use.own[skip] && fault.actions?.(use.own[skip], otherOrigin)
  if (actions === undefined) return []
  const grant_type = grantTypes[use.target]
  const match: Match =
    grant_type === undefined
      ? { operation: use.target }
      : { operation: 'oauth.token', form: { grant_type } }
  const { times = 1 } = fault
  return [
    { id: faultRuleId, priority: 1, match, skip, ...(times === null ? {} : { times }), actions },
  ]
}
