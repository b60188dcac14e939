// Generated from sdk/openapi.yaml by `npm run generate`. Edit that file, not this one.

/**
 * A moment as the service wrote it: ISO 8601 (`2026-03-01T09:05:00.120Z`) or, on some records,
 * `2026-03-01 09:05:00 UTC`. It stays text; `parseTimestamp` of the SDK reads both forms.
 */
export type Timestamp = string

/** A UUID, in lower case in answers and compared without case in requests. */
export type Uuid = string

/**
 * Where a build stands. A build that waits on a block step keeps the state it had, and `blocked` is true;
 * so `passed` alone does not mean that the build is over.
 */
export type BuildState =
  | 'creating'
  | 'scheduled'
  | 'running'
  | 'passed'
  | 'failing'
  | 'failed'
  | 'blocked'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'not_run'
  | 'waiting'
  | 'waiting_failed'
  | (string & {})

/**
 * A build state to filter by. A blocked build matches `blocked` and `finished` only, never the state it kept.
 * `finished` stands for passed, failed, canceled or blocked.
 */
export type BuildStateFilter =
  | 'creating'
  | 'scheduled'
  | 'running'
  | 'passed'
  | 'failing'
  | 'failed'
  | 'blocked'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'not_run'
  | 'waiting'
  | 'waiting_failed'
  | 'finished'

/** What started the build. */
export type BuildSource = 'webhook' | 'api' | 'ui' | 'trigger_job' | 'schedule' | (string & {})

/**
 * The kind of job: `script` runs a command on an agent, `waiter` holds back what follows until all before it
 * passed, `manual` waits for a person, `trigger` starts a build of another pipeline.
 */
export type JobType = 'script' | 'waiter' | 'manual' | 'trigger' | (string & {})

/** Where a job stands. */
export type JobState =
  | 'pending'
  | 'waiting'
  | 'waiting_failed'
  | 'blocked'
  | 'blocked_failed'
  | 'unblocked'
  | 'unblocked_failed'
  | 'scheduled'
  | 'assigned'
  | 'accepted'
  | 'running'
  | 'passed'
  | 'failed'
  | 'timed_out'
  | 'timing_out'
  | 'canceled'
  | 'canceling'
  | 'skipped'
  | 'broken'
  | 'expired'
  | 'limited'
  | (string & {})

/** A job state to filter by. */
export type JobStateFilter =
  | 'pending'
  | 'waiting'
  | 'waiting_failed'
  | 'blocked'
  | 'blocked_failed'
  | 'unblocked'
  | 'unblocked_failed'
  | 'scheduled'
  | 'assigned'
  | 'accepted'
  | 'running'
  | 'passed'
  | 'failed'
  | 'timed_out'
  | 'timing_out'
  | 'canceled'
  | 'canceling'
  | 'skipped'
  | 'broken'
  | 'expired'
  | 'limited'

/** Why the agent, and not the command, ended the job. */
export type SignalReason =
  | 'agent_stop'
  | 'cancel'
  | 'process_run_error'
  | 'agent_refused'
  | 'signature_rejected'
  | 'stack_error'
  | 'agent_incompatible'
  | (string & {})

/** Who asked for the retry, a person or program (`manual`) or the step's own retry rule (`automatic`). */
export type RetryType = 'manual' | 'automatic' | (string & {})

/** A kind of failure that can be retried. `failed` means failed for good; a job that failed softly is `soft_failed`. */
export type RetryState = 'canceled' | 'expired' | 'failed' | 'soft_failed' | 'timed_out'

/** Whether labels are added or removed. */
export type LabelOperator = 'add' | 'remove'

/** A person. */
export interface User {
  id: Uuid
  /** Identifier in the GraphQL API. */
  graphql_id?: string
  /** Display name. */
  name?: string
  /** E-mail address. */
  email?: string
  /** URL of the picture. */
  avatar_url?: string
  /** When the account was created. */
  created_at?: Timestamp
}

/** Who a build is attributed to, as given when it was created. */
export interface Author {
  /** Account name; some services send it, the reference server does not. */
  username?: string
  /** Display name. */
  name?: string
  /** E-mail address. */
  email?: string
}

/** The pull request that a build belongs to; an empty object when there is none. */
export interface PullRequest {
  /** Pull request number; text here, although a new build takes an integer. */
  id?: string | number
  /** Branch that the pull request is to be merged into. */
  base?: string | null
  /** Git repository that the pull request comes from. */
  repository?: string | null
  /** Labels of the pull request. */
  labels?: string[]
  /** Whether the pull request is a draft. */
  draft?: boolean
}

