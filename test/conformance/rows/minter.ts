import { strict as assert } from 'node:assert'
import {
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomUUID,
  sign,
} from 'node:crypto'
import type { Control } from '@buildwire/mock-server'
import {
  type ApiResponse,
  type ExchangeApplication,
  NotApplicable,
  post,
  type Target,
} from '../target.js'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const tokenUrl = (target: Target): string => `${target.authUrl}/oauth/token`
export const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

export type ClaimChanges = Readonly<Record<string, unknown>>

/** An application that signs assertions and requests tokens. */
export interface Minter {
  readonly client_id: string
  /** The time of the server, in seconds. */
  readonly now: number
  /**
   * A signed assertion that is valid except for these changes. A claim that is changed to undefined
   * is left out.
   */
  assertion(claims?: ClaimChanges, header?: ClaimChanges): string
  exchange(
    assertion: string,
    changes?: Readonly<Record<string, string | undefined>>,
  ): Promise<ApiResponse>
}

export type Alg = 'RS256' | 'ES256'

type Keys = KeyPairKeyObjectResult

/**
 * Making keys takes long, and these keys need not be secret: a few of each type are reused by all
 * rows.
 */
const pools: Readonly<
  Record<Alg, { readonly make: () => Keys; readonly made: Keys[]; next: number }>
> = {
  RS256: { make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }), made: [], next: 0 },
  ES256: { make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), made: [], next: 0 },
}

/** A key pair that differs from the three before it. */
export function newKeys(alg: Alg): Keys {
  const pool = pools[alg]
  const at = pool.next++ % 4
  const keys = pool.made[at] ?? pool.make()
  pool.made[at] = keys
  return keys
}

export const signed = (input: string, key: KeyObject): string =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

/**
 * The time of the server's clock. With the clock of the kit, servers would fail for the skew
 * between both clocks.
 */
async function serverNow(target: Target): Promise<number> {
  if (target.control) return Date.parse((await target.control.clock.get()).now) / 1000
  const { headers } = await post(target, tokenUrl(target), { grant_type: 'none' })
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date))
    throw new NotApplicable('the server sends no Date, which assertions go by')
  return date / 1000
}

async function minterOf(
  target: Target,
  application: ExchangeApplication,
  org = target.org,
): Promise<Minter> {
  const { client_id, key, alg, kid, subject_token } = application
  const now = await serverNow(target)
  return {
    client_id,
    now,
    assertion(claims = {}, header = {}) {
      const own = {
        iss: client_id,
        sub: client_id,
        aud: tokenUrl(target),
        iat: now,
        exp: now + 300,
        jti: randomUUID(),
      }
      const input = `${encode({ alg, typ: 'JWT', kid, ...header })}.${encode({ ...own, ...claims })}`
      return `${input}.${signed(input, key)}`
    },
    exchange(client_assertion, changes = {}) {
      const form: Record<string, string | undefined> = {
        grant_type: exchangeGrant,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion,
        subject_token,
        subject_token_type: `urn:${target.vendor}:params:oauth:token-type:user-email`,
        audience: org,
        ...changes,
      }
      const sent = Object.entries(form).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      )
      return post(target, tokenUrl(target), Object.fromEntries(sent))
    },
  }
}

/** The application that the configuration names. */
export function configuredMinter(target: Target): Promise<Minter> {
  const { exchange } = target.applications
  if (exchange === undefined) throw new NotApplicable('no application of the token exchange')
  return minterOf(target, exchange)
}

/** The control API, which is there for rows on the kit's own records. */
export function steered(target: Target): Control {
  assert.ok(target.control, 'this row needs a server that can be steered')
  return target.control
}

/** An application that is registered for one row, with its own key. */
export async function register(
  target: Target,
  client_id: string,
  alg: Alg = 'ES256',
  settings: ClaimChanges = {},
  jwk: ClaimChanges = {},
): Promise<Minter & { readonly key: KeyObject }> {
  const { privateKey: key, publicKey } = newKeys(alg)
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'row', alg, use: 'sig', ...jwk }]
  const application = {
    kind: 'token_exchange' as const,
    client_id,
    name: 'Row',
    jwks: { keys },
    grantableScopes: ['read_builds', 'read_user', 'graphql'],
    defaultScopes: ['read_builds'],
    ...settings,
  }
  const control = steered(target)
  await control.apply({ applications: [application] } as Parameters<Control['apply']>[0])
  const subject = { subject_token: 'robin@acme.example', scope: 'read_builds' }
  return {
    ...(await minterOf(target, { client_id, key, alg, kid: 'row', ...subject }, 'acme')),
    key,
  }
}
