// Generated from sdk/openapi.yaml by `npm run generate`. Edit that file, not this one.

import type {
  AccessTokenInfo,
  Annotation,
  Artifact,
  ArtifactDownload,
  ArtifactPath,
  Build,
  BuildPath,
  CancelBuildParams,
  ChangeLabelsParams,
  CreateAnnotationParams,
  CreateBuildParams,
  DeviceAuthorizationRequest,
  DeviceAuthorizationResponse,
  FindTestParams,
  GetBuildParams,
  GraphqlRequest,
  GraphqlResponse,
  Job,
  JobLog,
  JobPath,
  ListAnnotationsParams,
  ListArtifactsParams,
  ListBuildsParams,
  ListJobArtifactsParams,
  ListOrganizationBuildsParams,
  ListPipelineBuildsParams,
  ListPipelinesParams,
  ListTestsParams,
  Organization,
  OrganizationPath,
  Paging,
  Pipeline,
  PipelinePath,
  RetriedBuild,
  RetryFailedJobsParams,
  TestPath,
  TestRecord,
  TokenRequest,
  TokenResponse,
  UnblockJobParams,
  User,
} from './schemas.gen.js'

/** Names of the operations, which are also the paths of the client's methods. */
export type OperationId =
  | 'builds.list'
  | 'builds.listForOrganization'
  | 'builds.listForPipeline'
  | 'builds.create'
  | 'builds.get'
  | 'builds.cancel'
  | 'builds.rebuild'
  | 'builds.retryFailedJobs'
  | 'tests.list'
  | 'tests.find'
  | 'tests.get'
  | 'tests.changeLabels'
  | 'oauth.deviceAuthorization'
  | 'oauth.token'
  | 'user.get'
  | 'accessToken.get'
  | 'accessToken.revoke'
  | 'organizations.list'
  | 'organizations.get'
  | 'pipelines.list'
  | 'pipelines.get'
  | 'jobs.log'
  | 'jobs.logText'
  | 'jobs.get'
  | 'jobs.retry'
  | 'jobs.unblock'
  | 'annotations.list'
  | 'annotations.create'
  | 'artifacts.list'
  | 'artifacts.listForJob'
  | 'artifacts.download'
  | 'graphql'

/** How a query parameter travels: as it is, as `name[]=…` for a list, or as `name[key]=…` for a map. */
export interface QueryParameter {
  readonly kind: 'string' | 'uuid' | 'integer' | 'boolean' | 'time' | 'array' | 'map'
  readonly default?: string | number | boolean
  /** What a UUID is of. */
  readonly title?: string
  /** The words that a list may hold, where they are known. */
  readonly words?: readonly string[]
  /** Beyond the documented API; a service may ignore it. */
  readonly extension?: true
}

/**
 * What both sides know about an operation: where it is, who may call it, and where each of its
 * params goes.
 */
export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the endpoint's URL, with `{name}` for each path parameter. */
  readonly path: string
  /** Which configured URL the path is appended to. */
  readonly server: 'api' | 'auth' | 'graphql'
  /** Scope that the token must have; null when any live token, or none on `auth`, will do. */
  readonly scope: string | null
  /** Status of a success. */
  readonly status: number
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, QueryParameter>>
  /**
   * Keys of params that form the body; a list under a key of `joined` travels as one string with
   * that separator.
   */
  readonly body: {
    readonly type: 'json' | 'form'
    readonly properties: readonly string[]
    readonly joined: Readonly<Record<string, string>>
  } | null
  /** A `redirect` is a record that says in `url` where `Location` points. */
  readonly result: 'record' | 'page' | 'text' | 'empty' | 'redirect'
  /**
   * The fields without which a success, or an item of a page, is not the record asked for; each is
   * a text or a number.
   */
  readonly identity: readonly string[]
  /**
   * Fields that hold lists of records, when they are there, and the fields that each of those must
   * have.
   */
  readonly nested: Readonly<Record<string, readonly string[]>>
  /**
   * Whether sending it twice does no more than sending it once. This belongs to the operation, not
   * to the method.
   */
  readonly retrySafe: boolean
  /** Beyond the documented API; a service may lack it. */
  readonly extension: boolean
}

