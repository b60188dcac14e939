import type { Action } from '../../rules/rule.js'
import { buildInserted, tokenEnds } from './events.js'
import { done, event, type Fault, fault, type Making, rule, rules } from './fault.js'
import { findGivenUp, findNotRenewed, findPatientForever, silenceMs } from './judges/endings.js'
import { findCutShort, findRepeated, findUnfinishedList } from './judges/pages.js'
import { by, smallPage } from './uses.js'

const lost: Action = { networkError: 'afterCommit' }
const broken: Action = { networkError: 'beforeCommit' }
const gatewayHtml: Action = { preset: 'badGatewayHtml' }
const half: Action = { preset: 'truncatedJson' }
const cut: Action = { socket: 'resetMidBody' }
const late: Action = { delayMs: 2_000 }
const silent: Action = { delayMs: silenceMs }
const unavailable: Action = { preset: 'unavailable' }
const empty: Action = { respond: { status: 200, text: '' } }
const noContent: Action = { respond: { status: 204 } }
const serverError: Action = { respond: { status: 500, json: { message: 'Internal error' } } }

const forbidden: Action = {
  respond: { status: 403, json: { message: 'Your token has no permission for this' } },
}

const loginPage: Action = {
  respond: {
    status: 200,
    headers: { 'Content-Type': 'text/html' },
    text: '<!doctype html><h1>Please log in</h1>\n',
  },
}

const unauthorized: Action = {
  respond: {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    json: { message: 'Authentication required' },
  },
}

const oddBuild: Action = {
  patchResponse: { json: { state: 'hibernating', unknown_to_you: { deep: [1] } } },
}

function retryAfter(value: string, more: object = {}): Action {
  return { patchResponse: Object.assign({ headers: { 'Retry-After': value } }, more) }
}

/** Waits are real time: short, and longer than a busy machine holds up a request by itself. */
const wait = retryAfter('2')
const waitALittle = retryAfter('1')

const resetHeaders: Action = {
  patchResponse: { headers: { 'Retry-After': '2', 'RateLimit-Reset': '2' }, json: { reset: 2 } },
}

const linkAway: Making = {
  by: 'rule',
  times: 1,
  actions: ({ path }, otherOrigin) => {
    const Link = `<${otherOrigin}${path}?page=2&per_page=30>; rel="next"`
    return [{ patchResponse: { headers: { Link } } }]
  },
}

const sendAway: Making = {
  by: 'rule',
  times: 1,
  actions: ({ path, query }, otherOrigin) => [
    {
      respond: {
        status: 302,
        headers: { Location: `${otherOrigin}${path}${query === '' ? '' : `?${query}`}` },
      },
    },
  ],
}

/** An HTTP date has whole seconds: 3 s from now are more than 2 s. */
const untilDate: Making = {
  by: 'rule',
  times: 1,
  actions: (_struck, _otherOrigin, now) => [
    unavailable,
    retryAfter(new Date(now + 3_000).toUTCString()),
  ],
}

/** Two requests for each token: the one after which it ends, and the one that is refused. */
const tokenEndsTwice: Making = { by: 'event', event: tokenEnds, times: 4, isEverywhere: true }

const awayForGood: Making = {
  by: 'rule',
  actions: () => [unavailable, waitALittle],
  times: null,
  isEverywhere: true,
}

const goneForGood: Making = {
  by: 'rule',
  actions: () => [broken],
  times: null,
  isEverywhere: true,
}

const smallPages: Making = { by: 'setting', settings: { maxPerPage: smallPage } }

const readAgain = 'Send a read again after a short wait, two or three times, before you give up.'
const lookFirst =
  'Do not send a write again whose answer you did not get: look for its result (here: a build with a message or meta_data of your own), or fail and say that it may have been done.'
const readWhole =
  'Hold an answer for good only when its status, its type and all of its body are what you expect.'
const keepWait =
  'Wait as long as Retry-After says, in seconds or as a date, with a little random time on top, and only then send again; or fail.'
const endAttempts =
  'Give up after a few attempts, fail, and say what is not known: an answer that never came is not an empty one.'

const spoils = { spoils: true } as const
const commits = { spoils: true, commits: true } as const
const getsOver = { spoils: true, judges: [findGivenUp] } as const

export const writeFaults: readonly Fault[] = [
  fault('after-commit', by.onceWrites, rule(lost), {
    title: 'the work is done and the answer is lost',
    cure: lookFirst,
    strikesLater: true,
    ...commits,
  }),
  fault('bad-gateway', by.onceWrites, rule(done, gatewayHtml), {
    title: 'the work is done and a proxy answers 502 with HTML',
    cure: lookFirst,
    ...commits,
  }),
  fault('silent', by.onceWrites, rule(done, silent), {
    title: `the work is done and the answer comes ${silenceMs / 1000} s later`,
    cure: lookFirst,
    strikes: 'one',
    takesMs: 2 * silenceMs,
    commits: true,
  }),
  fault('truncated', by.onceWrites, rule(half), {
    title: 'the work is done and half of the answer arrives',
    cure: lookFirst,
    ...commits,
  }),
]

