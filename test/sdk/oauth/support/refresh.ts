import {
  type CiEvent,
  type OAuthOptions,
  type RefreshStore,
  refreshingTokenProvider,
  type TokenResponse,
} from '@buildwire/sdk'
import { HandClock } from '../../support/hand-clock.js'
import { type Asked, type Reply, refusal, type Step, scripted } from './scripted-transport.js'

/** The answer with login number `number`: tokens for 100 s. */
export const login = (number: number, change: Partial<TokenResponse> = {}): TokenResponse => ({
  access_token: `bwua_access${number}`,
  refresh_token: `refresh-${number}`,
  token_type: 'Bearer',
  expires_in: 100,
  scope: 'read_builds',
  ...change,
})

/** A store as a file would be: values, a lock, and a record of what was done. */
export class SharedStore implements RefreshStore {
  value: TokenResponse | null
  readonly saved: TokenResponse[] = []
  failSave = false
  #tail: Promise<unknown> = Promise.resolve()

  constructor(value: TokenResponse | null = null) {
    this.value = value
  }

  async load(): Promise<TokenResponse | null> {
    return this.value
  }

  async save(tokens: TokenResponse): Promise<void> {
    if (this.failSave) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
    this.saved.push(tokens)
    this.value = tokens
  }

  withLock<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(run)
    this.#tail = result.catch(() => {})
    return result
  }
}

/** A provider of a login that is refreshed as the steps say. */
export function scene(
  steps: readonly Step[],
  options: Partial<OAuthOptions> & { store?: RefreshStore; tokens?: TokenResponse } = {},
) {
  const { store, tokens = login(1), ...rest } = options
  const clock = rest.clock instanceof HandClock ? rest.clock : new HandClock()
  const { transport, asked } = scripted(...steps)
  const events: CiEvent[] = []
  const provider = refreshingTokenProvider(
    { client_id: 'cli', client_secret: 'secret-canary', tokens },
    {
      authUrl: 'https://auth.ci.example',
      transport,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
      ...rest,
      store,
      clock,
    },
  )
  return { provider, asked, clock, events }
}

export const next = (number: number, change: Partial<TokenResponse> = {}): Reply => ({
  json: login(number, change),
})

/** A server that rotates: each refresh token works once. */
export function rotating(): { step: (asked: Asked) => Reply; used: string[] } {
  const used: string[] = []
  let number = 1
  const step = ({ form }: Asked): Reply => {
    const presented = form.get('refresh_token') ?? ''
    if (presented !== `refresh-${number}`) return refusal('invalid_grant', 'Invalid refresh token')
    used.push(presented)
    number++
    return next(number)
  }
  return { step, used }
}
