import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  type SeedDocument,
  VirtualClock,
} from '@buildwire/mock-server'
import type { Build } from '@buildwire/sdk/contract'
import { start } from './workshop.js'

const seed: SeedDocument = {
  version: 1,
  users: [{ email: 'robin@acme.example', name: 'Robin' }],
  organizations: [
    {
      slug: 'acme',
      members: [{ user: 'robin@acme.example', role: 'admin' }],
      pipelines: [
        {
          slug: 'web',
          steps: [{ command: 'a', key: 'a' }, { command: 'b', key: 'b' }, { wait: true }, { command: 'c', key: 'c' }],
        },
        { slug: 'other', steps: [{ command: 'a', key: 'a' }] },
      ],
      suites: [{ slug: 'unit', tests: [{ scope: 'Cart', name: 'adds', labels: ['flaky'] }] }],
    },
  ],
  accessTokens: [
    {
      name: 'admin',
      user: 'robin@acme.example',
      scopes: ['read_builds', 'write_builds', 'read_suites', 'write_suites'],
    },
  ],
}

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by matchers
  readonly json: any
}

export interface Sent {
  readonly body?: unknown
  /** Sent as it is, instead of `body` as JSON. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A server of its own for one test, on a clock that stands still. */
export class Service {
  readonly server: MockServer
  #token = ''

  constructor(options: MockServerOptions) {
    this.server = createMockServer({ seed, clock: new VirtualClock({ now: start }), ...options })
  }

  static async start(options: MockServerOptions = {}): Promise<Service> {
    const service = new Service(options)
    service.#token = (await service.server.ready()).accessTokens['admin'] ?? ''
    return service
  }

  builds(method: string, pipeline: string, rest = '', sent: Sent = {}): Promise<Reply> {
    return this.#send(method, `organizations/acme/pipelines/${pipeline}/builds${rest}`, sent)
  }

  tests(method: string, rest: string, sent: Sent = {}): Promise<Reply> {
    return this.#send(method, `analytics/organizations/acme/suites/unit/tests${rest}`, sent)
  }

  async create(pipeline = 'web'): Promise<Build> {
    return (await this.builds('POST', pipeline, '', { body: { commit: 'HEAD', branch: 'main' } })).json
  }

  close(): Promise<void> {
    return this.server.close()
  }

  async #send(method: string, path: string, { body, raw, headers = {} }: Sent): Promise<Reply> {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`${this.server.baseUrl}/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, ...headers },
      ...(content === undefined ? {} : { body: content }),
    })
    const response = await this.server.fetch(request)
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
}
