import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  type SeedDocument,
  VirtualClock,
} from '@buildwire/mock-server'
import type { Build, TestRecord } from '@buildwire/sdk/contract'
import { start } from './workshop.js'

const steps = [
  { command: 'make lint', key: 'lint', softFail: true },
  { command: 'make test', key: 'test' },
  { wait: true },
  { command: 'make ship', key: 'ship' },
] as const

const seed: SeedDocument = {
  version: 1,
  users: [
    { email: 'robin@acme.example', name: 'Robin' },
    { email: 'mina@acme.example', name: 'Mina' },
  ],
  organizations: [
    {
      slug: 'acme',
      members: [
        { user: 'robin@acme.example', role: 'admin' },
        { user: 'mina@acme.example', pipelines: { web: 'read', secret: 'none' } },
      ],
      pipelines: [
        { slug: 'web', steps: [...steps] },
        { slug: 'secret', steps: [...steps] },
        {
          slug: 'gated',
          steps: [
            { command: 'a', key: 'a' },
            { block: 'Go?', key: 'go' },
          ],
        },
        { slug: 'picky', branch_configuration: 'main release/* !release/old', steps: [...steps] },
        { slug: 'frozen', allowRebuilds: false, steps: [...steps] },
      ],
      suites: [
        {
          slug: 'unit',
          tests: [
            { scope: 'Cart', name: 'adds', location: 'cart.test.ts:7', labels: ['flaky'] },
            { scope: '', name: 'top' },
          ],
        },
      ],
    },
  ],
  accessTokens: [
    {
      name: 'admin',
      user: 'robin@acme.example',
      scopes: ['read_builds', 'write_builds', 'read_build_logs', 'read_suites', 'write_suites'],
    },
    { name: 'reader', user: 'robin@acme.example', scopes: ['read_builds', 'read_suites'] },
    { name: 'mina', user: 'mina@acme.example', scopes: ['read_builds', 'write_builds', 'read_build_logs'] },
  ],
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by matchers
  readonly json: any
}

export interface Sent {
  readonly body?: unknown
  /** Sent as it is, instead of `body` as JSON. */
  readonly raw?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A server of its own for one test, strict about its own answers, on a clock that stands still. */
export class Service {
  readonly clock = new VirtualClock({ now: start })
  readonly server: MockServer
  #tokens: Readonly<Record<string, string>> = {}

  constructor(options: MockServerOptions = {}) {
    this.server = createMockServer({ seed, clock: this.clock, ...options })
  }

  static async start(options: MockServerOptions = {}): Promise<Service> {
    const service = new Service(options)
    service.#tokens = (await service.server.ready()).accessTokens
    return service
  }

  /** Sends a request; `path` counts from the organization. */
  async send(method: string, path: string, { body, raw, token = 'admin', headers = {} }: Sent = {}): Promise<Reply> {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`${this.server.baseUrl}/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#tokens[token] ?? token}`, ...headers },
      ...(content === undefined ? {} : { body: content }),
    })
    const response = await this.server.fetch(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  builds(method: string, pipeline: string, rest = '', sent: Sent = {}): Promise<Reply> {
    return this.send(method, `organizations/acme/pipelines/${pipeline}/builds${rest}`, sent)
  }

  async create(pipeline = 'web', body: object = {}): Promise<Build> {
    const reply = await this.builds('POST', pipeline, '', { body: { commit: 'HEAD', branch: 'main', ...body } })
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.json
  }

  /** Brings a job to a state by the control API. */
  async job(build: Build, key: string, ...states: readonly string[]): Promise<void> {
    const { json } = await this.builds('GET', build.pipeline?.slug ?? 'web', `/${build.number}`)
    const job = json.jobs.find((one: { step_key: string }) => one.step_key === key)
    for (const state of states) await this.server.control.jobs.transition({ job_id: job.id, state })
  }

  tests(method: string, rest: string, sent: Sent = {}): Promise<Reply> {
    return this.send(method, `analytics/organizations/acme/suites/unit/tests${rest}`, sent)
  }

  async aTest(name = 'adds'): Promise<TestRecord> {
    const { json } = await this.tests('GET', '')
    return json.find((test: TestRecord) => test.name === name)
  }

  close(): Promise<void> {
    return this.server.close()
  }
}
