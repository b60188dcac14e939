import type { Clock } from './clock.js'
import type { CorsOption } from './http/cors.js'
import type { Ids } from './ids.js'
import type { LogLine } from './log.js'
import { checkPlainOptions, plainOptionNames } from './option-fields.js'
import type { RequestLogOptions } from './request-log/request-log.js'
import type { Settings } from './sandbox/settings.js'
import { readSettings, settingNames } from './sandbox/settings.js'
import type { SeedOption } from './seed/seed.js'
import type { Persistence } from './store/persistence.js'
import type { Lifecycle } from './store/records.js'

/** Caps that keep any input from breaking the server. */
export interface Limits {
  /** Bytes of a body, by what serves the path. */
  readonly restBody: number
  readonly oauthBody: number
  readonly graphqlBody: number
  readonly controlBody: number
  readonly snapshotBody: number
  /** Bytes of the request target. */
  readonly url: number
  readonly queryPairs: number
  /** Bytes of all headers. */
  readonly headers: number
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly connections: number
}

export const defaultLimits: Limits = {
  restBody: 1_048_576,
  oauthBody: 65_536,
  graphqlBody: 262_144,
  controlBody: 8_388_608,
  snapshotBody: 268_435_456,
  url: 8_192,
  queryPairs: 1_000,
  headers: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 75_000,
  connections: 2_000,
}

/** What a server is made of; every setting of the wire may stand here too. */
export interface MockServerOptions extends Partial<Settings> {
  /** Public URLs; by default the listening origin, in process `http://mock.localhost`. */
  readonly baseUrl?: string | undefined
  readonly authUrl?: string | undefined
  readonly webUrl?: string | undefined
  /** What the state starts with; default `empty`. */
  readonly seed?: SeedOption | undefined
  /** Default: the host's time. */
  readonly clock?: Clock | undefined
  /** Default: `seededIds(randomSeed)`. */
  readonly ids?: Ids | undefined
  /** Ids, sample data and the dice of rules follow from it; default 1. */
  readonly randomSeed?: number | string | undefined
  /** Default: lowdb in memory. */
  readonly persistence?: Persistence | undefined
  /** Default: `{ policy: 'manual' }`, nothing moves by itself. */
  readonly lifecycle?: Lifecycle | undefined
  readonly limits?: Partial<Limits> | undefined
  /** At least 16 characters; generated when absent. */
  readonly controlToken?: string | undefined
  /** Host names beyond the server's own under which control and pages may be reached. */
  readonly controlHosts?: readonly string[] | undefined
  /** Admits peers beyond loopback to control and pages. */
  readonly remote?: boolean | undefined
  readonly cors?: CorsOption | undefined
  readonly sandboxes?: { readonly max?: number; readonly idleTtlMs?: number } | undefined
  readonly requestLog?: RequestLogOptions | false | undefined
  /** Replaces the network for key sets by URI. */
  readonly jwksFetch?: typeof fetch | undefined
  /** Values of access tokens by their name in the seed; others are drawn. */
  readonly accessTokens?: Readonly<Record<string, string>> | undefined
  /** Default: nothing is logged. */
  readonly log?: ((line: LogLine) => void) | undefined
  /** How many log lines the logger had to drop, for `GET /_control/info`. */
  readonly droppedLogLines?: (() => number) | undefined
  /** Holds every answer against the contract and refuses unknown properties of requests. */
  readonly strict?: boolean | undefined
}

const urlNames = ['baseUrl', 'authUrl', 'webUrl'] as const
const optionNames: ReadonlySet<string> = new Set([...settingNames, ...urlNames, ...plainOptionNames])

const isPublicUrl = (url: unknown): boolean =>
  typeof url === 'string' && /^https?:\/\/[^?#@\s]+$/i.test(url) && URL.canParse(url)

/** The settings among the options. @throws TypeError for an option that is unknown or unusable */
export function checkOptions(options: MockServerOptions): Settings {
  const unknown = Object.keys(options).filter((name) => !optionNames.has(name))
  if (unknown.length > 0) throw new TypeError(`Unknown option: ${unknown.join(', ')}`)
  for (const name of urlNames) {
    const url = options[name]
    if (url !== undefined && !isPublicUrl(url)) throw new TypeError(`${name} must be an http or https URL`)
  }
  if (options.controlToken !== undefined && options.controlToken.length < 16) {
    throw new TypeError('controlToken must have at least 16 characters')
  }
  if (options.remote === true && options.controlToken === undefined) {
    throw new TypeError('remote needs a controlToken of your own')
  }
  checkPlainOptions(options)
  const given = Object.entries(options).filter(([name, value]) => settingNames.includes(name) && value !== undefined)
  return readSettings(Object.fromEntries(given))
}
