import { type Apply, createApply } from './apply-control.js'
import { type BuildsControl, createBuildsControl } from './builds-control.js'
import { type ClockControl, createClockControl } from './clock-control.js'
import { type ControlHost, guarded } from './host.js'
import {
  createHealthControl,
  createInfoControl,
  createSchemaControl,
  type HealthControl,
  type InfoControl,
  type SchemaControl,
} from './info-control.js'
import { createJobLogsControl, createJobsControl, type JobLogsControl, type JobsControl } from './jobs-control.js'
import { createRecordsControl, type RecordsControl } from './records.js'
import { createRequestsControl, type RequestsControl } from './requests-control.js'
import { createRulesControl, type RulesControl } from './rules-control.js'
import { createSandboxesControl, type SandboxesControl } from './sandboxes-control.js'
import { createReset, createSnapshotControl, type Reset, type SnapshotControl } from './snapshot-control.js'
import {
  type AccessTokensControl,
  createAccessTokensControl,
  createDeviceAuthorizationsControl,
  type DeviceAuthorizationsControl,
} from './tokens-control.js'

interface CountControl {
  get(): Promise<{ readonly count: number }>
}

export interface JwksFetchView {
  readonly uri: string
  /** ISO 8601, sandbox clock. */
  readonly at: string
  readonly outcome: 'ok' | 'failed'
}

/**
 * The control API of one sandbox, in process: the same objects as over HTTP, one flat object of path, query and body
 * keys per call. Refusals throw a ControlError.
 *
 * @example
 * await server.control.rules.create({ match: { path: '/oauth/token' }, times: 1, actions: [{ preset: 'unavailable' }] })
 * await server.control.requests.verify({ match: { path: '/oauth/token' }, count: 2 })
 */
export interface Control {
  readonly health: HealthControl
  readonly info: InfoControl
  readonly schema: SchemaControl
  /** At the root only. */
  readonly sandboxes: SandboxesControl
  readonly apply: Apply
  readonly records: RecordsControl
  readonly accessTokens: AccessTokensControl
  readonly deviceAuthorizations: DeviceAuthorizationsControl
  /** How many assertions are burnt. */
  readonly usedAssertions: CountControl
  /** Fetches of key sets by URI, oldest first. */
  readonly jwksFetches: { list(): Promise<readonly JwksFetchView[]> }
  readonly builds: BuildsControl
  readonly jobs: JobsControl
  readonly jobLogs: JobLogsControl
  readonly clock: ClockControl
  readonly rules: RulesControl
  readonly requests: RequestsControl
  readonly reset: Reset
  readonly snapshot: SnapshotControl
}

export const createControl = (host: ControlHost): Control => {
  const { sandbox } = host
  const ground = () => sandbox.current
  const isListening = () => host.isListening()
  return {
    health: createHealthControl(host),
    info: createInfoControl(host),
    schema: createSchemaControl(),
    sandboxes: createSandboxesControl(host),
    apply: createApply(ground, isListening),
    records: createRecordsControl(ground),
    accessTokens: createAccessTokensControl(ground),
    deviceAuthorizations: createDeviceAuthorizationsControl(ground),
    usedAssertions: { get: () => guarded(() => ({ count: ground().store.state.count('usedAssertions') })) },
    jwksFetches: {
      list: () =>
        guarded(() =>
          ground().oauth.jwks.fetches.map(({ uri, at, outcome }) => ({ uri, at: new Date(at).toISOString(), outcome })),
        ),
    },
    builds: createBuildsControl(ground),
    jobs: createJobsControl(ground),
    jobLogs: createJobLogsControl(ground),
    clock: createClockControl(ground),
    rules: createRulesControl(ground, isListening),
    requests: createRequestsControl(ground, host.hostClock),
    reset: createReset(sandbox),
    snapshot: createSnapshotControl(sandbox),
  }
}
