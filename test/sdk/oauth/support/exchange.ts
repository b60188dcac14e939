import {
  type AssertionSigner,
  type CiEvent,
  TokenExchange,
  type TokenExchangeOptions,
} from '@buildwire/sdk'
import { HandClock } from '../../support/hand-clock.js'
import { type Asked, type Reply, type Step, scripted } from './scripted-transport.js'

export const subject_token_type = 'urn:buildwire:params:oauth:token-type:user-email'
export const httpDate = (ms: number): string => new Date(ms).toUTCString()
export const ada = { subject_token: 'ada@acme.example', audience: 'acme' }

let counter = 0

/** A valid answer with a token of its own. */
export function minted(change: Record<string, unknown> = {}): Reply {
  return {
    json: {
      access_token: `bwtx_token${++counter}`,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read_builds',
      ...change,
    },
  }
}

export const mint =
  (change: Record<string, unknown> = {}) =>
  (): Reply =>
    minted(change)

/**
 * Signs at once and badly: the scripted servers do not verify, and what follows needs no thread.
 */
export const testSigner: AssertionSigner = {
  alg: 'ES256',
  kid: 'test',
  sign: async () => new Uint8Array(64).fill(7),
}

export type Scene = ReturnType<typeof scene>

/** A TokenExchange whose requests are answered by the steps. */
export function scene(steps: readonly Step[], options: Partial<TokenExchangeOptions> = {}) {
  const clock = options.clock instanceof HandClock ? options.clock : new HandClock()
  const { transport, asked } = scripted(...steps)
  const events: CiEvent[] = []
  const exchange = new TokenExchange(
    { client_id: 'release-bot', subject_token_type },
    {
      authUrl: 'https://auth.ci.example',
      signer: testSigner,
      transport,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
      ...options,
      clock,
    },
  )
  return { exchange, clock, asked, events }
}

/** The claims and the header of the assertion that a request carried. */
export function assertionOf(asked: Asked | undefined): {
  header: Record<string, unknown>
  claims: Record<string, unknown>
} {
  const [header = '', payload = ''] = (asked?.form.get('client_assertion') ?? '').split('.')
  const read = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  return { header: read(header), claims: read(payload) }
}

export const kinds = (events: readonly CiEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'token' ? [event.kind] : []))
