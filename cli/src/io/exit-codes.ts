import type { CiErrorCode } from '@buildwire/sdk'

/**
 * The exit codes of `ci` and `ci-mock-server`, in order. Scripts may rely on them; help and the docs
 * are made from this table.
 */
export const exitCodeTable = [
  {
    code: 0,
    name: 'ok',
    when: 'done; the watched build passed; an empty list; a server stopped and drained',
  },
  {
    code: 1,
    name: 'negative',
    when:
      'the watched build failed or ended in an unknown state; --until failing was reached; doctor ' +
      'found a problem; several targets failed with different codes; some artifacts were ' +
      'downloaded and others were not; --grep found no line; a jq filter failed while running',
  },
  {
    code: 2,
    name: 'usage',
    when:
      'unknown command, flag or field; missing or bad value; a prompt was needed but not ' +
      'possible; a jq filter that does not compile',
  },
  {
    code: 3,
    name: 'unavailable',
    when:
      'no connection, time-out, 5xx, another 4xx, an unreadable response, a redirect ' +
      'or link that leaves the server; the server cannot listen; an artifact that is damaged or ' +
      'cannot be written',
  },
  {
    code: 4,
    name: 'signed_out',
    when: 'no token, or the server refused it; a device login was denied or expired',
  },
  {
    code: 5,
    name: 'not_found',
    when: 'no such build, pipeline, organization or test; a job without a log',
  },
  { code: 6, name: 'canceled', when: 'the watched build was canceled' },
  {
    code: 7,
    name: 'rejected',
    when:
      'the server refused the request: 400, 409, 422, or any other OAuth error; an artifact whose ' +
      'path cannot be written safely',
  },
  {
    code: 8,
    name: 'not_finished',
    when:
      'a time-out passed, or stdout closed before a watch knew the outcome; --exit-status of a ' +
      'running build',
  },
  { code: 9, name: 'forbidden', when: 'the token lacks a scope, or the user lacks the right' },
  { code: 10, name: 'rate_limited', when: 'too many requests; the message says how long to wait' },
  { code: 11, name: 'blocked', when: 'the build waits for a person' },
  { code: 12, name: 'not_run', when: 'the build was skipped or not run' },
  { code: 70, name: 'internal', when: 'a bug of this program; a redacted stack is on stderr' },
  {
    code: 78,
    name: 'configuration',
    when:
      'a configuration or credential file is unreadable, invalid or not writable; no server is ' +
      'configured; a data directory is in use, damaged or newer',
  },
  {
    code: 126,
    name: 'not_executable',
    when:
      'the command after -- cannot be executed; 127: not found; otherwise its own status, or ' +
      '128 + its signal',
  },
  { code: 129, name: 'sighup', when: 'ended by SIGHUP' },
  { code: 130, name: 'sigint', when: 'ended by SIGINT (Ctrl-C)' },
  { code: 143, name: 'sigterm', when: 'ended by SIGTERM' },
] as const

type ExitCodeRow = (typeof exitCodeTable)[number]

export type ExitCodeName = ExitCodeRow['name']

export const ExitCode = Object.fromEntries(exitCodeTable.map(({ name, code }) => [name, code])) as {
  readonly [R in ExitCodeRow as R['name']]: R['code']
}

export function exitCodeName(code: number): ExitCodeName {
  return exitCodeTable.find((row) => row.code === code)?.name ?? 'unavailable'
}

/** The exit code of each error code of the SDK. */
const exitCodeBySdkCode: Readonly<Record<CiErrorCode, number>> = {
  config: ExitCode.usage,
  connection: ExitCode.unavailable,
  timeout: ExitCode.unavailable,
  server_error: ExitCode.unavailable,
  http_error: ExitCode.unavailable,
  redirect_refused: ExitCode.unavailable,
  invalid_response: ExitCode.unavailable,
  unsafe_link: ExitCode.unavailable,
  page_loop: ExitCode.unavailable,
  too_many_pages: ExitCode.unavailable,
  unauthorized: ExitCode.signed_out,
  not_found: ExitCode.not_found,
  bad_request: ExitCode.rejected,
  listing_too_deep: ExitCode.rejected,
  conflict: ExitCode.rejected,
  unprocessable: ExitCode.rejected,
  insufficient_scope: ExitCode.forbidden,
  forbidden: ExitCode.forbidden,
  rate_limited: ExitCode.rate_limited,
  oauth_error: ExitCode.rejected,
  device_authorization: ExitCode.rejected,
}

/** The exit codes of OAuth `error` values; all others are `rejected`. */
const exitCodeByOAuthWord: Readonly<Record<string, number>> = {
  server_error: ExitCode.unavailable,
  temporarily_unavailable: ExitCode.unavailable,
  access_denied: ExitCode.signed_out,
  expired_token: ExitCode.signed_out,
  invalid_client: ExitCode.signed_out,
  invalid_grant: ExitCode.signed_out,
  unauthorized_client: ExitCode.forbidden,
  unsupported_grant_type: ExitCode.forbidden,
}

/** The exit code of an SDK error: by its OAuth `error` if it has one, else by its `code`. */
export function exitCodeOf(error: { code: string; error?: string | undefined }): number {
  const byWord = error.error === undefined ? undefined : exitCodeByOAuthWord[error.error]
  const byCode: Readonly<Record<string, number>> = exitCodeBySdkCode
  return byWord ?? byCode[error.code] ?? ExitCode.internal
}

/** The exit code for an HTTP status, for `ci api`, which prints every response. */
export function exitCodeOfStatus(status: number): number {
  if (status >= 200 && status < 300) return ExitCode.ok
  if (status === 401) return ExitCode.signed_out
  if (status === 403) return ExitCode.forbidden
  if (status === 404) return ExitCode.not_found
  if (status === 429) return ExitCode.rate_limited
  if (status === 400 || status === 409 || status === 422) return ExitCode.rejected
  return ExitCode.unavailable
}
