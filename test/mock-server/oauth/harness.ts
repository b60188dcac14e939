import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  type SeedDocument,
  VirtualClock,
} from '@buildwire/mock-server'
import { expect } from 'vitest'
import type { Persistence } from '../../../mock-server/src/store/persistence.js'
import type { AccessTokenRecord, Collection, Records } from '../../../mock-server/src/store/records.js'
import type { Change } from '../../../mock-server/src/store/store.js'
import { ecKey, type Fields, jwt, rsaKey, type TestKey } from './assertions.js'

export const startedAt = Date.parse('2026-03-01T09:00:00Z')
export const startSeconds = startedAt / 1000

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
export const userEmailType = 'urn:buildwire:params:oauth:token-type:user-email'

/** Keys of the seeded exchange applications, made once per test file. */
export const rsa = rsaKey('rsa-1')
export const ec = ecKey('ec-1')
export const otherKey = ecKey('other-1')

export const confidentialSecret = 'a secret with + and / and : and %'

const everyScope = [
  'read_builds',
  'write_builds',
  'read_build_logs',
  'read_suites',
  'write_suites',
  'read_pipelines',
  'write_pipelines',
  'read_user',
  'read_organizations',
  'graphql',
]

const users = ['robin', 'sam', 'outsider', 'inactive', 'unverified', 'former']

type SeedPipeline = NonNullable<NonNullable<SeedDocument['organizations']>[number]['pipelines']>[number]

const pipeline: SeedPipeline = {
  slug: 'web',
  repository: 'git@git.example:acme/web.git',
  steps: [{ command: 'npm test', key: 'test' }],
  builds: [{ state: 'scheduled', branch: 'main', commit: 'c0ffee' }],
}

/** Organizations, people and applications that every row of the matrix works with. */
export const seed = (): SeedDocument => ({
  version: 1,
  users: users.map((name) => ({
    email: `${name}@acme.example`,
    name,
    active: name !== 'inactive',
    emailVerified: name !== 'unverified',
  })),
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Rockets',
      members: [
        { user: 'robin@acme.example', role: 'admin' },
        { user: 'sam@acme.example' },
        { user: 'inactive@acme.example' },
        { user: 'unverified@acme.example' },
        { user: 'former@acme.example', active: false },
      ],
      pipelines: [pipeline],
      suites: [{ slug: 'unit', name: 'Unit', tests: [{ scope: 'Cart', name: 'adds' }] }],
    },
    {
      slug: 'orbit',
      name: 'Orbit',
      members: [{ user: 'robin@acme.example' }, { user: 'outsider@acme.example' }],
      pipelines: [{ ...pipeline, slug: 'probe' }],
    },
    { slug: 'strict', name: 'Strict', jtiRequired: true, members: [{ user: 'robin@acme.example' }] },
    { slug: 'off', name: 'Off', tokenExchangeEnabled: false, members: [{ user: 'robin@acme.example' }] },
  ],
  applications: [
    { kind: 'device', client_id: 'public', name: 'Terminal', grantableScopes: everyScope },
    { kind: 'device', client_id: 'narrow', name: 'Narrow', grantableScopes: ['read_builds'] },
    { kind: 'device', client_id: 'disabled', name: 'Disabled', enabled: false },
    {
      kind: 'device',
      client_id: 'confidential',
      name: 'Kiosk',
      clientType: 'confidential',
      client_secret: confidentialSecret,
    },
    {
      kind: 'device',
      client_id: 'refreshing',
      name: 'Refreshing',
      accessTokenTtlSeconds: 900,
      refreshTokens: true,
    },
    {
      kind: 'device',
      client_id: 'refreshing-confidential',
      name: 'Refreshing kiosk',
      clientType: 'confidential',
      client_secret: confidentialSecret,
      refreshTokens: true,
    },
    {
      kind: 'token_exchange',
      client_id: 'minter',
      name: 'Minter',
      jwks: { keys: [rsa.jwk, ec.jwk] },
      grantableScopes: everyScope,
      defaultScopes: ['read_builds'],
    },
    {
      kind: 'token_exchange',
      client_id: 'other',
      name: 'Other',
      jwks: { keys: [otherKey.jwk] },
      grantableScopes: ['read_builds', 'read_suites'],
      maximumTokenTtlSeconds: 600,
    },
    {
      kind: 'token_exchange',
      client_id: 'sleeping',
      name: 'Sleeping',
      enabled: false,
      jwks: { keys: [ec.jwk] },
      grantableScopes: ['read_builds'],
    },
  ],
  accessTokens: [
    { name: 'api', user: 'robin@acme.example', scopes: everyScope, organizations: ['acme'], value: 'seeded-api-token' },
  ],
})

