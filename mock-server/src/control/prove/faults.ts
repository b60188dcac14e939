import type { Action } from '../../rules/rule.js'
import {
  buildReads,
  buildWalks,
  creates,
  downloads,
  exchanges,
  type Fault,
  fault,
  jsonReads,
  logins,
  polls,
  reads,
  refreshes,
  repeatables,
  requests,
  walks,
} from './fault.js'
import {
  first,
  greenWhereRepeatable,
  isCutShort,
  isDoubled,
  isExchangedOn,
  isHammered,
  isLeaked,
  isMintedPerCall,
  isMissed,
  isMissedList,
  isPolledOn,
  isRepeated,
  isSpentAgain,
  isTakenAlong,
  keepsInterval,
  staysGreen,
  waits,
} from './judges.js'
import { endToken, insertBuild } from './reactions.js'

/** How the wait of a refusal is told: short, since it is real time. */
const retryAfterSeconds = 1
const slowMs = 2_000

/** The real answer, as it is: what follows in a rule comes after the commit. */
const committed: Action = { patchResponse: {} }
const refused = (error: string, error_description: string): Action => ({
  respond: { status: 400, json: { error, error_description }, headers: { 'Cache-Control': 'no-store' } },
})

const readsAgain = 'Send a read again after a short wait, two or three times, before you give up.'
const looksFirst =
  'Do not send a write again whose answer you did not get: look for its result (here: the newest build of the branch), or fail and say that it may have been done.'
const readsWhole = 'Hold an answer for good only when its status, its type and all of its body are what you expect.'
const keepsWait = 'Wait as long as Retry-After says, with a little random time on top, and only then send again.'
const logsInAgain = 'Only authorization_pending and slow_down are worth another poll. Everything else ends this code.'