/** Params of an operation that takes none. */
export type NoParams = Readonly<Record<string, never>>

/** Each operation's input, one flat object, and its result. */
export interface OperationTypes {
  /** List builds of all organizations. */
  'builds.list': { params: ListBuildsParams; result: Build[] }
  /** List builds of an organization. */
  'builds.listForOrganization': { params: ListOrganizationBuildsParams; result: Build[] }
  /** List builds of a pipeline. */
  'builds.listForPipeline': { params: ListPipelineBuildsParams; result: Build[] }
  /** Create a build. */
  'builds.create': { params: CreateBuildParams; result: Build }
  /** Get a build. */
  'builds.get': { params: GetBuildParams; result: Build }
  /** Cancel a build. */
  'builds.cancel': { params: CancelBuildParams; result: Build }
  /** Rebuild a build. */
  'builds.rebuild': { params: BuildPath; result: Build }
  /** Retry failed jobs. */
  'builds.retryFailedJobs': { params: RetryFailedJobsParams; result: RetriedBuild }
  /** List tests. */
  'tests.list': { params: ListTestsParams; result: TestRecord[] }
  /** Find a test. */
  'tests.find': { params: FindTestParams; result: TestRecord }
  /** Get a test. */
  'tests.get': { params: TestPath; result: TestRecord }
  /** Change labels. */
  'tests.changeLabels': { params: ChangeLabelsParams; result: TestRecord }
  /** Start a device login. */
  'oauth.deviceAuthorization': { params: DeviceAuthorizationRequest; result: DeviceAuthorizationResponse }
  /** Get a token. */
  'oauth.token': { params: TokenRequest; result: TokenResponse }
  /** Get the user. */
  'user.get': { params: NoParams; result: User }
  /** Get the token. */
  'accessToken.get': { params: NoParams; result: AccessTokenInfo }
  /** Revoke the token. */
  'accessToken.revoke': { params: NoParams; result: undefined }
  /** List organizations. */
  'organizations.list': { params: Paging; result: Organization[] }
  /** Get an organization. */
  'organizations.get': { params: OrganizationPath; result: Organization }
  /** List pipelines. */
  'pipelines.list': { params: ListPipelinesParams; result: Pipeline[] }
  /** Get a pipeline. */
  'pipelines.get': { params: PipelinePath; result: Pipeline }
  /** Get a job log. */
  'jobs.log': { params: JobPath; result: JobLog }
  /** Get a job log as text. */
  'jobs.logText': { params: JobPath; result: string }
  /** Get a job. */
  'jobs.get': { params: JobPath; result: Job }
  /** Retry a job. */
  'jobs.retry': { params: JobPath; result: Job }
  /** Unblock a job. */
  'jobs.unblock': { params: UnblockJobParams; result: Job }
  /** List annotations. */
  'annotations.list': { params: ListAnnotationsParams; result: Annotation[] }
  /** Annotate a build. */
  'annotations.create': { params: CreateAnnotationParams; result: Annotation }
  /** List artifacts of a build. */
  'artifacts.list': { params: ListArtifactsParams; result: Artifact[] }
  /** List artifacts of a job. */
  'artifacts.listForJob': { params: ListJobArtifactsParams; result: Artifact[] }
  /** Find the content of an artifact. */
  'artifacts.download': { params: ArtifactPath; result: ArtifactDownload }
  /** Run a GraphQL document. */
  'graphql': { params: GraphqlRequest; result: GraphqlResponse }
}

/** The words of `BuildStateFilter`. */
export const BUILD_STATES = ['creating', 'scheduled', 'running', 'passed', 'failing', 'failed', 'blocked', 'canceling', 'canceled', 'skipped', 'not_run', 'waiting', 'waiting_failed', 'finished'] as const

