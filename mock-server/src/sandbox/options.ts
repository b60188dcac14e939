import type { Clock } from '../base/clock.js'
import type { Ids } from '../base/ids.js'
import type { LogLine } from '../base/log.js'
import type { VirtualClock } from '../base/virtual-clock.js'
import { choice, type InputOf, list, mapOf, object, optional, where } from '../fields/composites.js'
import { checkInput, type Field, isPlainObject, kindOf } from '../fields/field.js'
import { type Merged, merge, type WithoutNullKeys } from '../fields/merge.js'
import { exactly, flag, integer, isText, number, text } from '../fields/scalars.js'
import { type Lifecycle, lifecycle } from '../records/steps.js'
import type { Authority } from '../request/authority.js'
import type { LogRedactor } from '../request/log/redact.js'
import { requestLogField } from '../request/log/request-log.js'
import type { Examiner } from '../request/overlay.js'
import type { Seed, SeedOption } from '../seed/seed.js'
import { readSettings, type Settings, settingNames, settingsField } from '../seed/settings.js'
import type { Persistence } from '../store/persistence.js'

function custom<T>(test: (value: unknown) => boolean, message: string): Field<T> {
  return {
    schema: {},
    is: test,
    check(value, at, report) {
      if (!test(value)) report.issue(at, message)
    },
  }
}

function fn<T>(): Field<T> {
  return custom((value) => typeof value === 'function', 'must be a function')
}

function having<T>(...methods: readonly (keyof T & string)[]): Field<T> {
  return custom(
    (value) => methods.every((name) => typeof Reflect.get(Object(value), name) === 'function'),
    `must have the methods ${methods.join(', ')}`,
  )
}

/** Checks the form of the option only; a document is checked when it is loaded. */
const seed: Field<SeedOption> = {
  schema: {},
  is: (value) =>
    isText(value) ? /^(?:empty|demo|large:[1-9]\d*)$/.test(value) : isPlainObject(value),
  check(value, at, report) {
    if (!seed.is(value))
      report.issue(at, `must be empty, demo, large:N, a document or { file }, not ${kindOf(value)}`)
    else if (isPlainObject(value) && Object.hasOwn(value, 'file'))
      text({ min: 1 }).check(value['file'], at, report)
  },
}