/** The build that this one replays. */
export interface RebuiltFrom {
  id: Uuid
  /** Number within the pipeline. */
  number: number
  /** API URL. */
  url: string
}

/** The build whose trigger step started this one. */
export interface TriggeredFrom {
  build_id: Uuid
  /** Number within its own pipeline. */
  build_number: number
  /** Slug of its pipeline. */
  build_pipeline_slug: string
}

/** Test-analytics data of a build. */
export interface TestEngine {
  /** Test runs that the build reported. */
  runs: TestEngineRun[]
}

/** One run of a test suite. */
export interface TestEngineRun {
  id: Uuid
  suite: TestEngineSuite
}

/** The suite that a test run belongs to. */
export interface TestEngineSuite {
  id: Uuid
  /** Slug of the suite. */
  slug: string
}

/**
 * One run of a pipeline.
 *
 * Only `id`, `number` and `state` are sure to be there on every service; the rest is typed as documented,
 * and properties that this type does not know are kept.
 */
export interface Build {
  /** UUID, unique across the service. Paths take `number`. */
  id: Uuid
  /** Identifier in the GraphQL API. */
  graphql_id?: string
  /** API URL of the build. */
  url: string
  /** Page of the build in the web application. */
  web_url: string
  /** Number within the pipeline; increases with each build, gaps are possible. */
  number: number
  state: BuildState
  /** True while the build waits on a block step. */
  blocked?: boolean
  /** Reason given when the build was canceled. */
  cancel_reason?: string | null
  /** Commit message or the message given at creation; null when none was. */
  message: string | null
  /** What is built, as given at creation: a SHA, but also a ref or a tag. */
  commit: string
  /** Git branch. */
  branch: string
  /** Environment variables passed to the build. */
  env: {
    [k: string]: unknown
  }
  source?: BuildSource
  /** The user who created the build; null when none did (a webhook, a schedule). */
  creator?: User | null
  /** Who the build is attributed to; some services send a bare e-mail address. */
  author?: Author | string | null
  /** Jobs in pipeline order, a retry right after the job it replaces. Absent with `exclude_jobs`. */
  jobs?: Job[]
  /** When the build was created; for uploaded steps, when the upload ran. */
  created_at: Timestamp
  /** When the build was created; for uploaded steps, copied from the uploading job. */
  scheduled_at: Timestamp | null
  /** When an agent started the first job. */
  started_at: Timestamp | null
  /**
   * When a failure that nothing can retry first showed, while other jobs were still unfinished.
   * Once set it stays, even if a later retry passes.
   */
  failing_at?: Timestamp | null
  /** When the build finished. A retry clears it again. */
  finished_at: Timestamp | null
  /** Key-value data; some services turn booleans into the strings `true` and `false`. */
  meta_data: {
    [k: string]: string | boolean
  }
  /** The pull request; an empty object, null or absent when there is none. */
  pull_request?: PullRequest | null
  /** The build that this one replays, or null. */
  rebuilt_from?: RebuiltFrom | null
  /** The build whose trigger step started this one, or null. */
  triggered_from?: TriggeredFrom | null
  /** The build's pipeline. Absent with `exclude_pipeline`. */
  pipeline?: Pipeline
  /** Only with `include_test_engine`. */
  test_engine?: TestEngine
}

/** A build whose failed jobs were queued again. */
export type RetriedBuild = Build & {
  /** How many jobs were queued; 0 when none matched. */
  retried_jobs_count?: number
}

/** The step that a script job comes from. */
export interface JobStep {
  id?: Uuid
  /** Signature of the step, if it was signed. */
  signature?: StepSignature | null
}

/** Signature over a step's definition. */
export interface StepSignature {
  /** The signature. */
  value?: string
  /** Signing algorithm. */
  algorithm?: string
  /** Step fields that the signature covers. */
  signed_fields?: string[]
}

/** Priority of a job; a higher number runs earlier. */
export interface JobPriority {
  /** The priority; 0 unless the step says otherwise. */
  number: number
}

/** The job that this one is a retry of. */
export interface RetrySource {
  job_id: Uuid
  retry_type?: RetryType
}

/** The build that a trigger job started. */
export interface TriggeredBuild {
  id: Uuid
  /** Number within its own pipeline. */
  number: number
  /** API URL. */
  url: string
  /** Page in the web application. */
  web_url: string
}

/**
 * One unit of work of a build. Which properties a job has depends on its `type`; a waiter may be no more
 * than `id` and `type`. To name a job for a person, use `name ?? label ?? step_key ?? type`.
 */
