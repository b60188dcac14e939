import type { Authority } from '../http/authority.js'
import type { Ids } from '../ids.js'
import type { Examiner } from '../request/exchange.js'
import type { Redactor } from '../request-log/redact.js'
import type { RequestLogOptions } from '../request-log/request-log.js'
import type { Seed } from '../seed/seed.js'
import type { Lifecycle } from '../store/records.js'
import type { VirtualClock } from '../virtual-clock.js'
import type { Settings } from './settings.js'

export interface SandboxSetup {
  readonly id: string
  readonly seed: Seed
  readonly clock: VirtualClock
  readonly randomSeed: number | string
  /** In place of the ids that follow from `randomSeed`. */
  readonly ids?: Ids | undefined
  readonly lifecycle: Lifecycle
  /** What holds where the state says nothing else. */
  readonly settings: Settings
  /** Asked whenever a URL is made: the origin may be known only once the server listens. */
  readonly authority: () => Authority
  readonly jwksFetch?: typeof fetch | undefined
  readonly requestLog?: RequestLogOptions | undefined
  /** One per server: equal secrets look equal in all of its logs. */
  readonly redactor?: Redactor | undefined
  readonly strict?: boolean | undefined
  /** Values of access tokens by their name in the seed; others are drawn. */
  readonly accessTokens?: Readonly<Record<string, string>> | undefined
  /** Who examines the clients of all sandboxes. */
  readonly examiner?: Examiner | undefined
}
