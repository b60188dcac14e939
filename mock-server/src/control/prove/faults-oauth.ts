import { type Fault, fault, refused, rule, rules } from './fault.js'
import { findGivenUp } from './judges/endings.js'
import { by } from './uses.js'

const logInAgain =
  'Only authorization_pending and slow_down are worth another poll. Everything else ends this code.'

const commits = { spoils: true, commits: true } as const

export const oauthFaults: readonly Fault[] = [
  fault('slow-down', by.polls, rules(2, refused('slow_down', 'Polling too quickly')), {
    title: 'a poll is answered slow_down, twice',
    cure: 'Add 5 s to the interval for each slow_down, and keep it (RFC 8628 §3.5).',
    takesMs: 25_000,
    judges: [findGivenUp],
  }),
  fault('interval', by.starts, rule({ patchResponse: { json: { interval: 6 } } }), {
    title: 'the interval between polls is 6 s',
    cure: 'Take the interval from the answer that brought the codes.',
    takesMs: 15_000,
    judges: [findGivenUp],
  }),
  fault('denied', by.polls, rule(refused('access_denied', 'The user denied the request')), {
    title: 'the user denies the login',
    cure: logInAgain,
  }),
  fault('expired', by.polls, rule(refused('expired_token', 'The device code has expired')), {
    title: 'the device code expires',
    cure: logInAgain,
  }),
  fault('after-commit', by.polls, rule({ networkError: 'afterCommit' }), {
    title: 'the answer of a poll is lost',
    cure: `A poll may be sent again after the interval. ${logInAgain}`,
    ...commits,
  }),
  fault('after-commit', by.exchanges, rule({ networkError: 'afterCommit' }), {
    title: 'the token is minted and the answer is lost',
    cure: 'Sign a new assertion, with a jti of its own, for each attempt.',
    ...commits,
  }),
  fault('after-commit', by.refreshes, rule({ networkError: 'afterCommit' }), {
    title: 'the refresh token is replaced and the answer is lost',
    cure: 'Do not send a refresh token again whose answer was lost: the second use ends the whole login. Ask for a new one.',
    ...commits,
  }),
  fault('rotated-key', by.exchanges, rules(null, refused('invalid_client', 'invalid signature')), {
    title: 'the key that signs is no longer registered',
    cure: 'A key that is refused stays refused: fail, and say which key it is.',
  }),
  fault('clock-off', by.exchanges, rule({ advanceClockMs: 600_000 }), {
    title: "the server's clock is 10 minutes ahead",
    cure: 'Take the time for iat and exp from the Date of an answer when an assertion is refused for its time, once.',
  }),
]