/** The words of `JobStateFilter`. */
export const JOB_STATES = ['pending', 'waiting', 'waiting_failed', 'blocked', 'blocked_failed', 'unblocked', 'unblocked_failed', 'scheduled', 'assigned', 'accepted', 'running', 'passed', 'failed', 'timed_out', 'timing_out', 'canceled', 'canceling', 'skipped', 'broken', 'expired', 'limited'] as const

/** The words of `RetryState`. */
export const RETRY_STATES = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out'] as const

/** The words of `ArtifactStateFilter`. */
export const ARTIFACT_STATES = ['new', 'error', 'finished', 'deleted', 'expired'] as const

const buildsListQuery = {
  branch: { kind: 'array' },
  commit: { kind: 'array' },
  state: {
    kind: 'array',
    words: BUILD_STATES,
  },
  creator: { kind: 'uuid', title: 'user UUID' },
  created_from: { kind: 'time' },
  created_to: { kind: 'time' },
  finished_from: { kind: 'time' },
  meta_data: { kind: 'map' },
  exclude_jobs: { kind: 'boolean', default: false },
  include_retried_jobs: { kind: 'boolean', default: false },
  include_paused: { kind: 'boolean', default: true },
  page: { kind: 'integer', default: 1 },
  per_page: { kind: 'integer', default: 30 },
} as const

const organizationsListQuery = { page: { kind: 'integer', default: 1 }, per_page: { kind: 'integer', default: 30 } } as const

const artifactsListQuery = {
  path: { kind: 'array', extension: true },
  state: { kind: 'array', words: ARTIFACT_STATES, extension: true },
  page: { kind: 'integer', default: 1 },
  per_page: { kind: 'integer', default: 30 },
} as const

const buildsListIdentity = ['id', 'number', 'state'] as const

const jobsGetIdentity = ['id', 'type'] as const

const buildsListNested = { jobs: ['id', 'type'] } as const

const oauth = {
  'oauth.deviceAuthorization': {
    method: 'POST',
    path: '/oauth/device_authorization',
    server: 'auth',
    query: {},
    body: { type: 'form', properties: ['client_id', 'client_secret', 'scope'] },
    identity: ['device_code'],
    retrySafe: true,
  },
  'oauth.token': {
    method: 'POST',
    path: '/oauth/token',
    server: 'auth',
    query: {},
    body: {
      type: 'form',
      properties: ['grant_type', 'client_id', 'client_secret', 'device_code', 'client_assertion_type', 'client_assertion', 'subject_token', 'subject_token_type', 'audience', 'scope', 'expires_in', 'refresh_token'],
    },
    identity: ['access_token'],
  },
} as const satisfies Readonly<Record<string, OperationRow>>

