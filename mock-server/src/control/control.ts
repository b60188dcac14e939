import { version } from '../base/version.js'
import { timestamp } from '../domain/timestamp.js'
import { collections } from '../records/records.js'
import type { Urls } from '../request/exchange.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { seedSchema } from '../seed/tables.js'
import { formatVersion } from '../store/journal-writer.js'
import {
  createArtifactsControl,
  createBuildsControl,
  createJobLogsControl,
  createJobsControl,
} from './builds-control.js'
import { createClockControl, viewClock } from './clock-control.js'
import { createFaultsControl } from './faults-control.js'
import { type Calls, ControlError, type ControlHost, callsOf } from './host.js'
import { createRecordsControl } from './records-control.js'
import { createRequestsControl } from './requests-control.js'
import { createRulesControl } from './rules-control.js'
import { createSandboxesControl } from './sandboxes-control.js'
import { createApply, createReset, createSnapshotControl } from './state-control.js'
import { createAccessTokensControl, createDeviceAuthorizationsControl } from './tokens-control.js'

/**
 * @param coming Returns the sandbox; calls wait for it.
 * @param askedAt The server's URLs at the host name of the request; undefined if canonical.
 */
export function createControl(
  host: ControlHost,
  coming: () => Promise<Sandbox>,
  askedAt?: Urls,
): Control {
  return controlOf(host, callsOf(coming), askedAt)
}

function controlOf(host: ControlHost, calls: Calls, askedAt: Urls | undefined) {
  const isListening = () => host.isListening()
  const { plain } = calls
  return {
    health: {
      live: plain(() => ({ live: true }) as const),
      /** @throws ControlError (503) with `reason` in its details */
      ready: plain(() => {
        const reason = host.notReady()
        if (reason === null) return { ready: true } as const
        throw new ControlError('unavailable', 'The server is not ready', {
          details: { ready: false, reason },
        })
      }),
    },
    info: {
      get: plain(({ store, clock }, { seedName: seed }) => ({
        version,
        startedAt: host.startedAt,
        doors: [...(isListening() ? ['listen'] : []), 'fetch', 'dispatcher', 'msw'],
        limits: host.limits,
        /** Answers of status 500 so far: bugs of this server. */
        internalErrors: host.internalErrors(),
        droppedLogLines: host.droppedLogLines(),
        formatVersion,
        seed,
        clock: viewClock({ clock }),
        store: {
          durable: store.durable,
          readOnly: store.readOnlyReason !== undefined,
          /** Why nothing can be stored; null when it can. */
          reason: store.readOnlyReason?.message ?? null,
          records: Object.fromEntries(
            collections.map((collection) => [collection, store.state.count(collection)]),
          ),
        },
      })),
    },
    /** The JSON Schema of seeds and of `apply`. */
    schema: { get: plain(() => seedSchema()) },
    /** At the root only. */
    sandboxes: createSandboxesControl(host, askedAt, calls),
    apply: createApply(isListening, calls),
    records: createRecordsControl(calls),
    accessTokens: createAccessTokensControl(calls),
    deviceAuthorizations: createDeviceAuthorizationsControl(calls),
    /** The number of used assertions. */
    usedAssertions: { get: plain(({ store }) => ({ count: store.state.count('usedAssertions') })) },
    /** Fetches of key sets by URI, oldest first, at the time of the sandbox's clock. */
    jwksFetches: {
      list: plain(({ oauth }) =>
        oauth.jwks.fetches.map(({ uri, at, outcome }) => ({ uri, at: timestamp(at), outcome })),
      ),
    },
    builds: createBuildsControl(calls),
    jobs: createJobsControl(calls),
    jobLogs: createJobLogsControl(calls),
    artifacts: createArtifactsControl(calls),
    clock: createClockControl(calls),
    rules: createRulesControl(isListening, calls),
    /** The faults of `prove`, one after the other. */
    faults: createFaultsControl(calls),
    requests: createRequestsControl(calls),
    reset: createReset(calls),
    snapshot: createSnapshotControl(calls),
  }
}

/**
 * The control API of one sandbox, in process: the same objects as over HTTP, one flat object of
 * path, query and body keys per call. Refusals throw a ControlError.
 *
 * @example await server.control.rules.create({ match: { path: '/oauth/token' }, times: 1, actions:
 * [{ preset: 'unavailable' }] }) await server.control.requests.verify({ match: { path:
 * '/oauth/token' }, count: 2 })
 */
export interface Control extends Readonly<ReturnType<typeof controlOf>> {}

export type InfoView = Readonly<Awaited<ReturnType<Control['info']['get']>>>
export type JwksFetchView = Awaited<ReturnType<Control['jwksFetches']['list']>>[number]