export interface Job {
  id: Uuid
  /** Identifier in the GraphQL API. */
  graphql_id?: string
  type: JobType
  /** Display name; may contain emoji. */
  name?: string | null
  /** Display name of a manual job. */
  label?: string | null
  /** Key of the step, if it has one. */
  step_key?: string | null
  /** Key of the group step that the job belongs to. */
  group_key?: string | null
  /** Script jobs. The step that the job comes from. */
  step?: JobStep | null
  /** Script jobs. Priority, as an object or a bare number. */
  priority?: JobPriority | number | null
  /** Script jobs. Rules that choose the agent, such as `queue=deploy`. */
  agent_query_rules?: string[] | null
  state?: JobState
  /** Page of the build in the web application; some services send an API URL. */
  build_url?: string
  /** Page of the job in the web application. */
  web_url?: string | null
  /** Script jobs. API URL of the log. */
  log_url?: string
  /** Script jobs. API URL of the log as plain text. */
  raw_log_url?: string
  /** Script jobs. API URL of the artifacts; read `artifacts_url ?? artifact_url`. */
  artifact_url?: string
  /** Script jobs. API URL of the artifacts, under its other name. */
  artifacts_url?: string
  /** Script jobs. What the agent runs. */
  command?: string | null
  /** Script jobs. True when the job failed and its step allows that. */
  soft_failed?: boolean
  /** Script jobs. Exit code; null until finished, -1 when the process never reported one. */
  exit_status?: number | null
  /** Script jobs. Signal that ended the process, such as `SIGTERM`. */
  signal?: string | null
  /** Script jobs. Why the agent ended the job; null when the command ended by itself. */
  signal_reason?: SignalReason | null
  /** Script jobs. Exit code that the running job announced; absent when it announced none. */
  promised_exit_status?: number | null
  /** Script jobs. When the job announced its failure; compare with `finished_at`. */
  promised_exit_status_at?: Timestamp | null
  /** Script jobs. Glob patterns of files to upload. */
  artifact_paths?: string | null
  /** Script jobs. The agent that has the job, once one has. */
  agent?: Agent | null
  /** When the job was added to the build. */
  created_at?: Timestamp
  /** When the scheduler took it up. A job added later inherits the build's `created_at`, so this may precede its own. */
  scheduled_at?: Timestamp | null
  /** Since when an agent could take it. */
  runnable_at?: Timestamp | null
  /** When an agent started it. */
  started_at?: Timestamp | null
  /** When it was marked finished. */
  finished_at?: Timestamp | null
  /** When it expired unstarted; some services send it, the reference server does not. */
  expired_at?: Timestamp | null
  /** Script jobs. True when a later job replaces this one. */
  retried?: boolean
  /** Script jobs. The job that replaces this one. */
  retried_in_job_id?: Uuid | null
  /** Script jobs. How many tries came before, null for the first. */
  retries_count?: number | null
  /** Script jobs. The job that this one retries. */
  retry_source?: RetrySource | null
  /** Script jobs. On a retried job, who asked for the retry. */
  retry_type?: RetryType | null
  /** Script jobs. Place among parallel copies of the step, from 0. */
  parallel_group_index?: number | null
  /** Script jobs. Number of parallel copies of the step. */
  parallel_group_total?: number | null
  /** Script jobs. Matrix values of this job, or null. */
  matrix?: {
    [k: string]: unknown
  }
  /** Script jobs. Cluster that the job runs in. */
  cluster_id?: string | null
  /** Script jobs. API URL of the cluster. */
  cluster_url?: string | null
  /** Script jobs. Queue that the job waits in. */
  cluster_queue_id?: string | null
  /** Script jobs. API URL of the queue. */
  cluster_queue_url?: string | null
  /** Trigger jobs. Whether the build goes on without waiting for the triggered one. */
  async?: boolean
  /** Trigger jobs. The build it started, null until then. */
  triggered_build?: TriggeredBuild | null
  /** Manual jobs. Who unblocked it. */
  unblocked_by?: User | null
  /** Manual jobs. When it was unblocked. */
  unblocked_at?: Timestamp | null
  /** Manual jobs. Whether it can be unblocked now. */
  unblockable?: boolean
  /** Manual jobs. API URL that unblocks it, where a service has one. */
  unblock_url?: string | null
}

