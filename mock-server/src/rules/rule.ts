import { operations } from '@buildwire/sdk/contract'
import {
  choice,
  type InputOf,
  keyed,
  list,
  mapOf,
  object,
  optional,
  orNull,
  required,
} from '../fields/composites.js'
import { type Accepted, type Field, isPlainObject } from '../fields/field.js'
import { anything, flag, integer, number, oneOf, text } from '../fields/scalars.js'

const maxDelayMs = 600_000

const variables = mapOf(text({ max: 1000 }))
const glob = text({ max: 1000 })

const matcher = choice('a value, or an object with glob, contains or present', () => [
  keyed({ glob: required(glob) }),
  keyed({ contains: required(text({ max: 1000 })) }),
  keyed({ present: required(flag) }),
  { field: text({ max: 8192 }) },
  { field: number() },
  { field: flag },
])
export type Matcher = Accepted<typeof matcher>

const matchers = mapOf(matcher)
export type Matchers = Accepted<typeof matchers>

const matchTable = {
  operation: optional(
    oneOf(...Object.keys(operations)),
    undefined,
    'An operationId: builds.cancel',
  ),
  method: optional(text({ pattern: /^[A-Z]{1,20}$/, shape: 'a method in capitals' })),
  /** `*` stands for any characters. */
  path: optional(glob, undefined, 'A glob on the path without the sandbox prefix.'),
  query: optional(matchers),
  headers: optional(matchers),
  /** Keys are dotted paths into the JSON body: `meta_data.release`, `labels.0`. */
  json: optional(matchers, undefined, 'Keys are dotted paths into the body.'),
  form: optional(matchers),
  org_slug: optional(text({ max: 100 })),
  pipeline_slug: optional(text({ max: 100 })),
  number: optional(integer(1)),
}

/** What a request must look like; every key given must hold. */
export interface Match extends InputOf<typeof matchTable> {}

const loggedMatchTable = {
  ...matchTable,
  status: optional(integer(100, 599)),
  outcome: optional(oneOf('pending', 'answered', 'aborted', 'faulted')),
  /** E-mail address. */
  user: optional(text({ max: 254 })),
  client_id: optional(text({ max: 64 })),
  accessTokenId: optional(text({ max: 64 })),
}

export const loggedMatchField = object(loggedMatchTable)
export interface LoggedMatch extends InputOf<typeof loggedMatchTable> {}

const headerName = {
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/,
  shape: 'a header (RFC 9110 §5.1)',
}

const headerValue = text({
  max: 8192,
  pattern: /^[\t\x20-\x7e\x80-\xff]*$/,
  shape: 'a header value (RFC 9110 §5.5)',
})

const answer = object({
  status: required(integer(200, 599)),
  headers: optional(mapOf(headerValue, headerName)),
  json: optional(anything),
  text: optional(text({ max: 1_048_576 })),
  base64: optional(text({ max: 1_400_000, pattern: /^[A-Za-z0-9+/]*={0,2}$/, shape: 'base64' })),
})
export type CannedAnswer = Accepted<typeof answer>

const patch = object({
  status: optional(integer(200, 599)),
  /** null removes the header. */
  headers: optional(mapOf(orNull(headerValue), headerName)),
  /** A merge patch (RFC 7396). */
  json: optional(mapOf(anything)),
})
export type AnswerPatch = Accepted<typeof patch>

const delay = choice('milliseconds, or an object with min and max', () => [
  { when: (value) => typeof value === 'number', field: integer(0, maxDelayMs) },
  {
    when: isPlainObject,
    field: object({ min: required(integer(0, maxDelayMs)), max: required(integer(0, maxDelayMs)) }),
  },
])

const preset = oneOf(
  'rateLimited',
  'rateLimitedSeconds',
  'rateLimitedHttpDate',
  'unavailable',
  'badGatewayHtml',
  'truncatedJson',
  'wrongContentType',
  'emptyBody',
)
export type Preset = Accepted<typeof preset>

const socket = oneOf(
  'reset',
  'closeEmpty',
  'resetMidBody',
  'malformedChunk',
  'randomBytes',
  'stallHeaders',
  'dripBody',
)
export type SocketFault = Accepted<typeof socket>

const action = choice(
  'an action: delayMs, advanceClockMs, respond, preset, patchResponse, networkError or socket',
  () => [
    keyed({ delayMs: required(delay) }),
    keyed({ advanceClockMs: required(integer(0, 3_153_600_000_000)) }),
    keyed({ respond: required(answer) }),
    keyed({ preset: required(preset) }),
    keyed({ patchResponse: required(patch) }),
    keyed({ networkError: required(oneOf('beforeCommit', 'afterCommit')) }),
    keyed({
      socket: required(socket),
      commit: optional(flag),
      bytesPerSecond: optional(integer(1, 1_000_000_000)),
    }),
  ],
)
export type Action = Accepted<typeof action>

const ruleTable = {
  id: optional(
    text({ pattern: /^[A-Za-z0-9._:-]{1,100}$/, shape: 'an id: letters, digits, . _ : -' }),
  ),
  /** Rules of higher priority are tried first; 0 by default. */
  priority: optional(integer(-1_000_000, 1_000_000), 0),
  match: optional(object(matchTable)),
  /** State variables that must have these values. A variable that was never set is `""`. */
  when: optional(variables),
  /** Matches to let pass before the rule applies. */
  skip: optional(integer(0, 1_000_000_000), 0),
  /** How often the rule applies; without a limit if absent. */
  times: optional(integer(1, 1_000_000_000)),
  /**
   * The probability in [0, 1] that a match applies. The n-th outcome depends only on the random
   * seed and the id of the rule.
   */
  probability: optional(number(0, 1), 1),
  actions: required(list(action, { min: 1, max: 20 })),
  /** State variables to set when the rule applies. */
  // biome-ignore lint/suspicious/noThenProperty: the rule's own word; a map of texts is no thenable
  then: optional(variables),
}

/**
 * Changes the answers of the server. If no rule matches a request, the server answers it.
 *
 * @example const rule: Rule = { match: { operation: 'builds.cancel' }, times: 1, actions: [{
 * preset: 'rateLimited' }] }
 */
export interface Rule extends InputOf<typeof ruleTable> {}

export const ruleField: Field<Rule> = object(ruleTable)
