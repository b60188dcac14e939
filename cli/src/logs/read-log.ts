import { ApiError, type ApiErrorCode, type CiClient, type ResponseInfo } from '@buildwire/sdk'
import { isJsonObject } from '../config/json-file.js'
import { sameOrigin } from '../config/settings.js'
import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** What a log is read with. */
export interface LogReader {
  readonly ci: CiClient
  readonly baseUrl: string
  readonly signal: AbortSignal
}

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

/**
 * Reads a job's log from where its record says, as the bytes that the server sent.
 *
 * @throws ApiError by status; CommandError `unavailable` for a URL that leads to another server.
 */
export async function readLog(url: string, { ci, baseUrl, signal }: LogReader): Promise<Uint8Array> {
  if (!sameOrigin(url, baseUrl)) {
    throw new CommandError('unavailable', say`the log is on another server, and the token is not sent there`, {
      lines: [
        say`${URL.canParse(url) ? new URL(url).origin : 'An unreadable address'} is not ${new URL(baseUrl).origin}`,
      ],
    })
  }
  const answer = await ci.request({ method: 'GET', path: url, headers: { accept: 'text/plain' } }, { signal })
  const { response } = answer
  if (response.status !== 200) throw refusal(url, response, await answer.text())
  // A server that gives a record although text was asked for.
  if ((response.headers.get('content-type') ?? '').includes('json')) return content(await answer.text())
  return answer.bytes()
}

function content(text: string): Uint8Array {
  const body = json(text)
  if (isJsonObject(body) && typeof body.content === 'string') return new TextEncoder().encode(body.content)
  throw new CommandError('unavailable', say`the log was answered as JSON without content`)
}

function refusal(url: string, response: ResponseInfo, text: string): ApiError {
  const { status, headers, attempts, requestId } = response
  const body = json(text)
  const said = isJsonObject(body) && typeof body.message === 'string' ? body.message : 'no reason given'
  const path = new URL(url).pathname
  const lacksScope = status === 403 && /scope/iu.test(said)
  const code = lacksScope ? 'insufficient_scope' : (CODES[status] ?? (status >= 500 ? 'server_error' : 'http_error'))
  const granted = headers.get('x-oauth-scopes')
  return new ApiError(`GET ${path} answered ${status}: ${said}`, {
    sent: 'yes',
    serverMessage: said,
    code,
    status,
    operationId: 'jobs.logText',
    method: 'GET',
    path,
    requestId,
    body,
    attempts,
    ...(lacksScope ? { requiredScope: 'read_build_logs' } : {}),
    ...(granted === null ? {} : { grantedScopes: granted.split(',').map((scope) => scope.trim()) }),
  })
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