/** The machine that runs a job. Lists of builds carry the short form, `id`, `url` and `name`. */
export interface Agent {
  id: Uuid
  /** Identifier in the GraphQL API. */
  graphql_id?: string
  /** API URL of the agent. */
  url?: string
  /** Page of the agent in the web application. */
  web_url?: string
  /** Display name. */
  name?: string
  /** Whether the agent is connected, such as `connected` or `lost`. */
  connection_state?: string
  /** Name of the machine. */
  hostname?: string
  /** Address that the agent connected from. */
  ip_address?: string | null
  /** Software and version of the agent. */
  user_agent?: string
  /** Who registered the agent, if known. */
  creator?: User | null
  /** When the agent was registered. */
  created_at?: Timestamp
}

/** A pipeline, with live counters of what waits and runs in it. */
export interface Pipeline {
  id: Uuid
  /** Identifier in the GraphQL API. */
  graphql_id: string
  /** API URL of the pipeline. */
  url: string
  /** Page of the pipeline in the web application. */
  web_url?: string | null
  /** Display name. */
  name: string
  /** Name in URLs and paths. */
  slug: string
  /** Where the code is. */
  repository: string
  /** Branches that are built: patterns separated by blanks, `*` for any text, a leading `!` excludes. */
  branch_configuration?: string | null
  /** Branch shown first. */
  default_branch?: string | null
  /** The source-control service behind the repository. */
  provider: Provider | null
  /** Whether a new build skips builds of its branch that have not started. */
  skip_queued_branch_builds: boolean
  /** Branch pattern that limits this. */
  skip_queued_branch_builds_filter?: string | null
  /** Whether a new build cancels running builds of its branch. */
  cancel_running_branch_builds: boolean
  /** Branch pattern that limits this. */
  cancel_running_branch_builds_filter?: string | null
  /** API URL of the pipeline's builds. */
  builds_url: string
  /** URL of the state badge. */
  badge_url?: string | null
  /** When the pipeline was created. */
  created_at: Timestamp
  /** Builds that are scheduled now. */
  scheduled_builds_count?: number
  /** Builds that are running, failing or canceling now. */
  running_builds_count?: number
  /** Jobs that are scheduled now. */
  scheduled_jobs_count?: number
  /** Jobs that an agent has now. */
  running_jobs_count?: number
  /** Jobs that wait for others or for a free slot now. */
  waiting_jobs_count?: number
}

/** The source-control service behind a pipeline's repository. */
export interface Provider {
  /** Name of the service, such as `github`. */
  id: string
  /** Where the service reports pushes. Empty unless the user may edit the pipeline and the token has `write_pipelines`. */
  webhook_url?: string
  /** Only in some answers. */
  settings?: ProviderSettings
}

/** What starts builds of a pipeline, and what is reported back. */
export interface ProviderSettings {
  /** Which events start builds, such as `code`. */
  trigger_mode?: string
  /** Whether pull requests are built. */
  build_pull_requests?: boolean
  /** Whether a branch filter applies to pull requests. */
  pull_request_branch_filter_enabled?: boolean
  /** Whether a pull request's build is skipped when its commit was built already. */
  skip_pull_request_builds_for_existing_commits?: boolean
  /** Whether pull requests from forks are built. */
  build_pull_request_forks?: boolean
  /** Whether branches of forks carry the fork's name as a prefix. */
  prefix_pull_request_fork_branch_names?: boolean
  /** Whether tags are built. */
  build_tags?: boolean
  /** Whether the build's state is reported on its commit. */
  publish_commit_status?: boolean
  /** Whether each step is reported by itself. */
  publish_commit_status_per_step?: boolean
  /** Whether a blocked build is reported as pending. */
  publish_blocked_as_pending?: boolean
  /** Repository as the service names it. */
  repository?: string
}

/** A test of a suite. */
export interface TestRecord {
  id: Uuid
  /** API URL of the test. */
  url: string
  /** Page of the test in the web application. */
  web_url: string
  /** What groups the test, such as its class or `describe` block; may be empty. */
  scope: string | null
  /** Name within the scope. */
  name: string
  /** File and line, such as `spec/user_spec.rb:12`. */
  location?: string | null
  /** File. */
  file_name?: string | null
  /** Labels; sure to be there only in the answer of a label change. */
  labels?: string[]
}

/** An organization. */
export interface Organization {
  id: Uuid
  /** Identifier in the GraphQL API. */
  graphql_id: string
  /** API URL of the organization. */
  url: string
  /** Page of the organization in the web application. */
  web_url: string
  /** Display name. */
  name: string
  /** Name in URLs and paths. */
  slug: string
  /** API URL of its pipelines. */
  pipelines_url: string
  /** When the organization was created. */
  created_at: Timestamp
}

/** How an annotation is coloured. */
export type AnnotationStyle = 'success' | 'info' | 'warning' | 'error' | (string & {})

