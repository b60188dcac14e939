import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createMockServer, type MockServerOptions, VirtualClock } from '@buildwire/mock-server'
import { afterEach, beforeEach } from 'vitest'
import type { Clock } from '../../../cli/src/io/clock.js'
import { acmeSeed, controlToken } from '../../support/control-client.js'
import { type RunOptions, runCli } from './run-cli.js'

/** The first time of a workshop's clock. */
const WORKSHOP_NOW = Date.parse('2026-11-27T13:02:00.000Z')

export type Workshop = Awaited<ReturnType<typeof openWorkshop>>

/**
 * Turns of the event loop between two steps of the clock, so that work other than requests and
 * waits can finish.
 */
const TURNS = 10
const STEP_MS = 500

/** Counts the open requests of this process. */
function watchRequests() {
  let count = 0
  const start = () => {
    count += 1
  }
  const end = () => {
    count -= 1
  }
  const channels = [
    ['http.client.request.start', start],
    ['http.client.response.finish', end],
    ['http.client.request.error', end],
  ] as const
  for (const [name, listener] of channels) subscribe(name, listener)
  return {
    get underWay() {
      return count > 0
    },
    stop: () => {
      for (const [name, listener] of channels) unsubscribe(name, listener)
    },
  }
}

/** A clock that knows whether a caller waits on it. */
function countingClock(clock: Clock) {
  let waiting = 0
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    async sleep(ms: number, signal?: AbortSignal) {
      waiting += 1
      try {
        await clock.sleep(ms, signal)
      } finally {
        waiting -= 1
      }
    },
    get isWaitedFor() {
      return waiting > 0
    },
  }
}

/**
 * A new {@link openWorkshop} for each test of a file; its fields are set before each test.
 */
export function workshopOfTest(): Workshop {
  const shop = {} as Workshop
  beforeEach(async () => void Object.assign(shop, await openWorkshop()))
  afterEach(() => shop[Symbol.asyncDispose]())
  return shop
}

/** A small server and the program, with one clock that advances while the program waits. */
export async function openWorkshop(options: MockServerOptions = {}) {
  const clock = new VirtualClock({ now: WORKSHOP_NOW })
  const server = createMockServer({ seed: acmeSeed, strict: true, controlToken, clock, ...options })
  await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  const token = accessTokens.admin ?? ''
  /** Names the server, its admin token and the pipeline `acme/web`. */
  const env = {
    BUILDWIRE_BASE_URL: server.baseUrl,
    BUILDWIRE_TOKEN: token,
    BUILDWIRE_ORG: 'acme',
    BUILDWIRE_PIPELINE: 'acme/web',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
  }
  const requests = watchRequests()
  const counting = countingClock(clock)
  // The clock advances only while the program waits on it and has no open request.
  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    let settled = false
    const mark = () => {
      settled = true
    }
    promise.then(mark, mark)
    while (!settled) {
      for (let turn = 0; turn < TURNS && !settled; turn++)
        await new Promise((resolve) => setImmediate(resolve))
      if (!settled && counting.isWaitedFor && !requests.underWay) await clock.advance(STEP_MS)
    }
    return promise
  }
  return {
    clock,
    control: server.control,
    baseUrl: server.baseUrl,
    token,
    env,
    /** Runs a command line to its end, however long it waits. */
    run: (argv: readonly string[], more: RunOptions = {}) =>
      settle(runCli(argv, { clock: counting, ...more, env: { ...env, ...more.env } })),
    /** Advances the clock until a promise settles. */
    settle,
    async [Symbol.asyncDispose]() {
      requests.stop()
      await server.close()
    },
  }
}