const api = {
  'builds.list': {
    path: '/v2/builds',
    scope: 'read_builds',
    query: buildsListQuery,
    result: 'page',
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'builds.listForOrganization': {
    path: '/v2/organizations/{org_slug}/builds',
    scope: 'read_builds',
    query: buildsListQuery,
    result: 'page',
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'builds.listForPipeline': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds',
    scope: 'read_builds',
    query: {
      branch: { kind: 'array' },
      commit: { kind: 'array' },
      state: {
        kind: 'array',
        words: BUILD_STATES,
      },
      creator: { kind: 'uuid', title: 'user UUID' },
      created_from: { kind: 'time' },
      created_to: { kind: 'time' },
      finished_from: { kind: 'time' },
      meta_data: { kind: 'map' },
      exclude_jobs: { kind: 'boolean', default: false },
      include_retried_jobs: { kind: 'boolean', default: false },
      include_paused: { kind: 'boolean', default: true },
      exclude_pipeline: { kind: 'boolean', default: false },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    result: 'page',
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'builds.create': {
    method: 'POST',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds',
    scope: 'write_builds',
    status: 201,
    query: {},
    body: {
      properties: ['commit', 'branch', 'author', 'clean_checkout', 'env', 'ignore_pipeline_branch_filters', 'message', 'meta_data', 'pull_request_base_branch', 'pull_request_id', 'pull_request_labels', 'pull_request_repository'],
    },
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'builds.get': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}',
    scope: 'read_builds',
    query: {
      exclude_jobs: { kind: 'boolean', default: false },
      include_retried_jobs: { kind: 'boolean', default: false },
      job_states: {
        kind: 'array',
        words: JOB_STATES,
      },
      include_test_engine: { kind: 'boolean', default: false },
    },
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'builds.cancel': {
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/cancel',
    scope: 'write_builds',
    query: {},
    body: { properties: ['cancel_reason'] },
    identity: buildsListIdentity,
    nested: buildsListNested,
    retrySafe: true,
  },
  'builds.rebuild': {
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/rebuild',
    scope: 'write_builds',
    query: {},
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'builds.retryFailedJobs': {
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/retry_failed_jobs',
    scope: 'write_builds',
    status: 202,
    query: {},
    body: { properties: ['states'], joined: { states: ',' } },
    identity: buildsListIdentity,
    nested: buildsListNested,
  },
  'tests.list': {
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests',
    scope: 'read_suites',
    query: {
      label: { kind: 'array' },
      labels: { kind: 'string', extension: true },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    result: 'page',
    identity: ['id'],
  },
  'tests.find': {
    method: 'POST',
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests/find',
    scope: 'read_suites',
    query: {},
    body: { properties: ['scope', 'name'] },
    identity: ['id'],
    retrySafe: true,
  },
  'tests.get': {
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests/{test_id}',
    scope: 'read_suites',
    query: {},
    identity: ['id'],
  },
  'tests.changeLabels': {
    method: 'PATCH',
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests/{test_id}/labels',
    scope: 'write_suites',
    query: {},
    body: { properties: ['operator', 'labels'] },
    identity: ['id'],
    retrySafe: true,
  },
  'user.get': { path: '/v2/user', scope: 'read_user', query: {}, identity: ['id'], extension: true },
  'accessToken.get': { path: '/v2/access-token', query: {}, identity: ['uuid'], extension: true },
  'accessToken.revoke': { method: 'DELETE', path: '/v2/access-token', status: 204, query: {}, result: 'empty', extension: true },
  'organizations.list': {
    path: '/v2/organizations',
    scope: 'read_organizations',
    query: organizationsListQuery,
    result: 'page',
    identity: ['id'],
    extension: true,
  },
  'organizations.get': { path: '/v2/organizations/{org_slug}', scope: 'read_organizations', query: {}, identity: ['id'], extension: true },
  'pipelines.list': {
    path: '/v2/organizations/{org_slug}/pipelines',
    scope: 'read_pipelines',
    query: {
      name: { kind: 'string' },
      repository: { kind: 'string' },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    result: 'page',
    identity: ['id'],
    extension: true,
  },
  'pipelines.get': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}',
    scope: 'read_pipelines',
    query: {},
    identity: ['id'],
    extension: true,
  },
  'jobs.log': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/log',
    scope: 'read_build_logs',
    query: {},
    identity: ['content'],
    extension: true,
  },
  'jobs.logText': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/log.txt',
    scope: 'read_build_logs',
    query: {},
    result: 'text',
    extension: true,
  },
  'jobs.get': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}',
    scope: 'read_builds',
    query: {},
    identity: jobsGetIdentity,
    extension: true,
  },
  'jobs.retry': {
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/retry',
    scope: 'write_builds',
    query: {},
    identity: jobsGetIdentity,
    retrySafe: true,
    extension: true,
  },
  'jobs.unblock': {
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/unblock',
    scope: 'write_builds',
    query: {},
    body: { properties: ['unblocker', 'fields'] },
    identity: jobsGetIdentity,
    retrySafe: true,
    extension: true,
  },
  'annotations.list': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/annotations',
    scope: 'read_builds',
    query: organizationsListQuery,
    result: 'page',
    identity: ['id'],
    extension: true,
  },
  'annotations.create': {
    method: 'POST',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/annotations',
    scope: 'write_builds',
    status: 201,
    query: {},
    body: { properties: ['body', 'style', 'priority', 'context', 'append'] },
    identity: ['id'],
    extension: true,
  },
  'artifacts.list': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/artifacts',
    scope: 'read_artifacts',
    query: artifactsListQuery,
    result: 'page',
    identity: ['id'],
    extension: true,
  },
  'artifacts.listForJob': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/artifacts',
    scope: 'read_artifacts',
    query: artifactsListQuery,
    result: 'page',
    identity: ['id'],
    extension: true,
  },
  'artifacts.download': {
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/artifacts/{artifact_id}/download',
    scope: 'read_artifacts',
    status: 302,
    query: {},
    result: 'redirect',
    identity: ['url'],
    extension: true,
  },
  graphql: {
    method: 'POST',
    path: '/graphql',
    server: 'graphql',
    scope: 'graphql',
    query: {},
    body: { properties: ['query', 'variables', 'operationName'] },
    extension: true,
  },
} as const satisfies Readonly<Record<string, OperationRow>>