/** Whether an annotation belongs to the whole build or to one of its jobs. */
export type AnnotationScope = 'build' | 'job' | (string & {})

/** A note on a build, made by a job or a program for the people who read the build. */
export interface Annotation {
  id: Uuid
  /** Its name within the build; one annotation has it. */
  context?: string | null
  /** How it is coloured. */
  style?: AnnotationStyle | null
  scope?: AnnotationScope
  /** 1 to 10; a higher one stands first. */
  priority?: number
  /** The text as HTML. Clean it before you show it. */
  body_html?: string | null
  created_at?: Timestamp
  /** When its text changed last. */
  updated_at?: Timestamp | null
}

/** Where an artifact stands; only a `finished` one can be downloaded. */
export type ArtifactState = 'new' | 'error' | 'finished' | 'deleted' | 'expired' | (string & {})

/** An artifact state to filter by. */
export type ArtifactStateFilter = 'new' | 'error' | 'finished' | 'deleted' | 'expired'

/** A file that a job left behind. */
export interface Artifact {
  id: Uuid
  job_id?: Uuid
  /** API URL of the artifact. */
  url?: string
  /** API URL that leads to its content. */
  download_url?: string
  state?: ArtifactState
  /** Where the job had it, relative to its directory. Foreign text: never write to it unchecked. */
  path?: string
  /** Directory part of `path`; `.` when there is none. */
  dirname?: string
  /** Last part of `path`. */
  filename?: string
  /** Media type of the content. */
  mime_type?: string | null
  /** Size in bytes. */
  file_size?: number | null
  /** The pattern that found it, where a service tells. */
  glob_path?: string | null
  /** Its absolute path on the agent, where a service tells. */
  original_path?: string | null
  /** SHA-1 of the content, in hexadecimal digits. */
  sha1sum?: string | null
}

/** Where the content of an artifact can be fetched for a short time, without a token. */
export interface ArtifactDownload {
  /** The URL; it holds for a minute. */
  url: string
}

/** The token that a call was made with; never its secret. */
export interface AccessTokenInfo {
  uuid: Uuid
  /** Scopes that the token carries. */
  scopes: string[]
  /** What the token is for. */
  description?: string | null
  /** When it was issued, as `2026-03-01 09:05:00 UTC`. */
  created_at?: string
  /** When it ends, in the same form; null when it does not. */
  expires_at?: string | null
  user?: AccessTokenUser
}

/** The person a token acts for. */
export interface AccessTokenUser {
  /** Display name. */
  name?: string
  /** E-mail address. */
  email?: string
}

/** A job's log, terminal control sequences included. */
export interface JobLog {
  /** API URL of the log. */
  url: string
  /** The text so far; empty before the job starts. */
  content: string
  /** Bytes of the text in UTF-8. */
  size: number
  /** Nanoseconds since 1970 of each section header. They exceed 2^53, so they are rounded: for display only. */
  header_times?: number[]
}

/** The pair of codes that starts a device login (RFC 8628 §3.2). */
export interface DeviceAuthorizationResponse {
  /** Secret that the device polls with. Never shown to a person. */
  device_code: string
  /** What the person types in, such as `WDJB-MJHT`. */
  user_code: string
  /** Page where the person types it in. */
  verification_uri: string
  /** The same page with the code filled in. */
  verification_uri_complete?: string
  /** Seconds until both codes expire. */
  expires_in: number
  /** Seconds to leave between two polls; 5 when absent. */
  interval?: number
}

/** A token, as the token endpoint issues it. */
export interface TokenResponse {
  /** The bearer token. */
  access_token: string
  /** `Bearer`. */
  token_type: 'Bearer' | (string & {})
  /** Seconds until it expires; absent when the application sets no expiry. */
  expires_in?: number
  /** Device login only and only for applications with refresh tokens. Good for one use. */
  refresh_token?: string
  /** Granted scopes, separated by blanks. */
  scope?: string
  /** Token exchange only. */
  issued_token_type?: 'urn:ietf:params:oauth:token-type:access_token' | (string & {})
}

/** Asks for a pair of codes (RFC 8628 §3.1). */
export interface DeviceAuthorizationRequest {
  /** Client ID of the application. */
  client_id: string
  /** Required for confidential clients; public clients have none. */
  client_secret?: string | undefined
  /** Scopes, separated by blanks; at least one. */
  scope: string
}

