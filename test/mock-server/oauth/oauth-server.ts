import { strict as assert } from 'node:assert'
import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  type Records,
  VirtualClock,
} from '@buildwire/mock-server'
import { type Fields, jwt, type TestKey } from './assertions.js'
import { RecordingPersistence } from './recording-persistence.js'
import {
  confidentialSecret,
  deviceGrant,
  ec,
  exchangeGrant,
  jwtBearer,
  seed,
  startedAt,
  userEmailType,
} from './seed.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

export type Form =
  | string
  | Readonly<Record<string, string | undefined>>
  | readonly (readonly [string, string])[]

export const encodeForm = (form: Form): string => {
  if (typeof form === 'string') return form
  const pairs = Array.isArray(form)
    ? form
    : Object.entries(form).filter(([, value]) => value !== undefined)
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

  async call(
    path: string,
    init: RequestInit & { duplex?: 'half' } = {},
    ip?: string,
  ): Promise<Answer> {
    const request = new Request(
      path.startsWith('http') ? path : `${this.server.baseUrl}${path}`,
      init,
    )
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

  post(
    path: string,
    form: Form,
    { headers, ip, method = 'POST' }: CallOptions = {},
  ): Promise<Answer> {
    const contentType = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.call(
      path,
      { method, headers: { ...contentType, ...headers }, body: encodeForm(form) },
      ip,
    )
  }

  token(form: Form, options?: CallOptions): Promise<Answer> {
    return this.post('/oauth/token', form, options)
  }

  device(form: Form, options?: CallOptions): Promise<Answer> {
    return this.post('/oauth/device_authorization', form, options)
  }

  /** Starts a device authorization that must succeed. */
  async start(
    client_id = 'public',
    scope = 'read_builds',
    extra: Readonly<Record<string, string>> = {},
  ) {
    const answer = await this.device({ client_id, scope, ...extra })
    assert.equal(answer.status, 200, answer.text)
    return {
      device_code: String(answer.body['device_code']),
      user_code: String(answer.body['user_code']),
    }
  }

  poll(
    device_code: string,
    client_id = 'public',
    extra: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
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
    assert.equal((await this.approve(user_code, user, org_slug)).status, 200)
    const answer = await this.poll(device_code, client_id, secret)
    assert.equal(answer.status, 200, answer.text)
    return answer.body as { access_token: string; refresh_token: string; scope: string }
  }

  control(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      Authorization: `Bearer ${this.server.controlToken}`,
      'Content-Type': 'application/json',
    }
    return this.call(`/_control${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async apply(document: Fields): Promise<void> {
    const answer = await this.control('POST', '/apply', document)
    assert.equal(answer.status, 200, answer.text)
  }

  /** A REST call with a bearer token. */
  api(
    path: string,
    token: string | undefined,
    options: { method?: string; ip?: string; body?: unknown } = {},
  ) {
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

  /**
   * Claims that this server accepts now, less what a test changes; undefined leaves a claim out.
   */
  claims(changes: Fields = {}): Fields {
    const iat = this.seconds
    const jti = crypto.randomUUID()
    return {
      iss: 'minter',
      sub: 'minter',
      aud: this.tokenUrl,
      iat,
      exp: iat + 300,
      jti,
      ...changes,
    }
  }

  assertion(changes: Fields = {}, key: TestKey = ec, header: Fields = {}): string {
    return jwt(
      { alg: key.alg, typ: 'JWT', kid: key.kid, ...header },
      this.claims(changes),
      key.privateKey,
      key.alg,
    )
  }

  exchangeForm(
    client_assertion: string,
    changes: Readonly<Record<string, string | undefined>> = {},
  ) {
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
  liveTokens(): readonly Records['accessTokens'][] {
    return this.persistence
      .values('accessTokens')
      .filter(
        ({ kind, revokedAt, expiresAt }) =>
          kind !== 'api' && revokedAt === null && (expiresAt === null || this.now < expiresAt),
      )
  }

  expectLive(count: number): void {
    assert.equal(this.liveTokens().length, count, 'live tokens in the store')
  }

  expectBurnt(count: number): void {
    assert.equal(this.persistence.values('usedAssertions').length, count, 'burnt jtis')
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
