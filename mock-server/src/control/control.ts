import { timestamp } from '../domain/timestamp.js'
import type { Urls } from '../request/context.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { seedSchema } from '../seed/tables.js'
import { createApply } from './apply-control.js'
import { createBuildsControl } from './builds-control.js'
import { createClockControl } from './clock-control.js'
import { createFaultsControl } from './faults-control.js'
import { type Calls, type ControlHost, callsOf } from './host.js'
import { createHealthControl, createInfoControl } from './info-control.js'
import { createArtifactsControl, createJobLogsControl, createJobsControl } from './jobs-control.js'
import { createRecordsControl } from './records.js'
import { createRequestsControl } from './requests-control.js'
import { createRulesControl } from './rules-control.js'
import { createSandboxesControl } from './sandboxes-control.js'
import { createReset, createSnapshotControl } from './snapshot-control.js'
import { createAccessTokensControl, createDeviceAuthorizationsControl } from './tokens-control.js'

/**
 * @param coming The sandbox, which calls wait for.
 * @param askedAt The server's URLs that it was asked at, where they are not its canonical ones.
 */
export const createControl = (host: ControlHost, coming: () => Promise<Sandbox>, askedAt?: Urls): Control =>
  controlOf(host, callsOf(coming), askedAt)

const controlOf = (host: ControlHost, calls: Calls, askedAt: Urls | undefined) => {
  const isListening = () => host.isListening()
  return {
    health: createHealthControl(host, calls),
    info: createInfoControl(host, calls),
    /** The JSON Schema of seeds and of `apply`. */
    schema: { get: calls.plain(() => seedSchema()) },
    /** At the root only. */
    sandboxes: createSandboxesControl(host, askedAt, calls),
    apply: createApply(isListening, calls),
    records: createRecordsControl(calls),
    accessTokens: createAccessTokensControl(calls),
    deviceAuthorizations: createDeviceAuthorizationsControl(calls),
    /** How many assertions are burnt. */
    usedAssertions: { get: calls.plain(({ store }) => ({ count: store.state.count('usedAssertions') })) },
    /** Fetches of key sets by URI, oldest first, at the time of the sandbox's clock. */
    jwksFetches: {
      list: calls.plain(({ oauth }) =>
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
 * The control API of one sandbox, in process: the same objects as over HTTP, one flat object of path, query and body
 * keys per call. Refusals throw a ControlError.
 *
 * @example
 * await server.control.rules.create({ match: { path: '/oauth/token' }, times: 1, actions: [{ preset: 'unavailable' }] })
 * await server.control.requests.verify({ match: { path: '/oauth/token' }, count: 2 })
 */
export interface Control extends Readonly<ReturnType<typeof controlOf>> {}

export type JwksFetchView = Awaited<ReturnType<Control['jwksFetches']['list']>>[number]
