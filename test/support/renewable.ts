import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer } from '@buildwire/mock-server'
import { type ChildOptions, type ChildResult, runChild } from '../cli/support/child.js'
import { acmeSeed } from './control-client.js'

/** A server, its own configuration, and logins in it that the next command must renew. */
export interface Renewable extends AsyncDisposable {
  readonly config: string
  readonly baseUrl: string
  readonly token: string
  readonly env: Readonly<Record<string, string>>
  /** The delay of the response with a rotated refresh token, in ms. */
  holdMs: number
  /** Access tokens that the server does not accept any more. */
  readonly refused: Set<string>
  /** Called when the request of a renewal has reached the server. */
  onRenewal: () => void
  /**
   * Writes contexts with new logins whose access token has expired, and removes all other contexts.
   */
  logIn(names: readonly string[]): Promise<void>
  /** Makes the access tokens of all contexts expire. */
  expire(): Promise<void>
  read(name: 'config' | 'credentials'): Promise<Written>
  ci(argv: readonly string[], options?: ChildOptions): Promise<ChildResult>
}

// biome-ignore lint/suspicious/noExplicitAny: a file that a test looks into
type Written = any

export async function openRenewable(): Promise<Renewable> {
  const server = createMockServer({ seed: acmeSeed })
  const { url } = await server.listen({ port: 0 })
  const token = (await server.ready()).accessTokens['admin'] ?? ''
  const slow = createServer((request, response) => {
    void (async () => {
      const body: Buffer[] = []
      for await (const part of request) body.push(part as Buffer)
      const { authorization = '', 'content-type': type = '' } = request.headers
      if (renewable.refused.has(authorization.slice('Bearer '.length))) {
        return void response.writeHead(401).end('{"message":"Authentication required"}')
      }
      const method = request.method ?? 'GET'
      const answer = await fetch(url + request.url, {
        method,
        headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
        ...(body.length > 0 && { body: Buffer.concat(body) }),
      })
      const text = await answer.text()
      if (request.url === '/oauth/token') {
        renewable.onRenewal()
        await new Promise((resolve) => setTimeout(resolve, renewable.holdMs))
      }
      response
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        .end(text)
    })()
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  const config = await mkdtemp(join(tmpdir(), 'ci-renew-'))
  const env = {
    BUILDWIRE_CONFIG_DIR: config,
    BUILDWIRE_ORG: 'acme',
    BUILDWIRE_CREDENTIAL_STORE: 'file',
  }
  const read = async (name: string): Promise<Written> =>
    JSON.parse(await readFile(join(config, `${name}.json`), 'utf8'))
  const write = (name: string, value: object) =>
    writeFile(join(config, `${name}.json`), JSON.stringify(value), { mode: 0o600 })

  const post = async (path: string, form: Record<string, string>): Promise<Written> =>
    (await fetch(url + path, { method: 'POST', body: new URLSearchParams(form) })).json()
  const newLogin = async () => {
    const client_id = 'laptop'
    const { device_code, user_code } = await post('/oauth/device_authorization', {
      client_id,
      scope: 'read_builds',
    })
    await server.control.deviceAuthorizations.approve({
      user_code,
      user: 'robin@acme.example',
      org_slug: 'acme',
    })
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const { access_token, refresh_token } = await post('/oauth/token', {
      grant_type,
      device_code,
      client_id,
    })
    const facts = { origin: baseUrl, authOrigin: baseUrl, scope: 'read_builds', obtainedAt: 1 }
    return { ...facts, access_token, refresh_token, client_id, expiresAt: 1 }
  }
  const renewable: Renewable = {
    config,
    baseUrl,
    token,
    env,
    holdMs: 0,
    refused: new Set(),
    onRenewal: () => undefined,
    async logIn(names) {
      const credentials: Record<string, object> = {}
      for (const name of names) credentials[name] = await newLogin()
      const contexts = Object.fromEntries(
        names.map((name) => [name, { baseUrl, client_id: 'laptop', store: 'file' }]),
      )
      await write('config', { version: 1, current: names[0], contexts })
      await write('credentials', { version: 1, credentials })
    },
    async expire() {
      const file = await read('credentials')
      for (const login of Object.values<Written>(file.credentials)) login.expiresAt = 1
      await write('credentials', file)
    },
    read,
    ci: (argv, options = {}) => runChild(argv, { ...options, env: { ...env, ...options.env } }),
    async [Symbol.asyncDispose]() {
      slow.closeAllConnections()
      slow.close()
      await server.close()
      await rm(config, { recursive: true, force: true })
    },
  }
  return renewable
}