const url = custom<string>(
  (value) =>
    typeof value === 'string' && /^https?:\/\/[^?#@\s]+$/i.test(value) && URL.canParse(value),
  'must be an http or https URL',
)

function isHost(text: string): boolean {
  return /^[^/?#@\\\s]+$/.test(text) && URL.canParse(`http://${text}`)
}

const limitsTable = {
  /** Bytes of a body, by what serves the path. */
  restBody: optional(integer(1), 1_048_576),
  oauthBody: optional(integer(1), 65_536),
  graphqlBody: optional(integer(1), 262_144),
  controlBody: optional(integer(1), 8_388_608),
  snapshotBody: optional(integer(1), 268_435_456),
  /** Bytes of the request target. */
  url: optional(integer(1), 8_192),
  queryPairs: optional(integer(1), 1_000),
  /** Bytes of all headers. */
  headers: optional(integer(1), 16_384),
  headersTimeoutMs: optional(integer(1), 10_000),
  requestTimeoutMs: optional(integer(1), 30_000),
  idleTimeoutMs: optional(integer(1), 75_000),
  connections: optional(integer(1), 2_000),
}

export type Limits = Merged<typeof limitsTable, Record<never, never>>

export function limitsOf({ limits }: MockServerOptions): Limits {
  return merge(limitsTable, limits ?? {}, undefined, {}, 0)
}

const optionsTable = {
  /** Public URLs; by default the listening origin, in process `http://mock.localhost`. */
  baseUrl: optional(url),
  authUrl: optional(url),
  webUrl: optional(url),
  /** What the state starts with; default `empty`. */
  seed: optional(seed),
  /** Default: the host's time. */
  clock: optional(having<Clock>('now', 'monotonic', 'sleep')),
  /** Default: `seededIds(randomSeed)`. */
  ids: optional(having<Ids>('uuid', 'dice', 'secret', 'code')),
  /** Ids, sample data and the dice of rules follow from it; default 1. */
  randomSeed: optional(choice('a number or text', () => [{ field: text() }, { field: number() }])),
  /** Default: lowdb in memory. */
  persistence: optional(having<Persistence>('load', 'commit', 'close')),
  /** Default: `{ policy: 'manual' }`, builds change only by calls. */
  lifecycle: optional(lifecycle),
  limits: optional(object(limitsTable)),
  /** At least 16 characters; generated when absent. */
  controlToken: optional(text({ min: 16 })),
  /**
   * Other hosts of the server, each with a port or on the server's port. Control API and pages
   * answer there too, and URLs in answers have the host of the request.
   */
  allowHosts: optional(
    list(where(text({ min: 1 }), isHost, 'must be a host name, with a port or without')),
  ),
  /** Admits peers beyond loopback to control and pages. */
  remote: optional(flag),
  cors: optional(
    choice('*, a list of origins, or false', () => [
      { when: isText, field: exactly('*') },
      { when: Array.isArray, field: list(text({ min: 1 })) },
      { field: exactly(false) },
    ]),
  ),
  sandboxes: optional(object({ max: optional(integer(0)), idleTtlMs: optional(integer(1)) })),
  requestLog: optional(requestLogField),
  /** Replaces the network for key sets by URI. */
  jwksFetch: optional(fn<typeof fetch>()),
  /** Values of access tokens by their name in the seed; others are drawn. */
  accessTokens: optional(mapOf(text({ min: 1 }))),
  /** Default: nothing is logged. */
  log: optional(fn<(line: LogLine) => void>()),
  /** How many log lines the logger had to drop, for `GET /_control/info`. */
  droppedLogLines: optional(fn<() => number>()),
  /**
   * Checks every answer against the contract, refuses unknown properties of requests, and names
   * unknown query parameters in the request log and in `X-Ignored-Parameters`.
   */
  strict: optional(flag),
}

/** Options of a server. Every setting of the API's behaviour may be given here too. */
export interface MockServerOptions extends Partial<Settings>, InputOf<typeof optionsTable> {}

const optionsField = object(optionsTable, { unknownKeys: 'dropped' })

/** The settings among the options. @throws TypeError for an option that is unknown or unusable */
export function checkOptions(options: MockServerOptions): Settings {
  const unknown = Object.keys(options).filter(
    (name) => !settingNames.includes(name) && !Object.hasOwn(optionsTable, name),
  )
  if (unknown.length > 0) throw new TypeError(`Unknown option: ${unknown.join(', ')}`)
  checkInput(optionsField, options)
  if (options.remote === true && !options.controlToken)
    throw new TypeError('remote needs a controlToken of your own')
  const settings = Object.entries(options).filter(
    ([name, value]) => settingNames.includes(name) && value !== undefined,
  )
  return readSettings(Object.fromEntries(settings))
}

/** The id and the seed are checked where they are used. */
const sandboxTable = {
  /** Default: a new one. Letters, digits, `.`, `_`, `-`. */
  id: optional(text()),
  seed: optionsTable.seed,
  clock: optionsTable.clock,
  randomSeed: optionsTable.randomSeed,
  /** Idle time after which the sandbox is deleted, host ms. */
  ttlMs: optional(integer(1)),
  lifecycle: optionsTable.lifecycle,
  settings: optional(settingsField),
}

const sandboxField = object(sandboxTable)

export interface SandboxOptions extends InputOf<typeof sandboxTable> {}

/** @throws TypeError naming every option of a sandbox that is unknown or unusable */
export function checkSandboxOptions(options: object): void {
  checkInput(sandboxField, options)
}

type OptionalInSetup = 'ids' | 'jwksFetch' | 'requestLog' | 'strict' | 'accessTokens'

export interface SandboxSetup extends Pick<WithoutNullKeys<MockServerOptions>, OptionalInSetup> {
  readonly id: string
  readonly seed: Seed
  readonly clock: VirtualClock
  readonly randomSeed: number | string
  readonly lifecycle: Lifecycle
  /** The settings of the options; the state may hold others. */
  readonly settings: Settings
  /** Called for each URL, because the origin may be unknown until the server listens. */
  readonly authority: () => Authority
  /** One per server, so that equal secrets have equal masks in all of its logs. */
  readonly redactor?: LogRedactor | undefined
  /** The proof that runs in this sandbox. */
  examiner?: Examiner | undefined
}
