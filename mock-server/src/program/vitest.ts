import { describe, type TestAPI, test } from 'vitest'
import { systemClock } from '../base/clock.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { examine, recordPlain } from '../control/prove/examine.js'
import { faults } from '../control/prove/faults.js'
import { rowsFor } from '../control/prove/rows.js'
import { usesOf } from '../control/prove/uses.js'
import { type Ended, judgePlain, type Recording, storyOf } from '../control/prove/verdict.js'
import type { MockServerOptions, SandboxOptions } from '../sandbox/options.js'
import {
  createMockServer,
  type MockServer,
  type SandboxHandle,
} from '../server/create-mock-server.js'
import type { ReadyInfo } from '../server/mock-server.js'
import { createLaboratory } from './laboratory.js'

export interface MockServerTestOptions
  extends Pick<SandboxOptions, 'seed' | 'randomSeed' | 'lifecycle' | 'settings'> {
  /** The time of each test's clock at its start; default 2026-03-02T09:00:00Z. */
  readonly now?: number | string | Date | undefined
  /**
   * Whether a test may pass with requests that no route, method or reader accepts, and with rules
   * that were not used up.
   */
  readonly allowUnexpected?: boolean | undefined
  /** Whether the server listens on a port; by default it runs in process. */
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
    sandbox: async ({ mockServer, task }, use) => {
      const clock = new VirtualClock({ now })
      await using sandbox = await mockServer.sandbox({
        clock,
        seed,
        randomSeed,
        lifecycle,
        settings,
      })
      await use(Object.assign(sandbox, { clock }))
      // Hooks of a failed test run later, when the sandbox no longer exists.
      if (task.result?.state === 'fail') await printLastRequests(task.name, sandbox)
      else if (options.allowUnexpected !== true) await failOnLeftovers(sandbox)
    },
  }) as unknown as TestAPI<MockServerFixtures>
}

async function printLastRequests(test: string, { control }: SandboxHandle): Promise<void> {
  const entries = (await control.requests.list()).slice(-shownEntries)
  const lines = entries.map(({ method, path, status, outcome, detail }) => {
    const missing = outcome === 'pending' ? 'not answered yet' : 'no answer'
    return `  ${method} ${path} ${status ?? missing}${detail === null ? '' : ` ${detail}`}`
  })
  process.stderr.write(`Last requests of "${test}":\n${lines.join('\n') || '  none'}\n`)
}

/** @throws Error naming unexpected requests and rules that were not used up. */
async function failOnLeftovers({ control }: SandboxHandle): Promise<void> {
  const unexpected = await control.requests.unexpected()
  const unused = (await control.rules.list()).filter(({ left }) => left !== null && left > 0)
  const complaints = [
    ...unexpected.map(
      ({ method, path, status }) => `unexpected request: ${method} ${path} answered ${status}`,
    ),
    ...unused.map(({ id, left }) => `rule ${id} was not used up: ${left} left`),
  ]
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}

export interface FaultsOptions {
  /** Default: the demo seed. */
  readonly server?: MockServerOptions | undefined
  /**
   * Rows (`after-commit/builds.create`) or faults (`after-commit`) that the client handles in a way
   * that no server sees.
   */
  readonly except?: readonly string[] | undefined
  /** How long a test may take, ms: one run without a fault, or all of one fault; default 120 000. */
  readonly timeoutMs?: number | undefined
}

/**
 * A test for each fault of `ci server prove`, each with servers of its own on a port: `client` runs
 * without a fault, then under it, and the test fails when the server saw harm. A fault that the
 * client cannot meet is skipped.
 *
 * @param client Uses the server once, and throws where a program would fail. The signal ends a run
 * that takes too long.
 * @example
 * describeFaults('starting a build', async ({ baseUrl, accessTokens }) => {
 *   const ci = new CiClient({ baseUrl, auth: accessTokens['admin'] ?? '' })
 *   await ci.builds.create({ org_slug: 'acme', pipeline_slug: 'web', branch: 'main', commit: 'HEAD' })
 * })
 */
export function describeFaults(
  name: string,
  client: (server: ReadyInfo, signal: AbortSignal) => Promise<unknown>,
  { server, except = [], timeoutMs = 120_000 }: FaultsOptions = {},
): void {
  const options = () => Object.assign({ seed: 'demo' as const }, server)
  const lab = createLaboratory(options, asClient(client), timeoutMs)
  let running: Promise<Recording> | undefined
  const base = () => {
    running ??= recordPlain(lab)
    return running
  }
  const isExcepted = (id: string) => except.includes(id)
  describe(name, () => {
    test('works without a fault', { timeout: timeoutMs }, async () => {
      const recorded = await base()
      if (recorded.exit !== 'green') throw new Error(recorded.output ?? recorded.how)
      const plain = judgePlain(recorded)
      if (plain.verdict === 'harmed' && !isExcepted(plain.id)) throw new Error(storyOf(plain))
    })
    const titled = faults.map(
      (fault) => [`${fault.id} (${fault.whom}): ${fault.title}`, fault] as const,
    )
    test.for(titled)('%s', { timeout: timeoutMs }, async ([, fault], { skip }) => {
      const recorded = await base()
      const rows = rowsFor([fault], usesOf(recorded.seen)).filter(
        ({ id }) => !isExcepted(id) && !isExcepted(fault.id),
      )
      if (rows.length === 0) skip('not used')
      const results = await Promise.all(rows.map((row) => examine(lab, row, recorded)))
      const harmed = results.filter(({ verdict }) => verdict === 'harmed')
      if (harmed.length > 0) throw new Error(harmed.map(storyOf).join('\n\n'))
    })
  })
}

function asClient(client: (server: ReadyInfo, signal: AbortSignal) => Promise<unknown>) {
  return async (server: ReadyInfo, limitMs: number): Promise<Ended> => {
    const over = new AbortController()
    const hung: Ended = { exit: 'hung', how: `no end within ${limitMs} ms`, output: null }
    const limit = systemClock.sleep(limitMs, over.signal).then(() => hung)
    const ran = client(server, over.signal).then(
      (): Ended => ({ exit: 'green', how: 'resolved', output: null }),
      (error: unknown): Ended => ({
        exit: 'red',
        how: String(error),
        output: (error as Error | null)?.stack ?? String(error),
      }),
    )
    return Promise.race([ran, limit]).finally(() => over.abort())
  }
}
