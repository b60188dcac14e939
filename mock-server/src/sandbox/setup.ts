import type { VirtualClock } from '../base/virtual-clock.js'
import type { Said } from '../fields/merge.js'
import type { Lifecycle } from '../records/records.js'
import type { Authority } from '../request/authority.js'
import type { Redactor } from '../request/log/redact.js'
import type { Examiner } from '../request/overlay.js'
import type { Seed } from '../seed/seed.js'
import type { Settings } from '../seed/settings.js'
import type { MockServerOptions } from './options.js'

type Optional = 'ids' | 'jwksFetch' | 'requestLog' | 'strict' | 'accessTokens'

export interface SandboxSetup extends Pick<Said<MockServerOptions>, Optional> {
  readonly id: string
  readonly seed: Seed
  readonly clock: VirtualClock
  readonly randomSeed: number | string
  readonly lifecycle: Lifecycle
  /** What holds where the state says nothing else. */
  readonly settings: Settings
  /** Asked whenever a URL is made: the origin may be known only once the server listens. */
  readonly authority: () => Authority
  /** One per server: equal secrets look equal in all of its logs. */
  readonly redactor?: Redactor | undefined
  /** Who examines clients at present; each sandbox may get another one. */
  examiner?: Examiner | undefined
}