/** Every fault, the most expensive harm first: a budget cuts from the end. */
export const faults: readonly Fault[] = [
  fault('after-commit', {
    title: 'the work is done and the answer is lost',
    cure: looksFirst,
    on: creates,
    actions: [{ networkError: 'afterCommit' }],
    judge: isDoubled,
  }),
  fault('bad-gateway', {
    title: 'the work is done and a proxy answers 502 with HTML',
    cure: looksFirst,
    on: creates,
    actions: [committed, { preset: 'badGatewayHtml' }],
    judge: isDoubled,
  }),
  fault('slow', {
    title: `the work is done and the answer comes ${slowMs / 1000} s later`,
    cure: `Give an answer more time than ${slowMs / 1000} s. ${looksFirst}`,
    on: creates,
    actions: [committed, { delayMs: slowMs }],
    judge: isDoubled,
  }),
  fault('truncated', {
    title: 'the work is done and half of the answer arrives',
    cure: looksFirst,
    on: creates,
    actions: [{ preset: 'truncatedJson' }],
    judge: isDoubled,
  }),
  fault('unavailable', {
    title: `503 with Retry-After: ${retryAfterSeconds}`,
    cure: keepsWait,
    on: requests,
    actions: [{ preset: 'unavailable' }, { patchResponse: { headers: { 'Retry-After': String(retryAfterSeconds) } } }],
    judge: first(waits(retryAfterSeconds * 1000), greenWhereRepeatable),
  }),
  fault('rate-limited', {
    title: `429 with Retry-After: ${retryAfterSeconds} and reset headers`,
    cure: keepsWait,
    on: requests,
    actions: [{ preset: 'rateLimitedSeconds' }],
    judge: first(waits(retryAfterSeconds * 1000), greenWhereRepeatable),
  }),
  fault('before-commit', {
    title: 'the connection breaks and nothing was done',
    cure: readsAgain,
    on: repeatables,
    actions: [{ networkError: 'beforeCommit' }],
    judge: first(keepsInterval, isMissedList, staysGreen),
  }),
  fault('bad-gateway', {
    title: 'a proxy answers 502 with HTML',
    cure: readsAgain,
    on: reads,
    actions: [{ preset: 'badGatewayHtml' }],
    judge: first(isMissedList, staysGreen),
  }),
  fault('truncated', {
    title: 'half of the answer arrives',
    cure: readsWhole,
    on: jsonReads,
    actions: [{ preset: 'truncatedJson' }],
    judge: isMissed,
  }),
  fault('html', {
    title: 'a page of HTML arrives with status 200',
    cure: readsWhole,
    on: jsonReads,
    actions: [
      {
        respond: {
          status: 200,
          headers: { 'Content-Type': 'text/html' },
          text: '<!doctype html><h1>Please log in</h1>\n',
        },
      },
    ],
    judge: isMissed,
  }),
  fault('link', {
    title: 'the next page is said to be at another origin',
    cure: 'Follow a Link only to the origin that you asked, and fail otherwise: your token belongs there and nowhere else.',
    on: walks,
    actions: ({ entry: { path } }, otherOrigin) => [
      { patchResponse: { headers: { Link: `<${otherOrigin}${path}?page=2&per_page=30>; rel="next"` } } },
    ],
    judge: first(isLeaked, isCutShort),
  }),
  fault('redirect', {
    title: 'a redirect leads to another origin',
    cure: 'Leave the token behind when a redirect leads to another origin, or follow none at all.',
    on: reads,
    actions: ({ entry: { path } }, otherOrigin) => [
      { respond: { status: 302, headers: { Location: `${otherOrigin}${path}` } } },
    ],
    judge: first(isLeaked, isMissedList),
  }),
  fault('insertion', {
    title: 'a build is created between two pages',
    cure: 'Ask for all pages with the same created_to, the moment of the first; or drop records whose id has come.',
    on: buildWalks,
    actions: [committed],
    react: insertBuild,
    judge: isRepeated,
  }),
  fault('token-ends', {
    title: 'the token ends between two pages',
    cure: 'After a 401 get another token, once, or fail. A list that was not read to its end is no list.',
    on: walks,
    actions: [committed],
    react: endToken,
    judge: first(isHammered, isCutShort),
  }),
  fault('unknown', {
    title: 'an unknown state and an unknown key arrive',
    cure: 'Take states for an open set and ignore keys that you do not know: services grow.',
    on: buildReads,
    actions: [{ patchResponse: { json: { state: 'hibernating', unknown_to_you: { deep: [1] } } } }],
    judge: staysGreen,
  }),
  fault('recorded', {
    title: 'the service speaks as recordings of such services do: nulls, texts, short jobs',
    cure: 'Take only ids, numbers and states for granted. Every other field may be null or absent.',
    on: buildReads,
    times: 0,
    settings: { dialect: 'recorded' },
    actions: [],
    judge: staysGreen,
  }),
  fault('slow', {
    title: `the answer comes ${slowMs / 1000} s later`,
    cure: `Give an answer more time than ${slowMs / 1000} s.`,
    on: reads,
    actions: [{ delayMs: slowMs }],
    judge: staysGreen,
  }),
  fault('slow-down', {
    title: 'a poll is answered slow_down, twice',
    cure: 'Add 5 s to the interval for each slow_down, and keep it (RFC 8628 §3.5).',
    on: polls,
    times: 2,
    takesMs: 25_000,
    actions: [refused('slow_down', 'Polling too quickly')],
    judge: first(keepsInterval, staysGreen),
  }),
  fault('interval', {
    title: 'the interval between polls is 6 s',
    cure: 'Take the interval from the answer that brought the codes.',
    on: logins,
    takesMs: 15_000,
    actions: [{ patchResponse: { json: { interval: 6 } } }],
    judge: first(keepsInterval, staysGreen),
  }),
  fault('denied', {
    title: 'the user denies the login',
    cure: logsInAgain,
    on: polls,
    actions: [refused('access_denied', 'The user denied the authorization request')],
    judge: isPolledOn,
  }),
  fault('expired', {
    title: 'the device code expires',
    cure: logsInAgain,
    on: polls,
    actions: [refused('expired_token', 'The device code has expired')],
    judge: isPolledOn,
  }),
  fault('after-commit', {
    title: 'the answer of a poll is lost',
    cure: `A poll may be sent again after the interval. ${logsInAgain}`,
    on: polls,
    actions: [{ networkError: 'afterCommit' }],
    judge: first(isPolledOn, keepsInterval),
  }),
  fault('after-commit', {
    title: 'the token is minted and the answer is lost',
    cure: 'Sign a new assertion, with a jti of its own, for each attempt.',
    on: exchanges,
    actions: [{ networkError: 'afterCommit' }],
    judge: isSpentAgain('client_assertion'),
  }),
  fault('after-commit', {
    title: 'the refresh token is replaced and the answer is lost',
    cure: 'Do not send a refresh token again whose answer was lost: the second use ends the whole login. Ask for a new one.',
    on: refreshes,
    actions: [{ networkError: 'afterCommit' }],
    judge: isSpentAgain('refresh_token'),
  }),
  fault('rotated-key', {
    title: 'the key that signs is no longer registered',
    cure: 'A key that is refused stays refused: fail, and say which key it is.',
    on: exchanges,
    times: null,
    actions: [refused('invalid_client', 'invalid client assertion signature')],
    judge: isExchangedOn,
  }),
  fault('clock-off', {
    title: "the server's clock is 10 minutes ahead",
    cure: 'Take the time for iat and exp from the Date of an answer when an assertion is refused for its time, once.',
    on: exchanges,
    actions: [{ advanceClockMs: 600_000 }],
    judge: isExchangedOn,
  }),
  fault('every-call', {
    title: 'token requests are limited',
    cure: 'Keep a token until shortly before it ends, and share it between all calls of that user.',
    on: exchanges,
    times: 0,
    actions: [],
    judge: isMintedPerCall,
  }),
  fault('content', {
    title: 'the content of an artifact is at another origin',
    cure: 'Fetch the address that the answer names without your token: it is a key by itself.',
    on: downloads,
    times: 0,
    actions: [],
    judge: isTakenAlong,
  }),
]
