import type { Laboratory } from '../control/prove/examine.js'
import type { Ended } from '../control/prove/verdict.js'
import type { MockServerOptions } from '../sandbox/options.js'
import { MockServerHost, type ReadyInfo } from '../server/mock-server.js'

/** Polls of a device login come each second here. */
const pollGraceMs = 4_100

/** A busy machine is not a fault: the server waits longer for a request than it does otherwise. */
const limits = { headersTimeoutMs: 300_000, requestTimeoutMs: 300_000, idleTimeoutMs: 300_000 }

/** Runs a client beside a server of its own, whose options are made anew for each. */
export function createLaboratory(
  options: () => MockServerOptions,
  client: (server: ReadyInfo, limitMs: number) => Promise<Ended>,
  firstLimitMs: number,
): Laboratory {
  return {
    firstLimitMs,
    async start(examiner, settings) {
      const all = Object.assign({ pollGraceMs, limits }, options(), settings)
      const host = new MockServerHost(all, examiner)
      try {
        const { url } = await host.listen()
        const ready = await host.ready()
        return { url, run: (limitMs) => client(ready, limitMs), close: () => host.close() }
      } catch (error) {
        await host.close()
        throw error
      }
    },
  }
}
