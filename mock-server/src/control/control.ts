import { systemClock } from '../base/clock.js'
import { once } from '../base/once.js'
import type { Urls } from '../request/context.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { seedSchema } from '../seed/seed-document.js'
import { createApply } from './apply-control.js'
import { createBuildsControl } from './builds-control.js'
import { createClockControl } from './clock-control.js'
import { createFaultsControl } from './faults-control.js'
import { type ControlHost, guarded } from './host.js'
import { createHealthControl, createInfoControl } from './info-control.js'
import { createArtifactsControl, createJobLogsControl, createJobsControl } from './jobs-control.js'
import { createRecordsControl } from './records.js'
import { createRequestsControl } from './requests-control.js'
import { createRulesControl } from './rules-control.js'
import { createSandboxesControl } from './sandboxes-control.js'
import { createReset, createSnapshotControl } from './snapshot-control.js'
import { createAccessTokensControl, createDeviceAuthorizationsControl } from './tokens-control.js'

export interface JwksFetchView {
  readonly uri: string
  /** ISO 8601, sandbox clock. */
  readonly at: string
  readonly outcome: 'ok' | 'failed'
}

const createControl = (sandbox: Sandbox, host: ControlHost, askedAt?: Urls) => {
  const current = () => sandbox.current
  const isListening = () => host.isListening()
  return {
    health: createHealthControl(host),
    info: createInfoControl(sandbox, host),
    /** The JSON Schema of seeds and of `apply`. */
    schema: { get: async () => seedSchema() },
    /** At the root only. */
    sandboxes: createSandboxesControl(() => (sandbox.id === 'main' ? host.sandboxes() : null), askedAt),
    apply: createApply(current, isListening),
    records: createRecordsControl(current),
    accessTokens: createAccessTokensControl(current),
    deviceAuthorizations: createDeviceAuthorizationsControl(current),
    /** How many assertions are burnt. */
    usedAssertions: { get: () => guarded(() => ({ count: current().store.state.count('usedAssertions') })) },
    /** Fetches of key sets by URI, oldest first. */
    jwksFetches: {
      list: () =>
        guarded((): readonly JwksFetchView[] =>
          current().oauth.jwks.fetches.map(({ uri, at, outcome }) => ({
            uri,
            at: new Date(at).toISOString(),
            outcome,
          })),
        ),
    },
    builds: createBuildsControl(current),
    jobs: createJobsControl(current),
    jobLogs: createJobLogsControl(current),
    artifacts: createArtifactsControl(current),
    clock: createClockControl(current),
    rules: createRulesControl(current, isListening),
    /** The faults of `prove`, one after the other. */
    faults: createFaultsControl(sandbox),
    requests: createRequestsControl(current, systemClock),
    reset: createReset(sandbox),
    snapshot: createSnapshotControl(sandbox),
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
export interface Control extends Readonly<ReturnType<typeof createControl>> {}

/** The control API of each sandbox of a server, made when it is first asked for, and anew for URLs that are not canonical. */
export const createControls = (host: ControlHost) => {
  const made = new WeakMap<Sandbox, Control>()
  return (sandbox: Sandbox, askedAt?: Urls): Control =>
    askedAt === undefined
      ? once(made, sandbox, () => createControl(sandbox, host))
      : createControl(sandbox, host, askedAt)
}