/** Polls for the outcome of a device login (RFC 8628 §3.4). */
export interface DeviceTokenRequest {
  /** The device grant. */
  grant_type: 'urn:ietf:params:oauth:grant-type:device_code'
  /** Client ID of the application. */
  client_id: string
  /** Required for confidential clients. */
  client_secret?: string | undefined
  /** The secret from the device authorization response. */
  device_code: string
}

/** Trades a signed assertion for a token that acts as a user (RFC 8693 §2.1, RFC 7523 §2.2). */
export interface TokenExchangeRequest {
  /** Token exchange. */
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange'
  /** The assertion is a JWT. */
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  /** JWT signed by the application, RS256 or ES256. */
  client_assertion: string
  /** E-mail address of the user to act as. */
  subject_token: string
  /** Says that the subject is an e-mail address: `urn:<vendor>:params:oauth:token-type:user-email`. */
  subject_token_type: string
  /** Slug of the organization that the token shall work in. */
  audience: string
  /** Scopes, separated by blanks; the application's default scopes when absent. */
  scope?: string | undefined
  /** Seconds that the token shall live; capped by the application's maximum. */
  expires_in?: number | undefined
}

/** Trades a refresh token for a new pair of tokens (RFC 6749 §6). */
export interface RefreshTokenRequest {
  /** The refresh grant. */
  grant_type: 'refresh_token'
  /** Client ID of the application. */
  client_id: string
  /** Required for confidential clients. */
  client_secret?: string | undefined
  /** The refresh token; it is dead afterwards. */
  refresh_token: string
  /** A subset of the granted scopes, separated by blanks. */
  scope?: string | undefined
}

/** A request to the token endpoint, by grant. */
export type TokenRequest = DeviceTokenRequest | TokenExchangeRequest | RefreshTokenRequest

/** Who to attribute the build to; the requesting user when empty. */
export interface CreateBuildAuthor {
  /** Display name. */
  name?: string | undefined
  /** E-mail address. */
  email?: string | undefined
}

/** A new build. */
export interface CreateBuildBody {
  /** What to build: a ref, a SHA or a tag. A tag needs agents that fetch tags. */
  commit: string
  /** Branch that the commit belongs to, so that branch filters of pipeline and steps apply. */
  branch: string
  author?: CreateBuildAuthor | undefined
  /**
   * Have the agent remove the build directory and check out afresh.
   * @default false
   */
  clean_checkout?: boolean | undefined
  /** Environment variables; numbers and booleans become text. */
  env?: Readonly<Record<string, string | number | boolean>> | undefined
  /**
   * Build even a branch that the pipeline excludes. Step branch filters still apply.
   * @default false
   */
  ignore_pipeline_branch_filters?: boolean | undefined
  /** Message of the build. */
  message?: string | undefined
  /** Key-value data; numbers become text. */
  meta_data?: Readonly<Record<string, string | boolean | number>> | undefined
  /** Branch that the pull request is to be merged into. */
  pull_request_base_branch?: string | undefined
  /** Pull request number. */
  pull_request_id?: number | undefined
  /** Labels of the pull request. */
  pull_request_labels?: readonly string[] | undefined
  /** Git repository that the pull request comes from. */
  pull_request_repository?: string | undefined
}

/** Why the build is canceled. */
export interface CancelBuildBody {
  /** Shown as the build's `cancel_reason`. Services without this extension ignore it. */
  cancel_reason?: string | undefined
}

/** Who lets the job go on, and what they answered. */
export interface UnblockJobBody {
  /** User that lets it go on; the caller by default. */
  unblocker?: string | undefined
  /** Answers to the fields of the step. No step of the reference server asks for any, and it keeps none. */
  fields?: Readonly<Record<string, string | readonly string[]>> | undefined
}

/** A note on a build. */
export interface CreateAnnotationBody {
  /** The text, Markdown or HTML. */
  body: string
  /** How it is coloured; `info` by default. */
  style?: 'success' | 'info' | 'warning' | 'error' | undefined
  /** A higher one stands first; 3 by default. */
  priority?: number | undefined
  /** Its name within the build; `default` by default. A second call with the same name replaces the text. */
  context?: string | undefined
  /** Add a paragraph to the text that is there instead of replacing it; `style` and `priority` stay unless they are given. */
  append?: boolean | undefined
}

/** Which failures to retry. */
export interface RetryFailedJobsBody {
  /** Kinds of failure to retry; all of them when left out. On the wire, one comma-separated string. */
  states?: RetryState | readonly RetryState[] | undefined
}

/** A test's names. */
export interface FindTestBody {
  /** Scope of the test; may be empty. */
  scope: string
  /** Name of the test. Matched exactly. */
  name: string
}