/** A row as it stands here, without what goes without saying. */
interface OperationRow
  extends Partial<Omit<Operation, 'id' | 'path' | 'pathParameters' | 'query' | 'body'>>,
    Pick<Operation, 'path' | 'query'> {
  readonly body?: Partial<NonNullable<Operation['body']>> & Pick<NonNullable<Operation['body']>, 'properties'>
}

function whole(id: string, { method = 'GET', body, ...row }: OperationRow): Operation {
  return {
    id: id as OperationId,
    method,
    server: 'api',
    scope: null,
    status: 200,
    pathParameters: row.path.match(/(?<=\{)\w+/g) ?? [],
    body: body ? { type: 'json', joined: {}, ...body } : null,
    result: 'record',
    identity: [],
    nested: {},
    retrySafe: method === 'GET',
    extension: false,
    ...row,
  }
}

function wholeRows<K extends string>(rows: Readonly<Record<K, OperationRow>>): { readonly [N in K]: Operation } {
  return Object.fromEntries(Object.entries<OperationRow>(rows).map(([id, row]) => [id, whole(id, row)])) as Record<K, Operation>
}

/** The operations of OAuth's endpoints. */
export const oauthOperations = /* @__PURE__ */ wholeRows(oauth)
/** All others. */
export const apiOperations = /* @__PURE__ */ wholeRows(api)
/** The operations of the API, by name. */
export const operations: { readonly [K in OperationId]: Operation } = /* @__PURE__ */ Object.assign({}, apiOperations, oauthOperations)

type Table = typeof api & typeof oauth
type PathName<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathName<Rest> : never

/** The rows of `operations` as they are: for types that must name each parameter. */
export type OperationTable = {
  readonly [K in OperationId]: Omit<Operation, 'pathParameters' | 'query' | 'body'> & {
    readonly pathParameters: readonly PathName<Table[K]['path']>[]
    readonly query: Table[K]['query']
    readonly body: Table[K] extends { readonly body: infer Body } ? Body : null
  }
}
/** Names of an operation's query parameters. */
export type QueryName<Id extends OperationId> = Id extends OperationId
  ? string & keyof OperationTable[Id]['query']
  : never
/** Names of the properties of an operation's body. */
export type BodyName<Id extends OperationId> = Id extends OperationId
  ? OperationTable[Id]['body'] extends { readonly properties: readonly (infer Name)[] }
    ? Name
    : never
  : never

/** Scopes that a token may carry. */
export const SCOPES = ['read_builds', 'write_builds', 'read_build_logs', 'read_artifacts', 'read_suites', 'write_suites', 'read_pipelines', 'write_pipelines', 'read_user', 'read_organizations', 'graphql'] as const
