import { type Choice, choice, hasKey, list, mapOf, object, optional, orNull, required } from '../fields/composites.js'
import { type Field, isPlainObject } from '../fields/field.js'
import { anything, flag, integer, number, oneOf, text } from '../fields/scalars.js'
import type { Action, Matcher, Rule } from './rule.js'

const maxDelayMs = 600_000

const variables = mapOf(text({ max: 1000 }))
const glob = text({ max: 1000 })

const matcher = choice<Matcher>('a value, or an object with glob, contains or present', () => [
  { when: hasKey('glob'), field: object({ glob: required(glob) }) },
  { when: hasKey('contains'), field: object({ contains: required(text({ max: 1000 })) }) },
  { when: hasKey('present'), field: object({ present: required(flag) }) },
  { when: (value) => typeof value === 'string', field: text({ max: 8192 }) },
  { when: (value) => typeof value === 'number', field: number() },
  { when: (value) => typeof value === 'boolean', field: flag },
])
const matchers = mapOf(matcher)

export const matchTable = {
  operation: optional(text({ max: 100 }), undefined, 'An operationId: builds.cancel'),
  method: optional(text({ pattern: /^[A-Z]{1,20}$/, shape: 'a method in capitals' })),
  path: optional(glob, undefined, 'A glob on the path without the sandbox prefix.'),
  query: optional(matchers),
  headers: optional(matchers),
  json: optional(matchers, undefined, 'Keys are dotted paths into the body.'),
  form: optional(matchers),
  org_slug: optional(text({ max: 100 })),
  pipeline_slug: optional(text({ max: 100 })),
  number: optional(integer(1)),
}

const status = integer(200, 599)
const headerName = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, shape: 'a header (RFC 9110 §5.1)' }
const headerValue = text({ max: 8192, pattern: /^[\t\x20-\x7e\x80-\xff]*$/, shape: 'a header value (RFC 9110 §5.5)' })

const answer = object({
  status: required(integer(200, 599)),
  headers: optional(mapOf(headerValue, headerName)),
  json: optional(anything),
  text: optional(text({ max: 1_048_576 })),
  base64: optional(text({ max: 1_400_000, pattern: /^[A-Za-z0-9+/]*={0,2}$/, shape: 'base64' })),
})

const delay = choice<number | { min: number; max: number }>('milliseconds, or an object with min and max', () => [
  { when: (value) => typeof value === 'number', field: integer(0, maxDelayMs) },
  {
    when: isPlainObject,
    field: object({ min: required(integer(0, maxDelayMs)), max: required(integer(0, maxDelayMs)) }),
  },
])

const actions = (): readonly Choice<unknown>[] => [
  { when: hasKey('delayMs'), field: object({ delayMs: required(delay) }) },
  { when: hasKey('advanceClockMs'), field: object({ advanceClockMs: required(integer(0, 3_153_600_000_000)) }) },
  { when: hasKey('respond'), field: object({ respond: required(answer) }) },
  {
    when: hasKey('preset'),
    field: object({
      preset: required(
        oneOf(
          'rateLimited',
          'rateLimitedSeconds',
          'rateLimitedHttpDate',
          'unavailable',
          'badGatewayHtml',
          'truncatedJson',
          'wrongContentType',
          'emptyBody',
        ),
      ),
    }),
  },
  {
    when: hasKey('patchResponse'),
    field: object({
      patchResponse: required(
        object({
          status: optional(status),
          headers: optional(mapOf(orNull(headerValue), headerName)),
          json: optional(mapOf(anything)),
        }),
      ),
    }),
  },
  { when: hasKey('networkError'), field: object({ networkError: required(oneOf('beforeCommit', 'afterCommit')) }) },
  {
    when: hasKey('socket'),
    field: object({
      socket: required(
        oneOf('reset', 'closeEmpty', 'resetMidBody', 'malformedChunk', 'randomBytes', 'stallHeaders', 'dripBody'),
      ),
      commit: optional(flag),
      bytesPerSecond: optional(integer(1, 1_000_000_000)),
    }),
  },
]

const action = choice<unknown>(
  'an action: delayMs, advanceClockMs, respond, preset, patchResponse, networkError or socket',
  actions,
) as Field<Action>

const ruleTable = {
  id: optional(text({ pattern: /^[A-Za-z0-9._:-]{1,100}$/, shape: 'an id: letters, digits, . _ : -' })),
  priority: optional(integer(-1_000_000, 1_000_000), 0),
  match: optional(object(matchTable)),
  when: optional(variables),
  skip: optional(integer(0, 1_000_000_000), 0),
  times: optional(integer(1, 1_000_000_000)),
  probability: optional(number(0, 1), 1),
  actions: required(list(action, { min: 1, max: 20 })),
  // biome-ignore lint/suspicious/noThenProperty: the rule's own word; a map of texts is no thenable
  then: optional(variables),
}

export const ruleField = object(ruleTable) as Field<Rule>