/** A change of labels. */
export interface ChangeLabelsBody {
  operator: LabelOperator
  /** Labels to add or remove. Adding one that is there and removing one that is not changes nothing. */
  labels: readonly string[]
}

/** A GraphQL request. */
export interface GraphqlRequest {
  /** The GraphQL document. */
  query: string
  /** Values of its variables. */
  variables?: Readonly<Record<string, unknown>> | undefined
  /** Which operation of the document to run. */
  operationName?: string | undefined
}

/** One error of a GraphQL answer. */
export interface GraphqlError {
  /** What went wrong. */
  message: string
  /** Machine-readable details. */
  extensions?: {
    [k: string]: unknown
  }
}

/** A GraphQL answer. Errors come with HTTP 200. */
export interface GraphqlResponse {
  /** What was asked for. */
  data?: {
    [k: string]: unknown
  } | null
  /** What went wrong. */
  errors?: GraphqlError[]
}

/** What a refused REST call answers. */
export interface ErrorBody {
  /** What was wrong, for a person. */
  message: string
}

/** What is wrong with one property of a request. */
export interface FieldError {
  /** The property, such as `commit` or `env.NAME`. */
  field?: string
  /** What is wrong with it. */
  code?: 'missing' | 'invalid' | 'unknown' | (string & {})
  /** The limits of the property, if the server names them. */
  message?: string
}

/** What a call with unusable properties answers. */
export interface ValidationErrorBody {
  /** `Validation Failed`. */
  message: string
  /** Everything that is wrong at once. */
  errors: FieldError[]
}

/** What a call beyond the rate limit answers. */
export interface RateLimitBody {
  /** What was exceeded, for a person. */
  message: string
  /** Which limit: the organization's (`rest`) or the user's (`rest_user`). */
  scope?: 'rest' | 'rest_user' | (string & {})
  /** Requests allowed per window. */
  limit?: number
  /** Requests made in this window, this one included. */
  current?: number
  /** Seconds until the window ends. */
  reset?: number
}

/** What a refused OAuth call answers (RFC 6749 §5.2). Decide by `error`; servers differ in the status. */
export interface OAuthErrorBody {
  error: OAuthErrorCode
  /** What went wrong, for a developer. */
  error_description?: string
}

/** Error word of the OAuth endpoints (RFC 6749 §5.2, RFC 8628 §3.5, RFC 8693 §2.2.2). */
export type OAuthErrorCode =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'server_error'
  | 'temporarily_unavailable'
  | (string & {})

/** One page of a list. Pages are read one by one, so a list may shift between two requests. */
export interface Paging {
  /**
   * Which page, from 1.
   * @default 1
   */
  page?: number | undefined
  /**
   * Items per page, at most 100; more is capped.
   * @default 30
   */
  per_page?: number | undefined
}

/** An organization, by the slug that stands in its URL. */
export interface OrganizationPath {
  /** Slug of the organization. */
  org_slug: string
}

/** A pipeline, by the slugs that stand in its URL. */
export interface PipelinePath extends OrganizationPath {
  /** Slug of the pipeline. */
  pipeline_slug: string
}

/** A build, by its number within the pipeline. A build's UUID is not an address. */
export interface BuildPath extends PipelinePath {
  /** Number of the build within its pipeline, never its UUID. */
  number: number
}

/** A job of a build. */
export interface JobPath extends BuildPath {
  /** UUID of the job. */
  job_id: string
}

/** A file that a job left behind. */
export interface ArtifactPath extends JobPath {
  /** UUID of the artifact. */
  artifact_id: string
}

/** A test suite, by the slugs that stand in its URL. */
export interface SuitePath extends OrganizationPath {
  /** Slug of the test suite. */
  suite_slug: string
}

/** A test record of a suite. */
export interface TestPath extends SuitePath {
  /** UUID of the test record; `tests.find` looks it up by name. */
  test_id: string
}

/**
 * Filters of the build lists. Values inside one filter are alternatives, different filters must all match.
 * A filter on a changing field (`state: 'running'`) can miss builds that change between two pages.
 */