/** Keeps what was committed, and fails or waits on demand. */
export class RecordingPersistence implements Persistence {
  readonly committed = new Map<Collection, Map<string, Records[Collection]>>()
  failures = 0
  delay: Promise<void> | undefined

  async *load(): AsyncIterable<never> {}

  async commit(changes: readonly Change[]): Promise<void> {
    await this.delay
    if (this.failures > 0) {
      this.failures -= 1
      throw new Error('no space left on the test device')
    }
    for (const { collection, id, record } of changes) {
      const records = this.committed.get(collection) ?? new Map()
      this.committed.set(collection, records)
      if (record === null) records.delete(id)
      else records.set(id, record)
    }
  }

  async close(): Promise<void> {}

  values<C extends Collection>(collection: C): readonly Records[C][] {
    return [...(this.committed.get(collection)?.values() ?? [])] as Records[C][]
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

export type Form = string | Readonly<Record<string, string | undefined>> | readonly (readonly [string, string])[]

export const encodeForm = (form: Form): string => {
  if (typeof form === 'string') return form
  const pairs = Array.isArray(form) ? form : Object.entries(form).filter(([, value]) => value !== undefined)
  return new URLSearchParams(pairs as [string, string][]).toString()
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly ip?: string | undefined
  readonly method?: string | undefined
}

export const basic = (client_id: string, secret: string): Record<string, string> => {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  return { Authorization: `Basic ${btoa(`${encode(client_id)}:${encode(secret)}`)}` }
}

/** A server of its own per test, on a clock that the test moves. */
export class OAuthServer implements AsyncDisposable {
  readonly server: MockServer
  readonly clock: VirtualClock
  readonly persistence: RecordingPersistence

  constructor(options: Partial<MockServerOptions> = {}) {
    this.clock = new VirtualClock({ now: startedAt })
    this.persistence = new RecordingPersistence()
    this.server = createMockServer({
      seed: seed(),
      clock: this.clock,
      persistence: this.persistence,
      strict: true,
      ...options,
    })
  }

  get now(): number {
    return this.clock.now()
  }

  get seconds(): number {
    return this.clock.now() / 1000
  }

  async call(path: string, init: RequestInit & { duplex?: 'half' } = {}, ip?: string): Promise<Answer> {
    const request = new Request(path.startsWith('http') ? path : `${this.server.baseUrl}${path}`, init)
    const response = await this.server.fetch(request, ip === undefined ? {} : { ip })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : {},
    }
  }

  post(path: string, form: Form, { headers, ip, method = 'POST' }: CallOptions = {}): Promise<Answer> {
    const contentType = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.call(path, { method, headers: { ...contentType, ...headers }, body: encodeForm(form) }, ip)
  }

  token(form: Form, options?: CallOptions): Promise<Answer> {
    return this.post('/oauth/token', form, options)
  }

  device(form: Form, options?: CallOptions): Promise<Answer> {
    return this.post('/oauth/device_authorization', form, options)
  }

  /** Starts a device authorization that must succeed. */
  async start(client_id = 'public', scope = 'read_builds', extra: Readonly<Record<string, string>> = {}) {
    const answer = await this.device({ client_id, scope, ...extra })
    expect(answer.status, answer.text).toBe(200)
    return { device_code: String(answer.body['device_code']), user_code: String(answer.body['user_code']) }
  }

  poll(device_code: string, client_id = 'public', extra: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.token({ grant_type: deviceGrant, client_id, device_code, ...extra })
  }

  approve(user_code: string, user = 'robin@acme.example', org_slug = 'acme'): Promise<Answer> {
    return this.control('POST', `/device-authorizations/${user_code}/approve`, { user, org_slug })
  }

  deny(user_code: string, user = 'robin@acme.example'): Promise<Answer> {
    return this.control('POST', `/device-authorizations/${user_code}/deny`, { user })
  }

  /** A device login from start to tokens. */
  async login(client_id = 'public', scope = 'read_builds', user?: string, org_slug?: string) {
    const secret = client_id.includes('confidential') ? { client_secret: confidentialSecret } : {}
    const { device_code, user_code } = await this.start(client_id, scope, secret)
    expect((await this.approve(user_code, user, org_slug)).status).toBe(200)
    const answer = await this.poll(device_code, client_id, secret)
    expect(answer.status, answer.text).toBe(200)
    return answer.body as { access_token: string; refresh_token: string; scope: string }
  }

  control(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.server.controlToken}`, 'Content-Type': 'application/json' }
    return this.call(`/_control${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }

  async apply(document: Fields): Promise<void> {
    const answer = await this.control('POST', '/apply', document)
    expect(answer.status, answer.text).toBe(200)
  }

  /** A REST call with a bearer token. */
  api(path: string, token: string | undefined, options: { method?: string; ip?: string; body?: unknown } = {}) {
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) }
    return this.call(path, { method: options.method ?? 'GET', headers, ...body }, options.ip)
  }

  get tokenUrl(): string {
    return `${this.server.authUrl}/oauth/token`
  }

  /** Claims that this server accepts now, less what a test changes; undefined leaves a claim out. */
  claims(changes: Fields = {}): Fields {
    const iat = this.seconds
    const jti = crypto.randomUUID()
    return { iss: 'minter', sub: 'minter', aud: this.tokenUrl, iat, exp: iat + 300, jti, ...changes }
  }

  assertion(changes: Fields = {}, key: TestKey = ec, header: Fields = {}): string {
    return jwt({ alg: key.alg, typ: 'JWT', kid: key.kid, ...header }, this.claims(changes), key.privateKey, key.alg)
  }

  exchangeForm(client_assertion: string, changes: Readonly<Record<string, string | undefined>> = {}) {
    return {
      grant_type: exchangeGrant,
      client_assertion_type: jwtBearer,
      client_assertion,
      subject_token: 'robin@acme.example',
      subject_token_type: userEmailType,
      audience: 'acme',
      ...changes,
    }
  }

  exchange(
    client_assertion = this.assertion(),
    changes: Readonly<Record<string, string | undefined>> = {},
    options?: CallOptions,
  ) {
    return this.token(this.exchangeForm(client_assertion, changes), options)
  }

  /** Tokens that were committed, belong to a device or an exchange, and live now. */
  liveTokens(): readonly AccessTokenRecord[] {
    return this.persistence
      .values('accessTokens')
      .filter(
        ({ kind, revokedAt, expiresAt }) =>
          kind !== 'api' && revokedAt === null && (expiresAt === null || this.now < expiresAt),
      )
  }

  expectLive(count: number): void {
    expect(this.liveTokens().length, 'live tokens in the store').toBe(count)
  }

  expectBurnt(count: number): void {
    expect(this.persistence.values('usedAssertions').length, 'burnt jtis').toBe(count)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close()
  }
}

