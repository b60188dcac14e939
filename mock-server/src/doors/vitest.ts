import { type TestAPI, test } from 'vitest'
import { createMockServer, type MockServer, type SandboxHandle } from '../create-mock-server.js'
import type { MockServerOptions, SandboxOptions } from '../options.js'
import { VirtualClock } from '../virtual-clock.js'

export interface MockServerTestOptions extends Pick<SandboxOptions, 'seed' | 'randomSeed' | 'lifecycle' | 'settings'> {
  /** Where each test's clock stands at its start; default 2026-03-02T09:00:00Z. */
  readonly now?: number | string | Date | undefined
  /** Lets requests pass that no route, method or reader accepts, and rules that were never used up. */
  readonly allowUnexpected?: boolean | undefined
  /** Whether the server listens on a port; in process otherwise. */
  readonly listen?: boolean | undefined
  readonly server?: MockServerOptions | undefined
}

export interface MockServerFixtures {
  /** One server per worker. */
  readonly mockServer: MockServer
  /** One sandbox per test, on a virtual clock of its own. */
  readonly sandbox: SandboxHandle & { readonly clock: VirtualClock }
}

const firstMoment = '2026-03-02T09:00:00Z'
const shownEntries = 20

/**
 * Vitest's `test` with a server per worker and a sandbox per test.
 *
 * @example
 * const test = mockServerTest({ seed: 'demo' })
 * test('a failed token request is sent once more', async ({ sandbox }) => {
 *   await sandbox.control.rules.create({ match: { path: '/oauth/token' }, times: 1, actions: [{ preset: 'unavailable' }] })
 * })
 */
export function mockServerTest(options: MockServerTestOptions = {}): TestAPI<MockServerFixtures> {
  const { seed, randomSeed, lifecycle, settings, now = firstMoment } = options
  return test.extend<MockServerFixtures>({
    mockServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
      async ({}, use) => {
        await using server = createMockServer(options.server)
        if (options.listen === true) await server.listen()
        await server.ready()
        await use(server)
      },
      { scope: 'worker' },
    ],
    sandbox: async ({ mockServer, task, onTestFailed }, use) => {
      const clock = new VirtualClock({ now })
      await using sandbox = await mockServer.sandbox({ clock, seed, randomSeed, lifecycle, settings })
      onTestFailed(async () => {
        const entries = (await sandbox.control.requests.list()).slice(-shownEntries)
        const lines = entries.map(({ method, path, status, outcome, detail }) =>
          [`  ${method} ${path} ${status ?? (outcome === 'pending' ? 'not answered yet' : 'no answer')}`, detail]
            .filter((part) => part !== null)
            .join(' '),
        )
        process.stderr.write(`Last requests of "${task.name}":\n${lines.join('\n')}\n`)
      })
      await use(Object.assign(sandbox, { clock }))
      if (options.allowUnexpected !== true && task.result?.state !== 'fail') await expectNothingLeft(sandbox)
    },
  }) as unknown as TestAPI<MockServerFixtures>
}

/** @throws Error naming unexpected requests and rules that were never used up. */
async function expectNothingLeft({ control }: SandboxHandle): Promise<void> {
  const unexpected = await control.requests.unexpected()
  const unused = (await control.rules.list()).filter(({ left }) => left !== null && left > 0)
  const complaints = [
    ...unexpected.map(({ method, path, status }) => `unexpected request: ${method} ${path} answered ${status}`),
    ...unused.map(({ id, left }) => `rule ${id} was not used up: ${left} left`),
  ]
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}