export interface ListBuildsParams extends Paging {
  /** One or more branches, as exact names or patterns in which `*` stands for any text (`release/*`). */
  branch?: string | readonly string[] | undefined
  /** One or more commits, as full SHAs; an abbreviated one matches nothing. */
  commit?: string | readonly string[] | undefined
  /** Builds created at this time or later. */
  created_from?: string | Date | undefined
  /** Builds created before this time. */
  created_to?: string | Date | undefined
  /** Builds that this user created, by UUID. */
  creator?: string | undefined
  /**
   * Leave out the jobs, which are most of an answer.
   * @default false
   */
  exclude_jobs?: boolean | undefined
  /** Builds finished at this time or later; unfinished ones never match. */
  finished_from?: string | Date | undefined
  /**
   * When false, jobs on paused queues are left out, and so are builds whose jobs are all on paused queues.
   * Jobs outside a cluster always stay.
   * @default true
   */
  include_paused?: boolean | undefined
  /**
   * List every execution of a retried job instead of the latest only.
   * @default false
   */
  include_retried_jobs?: boolean | undefined
  /**
   * Builds with this meta-data, sent as `meta_data[key]=value`. All keys must match; several values of one key
   * are alternatives. Booleans are compared as the words `true` and `false`.
   */
  meta_data?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** One or more build states; `finished` stands for passed, failed, canceled or blocked. */
  state?: BuildStateFilter | readonly BuildStateFilter[] | undefined
}

/** What a single build's answer contains. */
export interface GetBuildQuery {
  /**
   * Leave out the jobs, which are most of an answer.
   * @default false
   */
  exclude_jobs?: boolean | undefined
  /**
   * List every execution of a retried job instead of the latest only.
   * @default false
   */
  include_retried_jobs?: boolean | undefined
  /**
   * Add the build's test-analytics data as `test_engine`.
   * @default false
   */
  include_test_engine?: boolean | undefined
  /** Only jobs in one of these states. */
  job_states?: JobStateFilter | readonly JobStateFilter[] | undefined
}

/** Params of `builds.listForOrganization`. */
export interface ListOrganizationBuildsParams extends OrganizationPath, ListBuildsParams {}

/** Params of `builds.listForPipeline`. */
export interface ListPipelineBuildsParams extends PipelinePath, ListBuildsParams {
  /**
   * Leave out the pipeline of each build.
   * @default false
   */
  exclude_pipeline?: boolean | undefined
}

/** Params of `builds.create`. */
export interface CreateBuildParams extends PipelinePath, CreateBuildBody {}

/** Params of `builds.get`. */
export interface GetBuildParams extends BuildPath, GetBuildQuery {}

/** Params of `builds.cancel`. */
export interface CancelBuildParams extends BuildPath, CancelBuildBody {}

/** Params of `builds.retryFailedJobs`. */
export interface RetryFailedJobsParams extends BuildPath, RetryFailedJobsBody {}

/** Params of `tests.list`. */
export interface ListTestsParams extends SuitePath, Paging {
  /** Tests with any of these labels, compared exactly. */
  label?: string | readonly string[] | undefined
  /**
   * Tests with all of these labels, separated by commas; `!` before a label excludes the tests that have it
   * (`flaky,!slow`). An extension: a service may ignore it.
   */
  labels?: string | undefined
}

/** Params of `tests.find`. */
export interface FindTestParams extends SuitePath, FindTestBody {}

/** Params of `tests.changeLabels`. */
export interface ChangeLabelsParams extends TestPath, ChangeLabelsBody {}

/** Params of `pipelines.list`. */
export interface ListPipelinesParams extends OrganizationPath, Paging {
  /** Pipelines whose name contains this text, in any case. */
  name?: string | undefined
  /** Pipelines whose repository contains this text, in any case. */
  repository?: string | undefined
}

/** Params of `jobs.unblock`. */
export interface UnblockJobParams extends JobPath, UnblockJobBody {}

/** Params of `annotations.list`. */
export interface ListAnnotationsParams extends BuildPath, Paging {}

/** Params of `annotations.create`. */
export interface CreateAnnotationParams extends BuildPath, CreateAnnotationBody {}

/** Params of `artifacts.list`. */
export interface ListArtifactsParams extends BuildPath, Paging {
  /**
   * Artifacts with one of these paths, as exact paths or patterns in which `*` stands for any text (`reports/*.xml`).
   * An extension: a service may ignore it.
   */
  path?: string | readonly string[] | undefined
  /** Artifacts in one of these states. An extension: a service may ignore it. */
  state?: ArtifactStateFilter | readonly ArtifactStateFilter[] | undefined
}

/** Params of `artifacts.listForJob`. */
export interface ListJobArtifactsParams extends JobPath, Paging {
  /**
   * Artifacts with one of these paths, as exact paths or patterns in which `*` stands for any text (`reports/*.xml`).
   * An extension: a service may ignore it.
   */
  path?: string | readonly string[] | undefined
  /** Artifacts in one of these states. An extension: a service may ignore it. */
  state?: ArtifactStateFilter | readonly ArtifactStateFilter[] | undefined
}