export const startServer = async (options?: Partial<MockServerOptions>): Promise<OAuthServer> => {
  const started = new OAuthServer(options)
  await started.server.ready()
  return started
}

const statuses: Readonly<Record<string, number>> = {
  invalid_client: 401,
  server_error: 503,
  temporarily_unavailable: 429,
}

/** A refusal with these exact words, and everything that each OAuth answer must have. */
export const expectRefusal = (answer: Answer, error: string, description?: string): void => {
  expect({ error: answer.body['error'], text: answer.body['error_description'] }).toEqual({
    error,
    text: description ?? expect.any(String),
  })
  expect(answer.status).toBe(statuses[error] ?? 400)
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
  expect(String(answer.body['error_description'])).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expectOAuthHeaders(answer)
  if (error === 'invalid_client') expect(answer.headers.get('www-authenticate')).toBe('Basic realm="buildwire"')
}

export const expectOAuthHeaders = (answer: Answer): void => {
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('pragma')).toBe('no-cache')
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
}

export const expectBadSignature = (answer: Answer): void =>
  expectRefusal(answer, 'invalid_client', 'Invalid client assertion signature')

export const expectTokens = (answer: Answer, members: Fields = {}): void => {
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toMatchObject({ token_type: 'Bearer', ...members })
  expect(Object.values(answer.body)).not.toContain(null)
  expectOAuthHeaders(answer)
}

/** What of an answer a caller could compare: body and headers, less date and request id. */
export const fingerprint = ({ status, headers, text }: Answer): unknown => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
})

/** All answers of an oracle group are one. */
export const expectIdentical = (answers: readonly Answer[]): void => {
  const [first, ...others] = answers.map(fingerprint)
  for (const other of others) expect(other).toEqual(first)
}