export const requestFaults: readonly Fault[] = [
  fault('unavailable', by.requests, rule(unavailable, wait), {
    title: '503 with Retry-After: 2',
    cure: keepWait,
    strikesLater: true,
    ...getsOver,
  }),
  fault('rate-limited', by.requests, rule({ preset: 'rateLimitedSeconds' }, resetHeaders), {
    title: '429 with Retry-After: 2 and reset headers',
    cure: keepWait,
    ...getsOver,
  }),
  fault('before-commit', by.repeats, rule(broken), {
    title: 'the connection breaks and nothing was done',
    cure: readAgain,
    strikesLater: true,
    ...getsOver,
  }),
  fault('bad-gateway', by.reads, rule(gatewayHtml), {
    title: 'a proxy answers 502 with HTML',
    cure: readAgain,
    ...getsOver,
  }),
  fault('html', by.api, rule(loginPage), {
    title: 'a page of HTML arrives with status 200',
    cure: readWhole,
    strikesLater: true,
    ...spoils,
  }),
  fault('truncated', by.jsonReads, rule(half), {
    title: 'half of the answer arrives',
    cure: readWhole,
    ...spoils,
  }),
  fault('cut', by.streams, rule(cut), {
    title: 'the connection breaks in the middle of the body',
    cure: readWhole,
    ...spoils,
  }),
  fault('away', by.api, awayForGood, {
    title: 'the service is away for good: 503 to every request from then on',
    cure: endAttempts,
    ...spoils,
  }),
  fault('gone', by.api, goneForGood, {
    title: 'every connection breaks from then on',
    cure: endAttempts,
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('forbidden', by.api, rules(null, forbidden), {
    title: '403 arrives for good',
    cure: 'Fail. A request that is refused for good is refused again.',
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('server-error', by.api, rule(serverError), {
    title: '500 arrives',
    cure: endAttempts,
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('empty', by.api, rule(empty), {
    title: '200 arrives without a body',
    cure: readWhole,
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('no-content', by.api, rule(noContent), {
    title: '204 arrives in place of the answer',
    cure: readWhole,
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('unauthorized', by.api, rule(unauthorized), {
    title: '401 arrives in the middle of the program',
    cure: 'After a 401 get another token, once, or fail. Do not go on without the answer.',
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('retry-date', by.reads, untilDate, {
    title: '503 with Retry-After as a date',
    cure: keepWait,
    strikes: 'one',
    ...getsOver,
  }),
  fault('silent', by.reads, rule(silent, broken), {
    title: `no answer comes for ${silenceMs / 1000} s, and then the connection breaks`,
    cure: 'Give each attempt a time limit, and send a read again after it.',
    strikes: 'one',
    takesMs: 2 * silenceMs,
    spoils: true,
    judges: [findPatientForever],
  }),
  fault('link', by.walks, linkAway, {
    title: 'the next page is said to be at another origin',
    cure: 'Follow a Link only to the origin that you asked, and fail otherwise: your token belongs there and nowhere else.',
    judges: [findCutShort],
  }),
  fault('redirect', by.reads, sendAway, {
    title: 'a redirect leads to another origin',
    cure: 'Leave the token behind when a redirect leads to another origin, or follow none at all.',
    strikes: 'oneOfKind',
    ...spoils,
  }),
  fault('small-pages', by.wholeLists, smallPages, {
    title: `pages have ${smallPage} records at most, whatever is asked for`,
    cure: 'Follow the Link to the next page until there is none; the size of a page says nothing.',
    judges: [findUnfinishedList],
  }),
  fault('insertion', by.buildWalks, event(buildInserted), {
    title: 'a build is created between two pages',
    cure: 'Ask for all pages with the same created_to, the moment of the first; or drop records whose id has come.',
    judges: [findRepeated],
  }),
  fault('token-ends', by.givenTokens, tokenEndsTwice, {
    title: 'the token ends on the server before its time',
    cure: 'After a 401 fail, or get another token, once. A list that was not read to its end is not a list.',
    strikes: 'one',
  }),
  fault('login-ends', by.grantedTokens, tokenEndsTwice, {
    title: 'the token of a grant ends on the server before its time, twice',
    cure: 'After a 401 get another token, once, with the newest refresh token or a new assertion; or fail.',
    strikes: 'one',
    judges: [findNotRenewed],
  }),
  fault('unknown', by.buildReads, rule(oddBuild), {
    title: 'an unknown state and an unknown key arrive',
    cure: 'Take states for an open set and ignore keys that you do not know: services grow. A state that you do not know is not a success.',
    control: rule({ patchResponse: { json: { state: 'failed' } } }),
    judges: [findGivenUp],
  }),
  fault(
    'recorded',
    by.buildReads,
    { by: 'setting', settings: { dialect: 'recorded' } },
    {
      title: 'the service speaks as recordings of such services do: nulls, texts, short jobs',
      cure: 'Take only ids, numbers and states for granted. Every other field may be null or absent.',
      judges: [findGivenUp],
    },
  ),
  fault('slow', by.reads, rule(late), {
    title: 'the answer comes 2 s later',
    cure: 'Give an answer more time than 2 s.',
    strikes: 'oneOfKind',
    judges: [findGivenUp],
  }),
]
