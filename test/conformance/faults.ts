import type { MockServer } from '@buildwire/mock-server'
import type { Target } from './target.js'

type Send = Target['send']

/** The parts of a request that a fault reads. */
interface ParsedRequest {
  readonly method: string
  readonly url: URL
  /** Path below the origin. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** A fault of a server: it is placed between the rows and a correct server. */
export interface ServerFault {
  readonly id: string
  readonly title: string
  around(send: Send, server: MockServer): Send
}

// biome-ignore lint/suspicious/noExplicitAny: faults change answers of every shape
type Json = any

const parseRequest = (url: string, init: RequestInit): ParsedRequest => ({
  method: init.method ?? 'GET',
  url: new URL(url),
  path: new URL(url).pathname,
  headers: new Headers(init.headers),
  body: typeof init.body === 'string' ? init.body : '',
})

const without = (response: Response, ...names: readonly string[]): Response => {
  const headers = new Headers(response.headers)
  for (const name of names) headers.delete(name)
  return new Response(bodyOf(response), { status: response.status, headers })
}

/** The body of a response, or null for a status that must not have a body. */
const bodyOf = (response: Response) => ([204, 304].includes(response.status) ? null : response.body)

/** The response with another status. */
const withStatus = (response: Response, status: number): Response =>
  new Response(bodyOf(response), { status, headers: response.headers })

const withJson = (response: Response, json: unknown): Response => {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(json), { status: response.status, headers })
}

/** A fault that changes responses. */
const answers = (
  id: string,
  title: string,
  change: (response: Response, seen: ParsedRequest) => Response | Promise<Response>,
): ServerFault => ({
  id,
  title,
  around: (send) => async (url, init) => change(await send(url, init), parseRequest(url, init)),
})

/**
 * A fault that changes the JSON of a body and keeps the headers that describe the change
 * consistent: HEAD has the length of the changed body.
 */
const bodies = (
  id: string,
  title: string,
  change: (json: Json, seen: ParsedRequest) => Json,
): ServerFault => ({
  id,
  title,
  around: (send) => async (url, init) => {
    const seen = parseRequest(url, init)
    const isHead = seen.method === 'HEAD'
    const response = await send(url, isHead ? { ...init, method: 'GET' } : init)
    const text = await response.clone().text()
    if (!(response.headers.get('content-type') ?? '').startsWith('application/json') || text === '')
      return response
    const changed = JSON.stringify(change(JSON.parse(text), seen))
    const headers = new Headers(response.headers)
    headers.set('content-length', String(Buffer.byteLength(changed)))
    return new Response(isHead ? null : changed, { status: response.status, headers })
  },
})

/** A fault that changes requests before the server reads them. */
const requests = (
  id: string,
  title: string,
  change: (seen: ParsedRequest) => { url?: URL; init?: RequestInit } | undefined,
): ServerFault => ({
  id,
  title,
  around: (send) => (url, init) => {
    const changed = change(parseRequest(url, init))
    return send(changed?.url?.href ?? url, { ...init, ...changed?.init })
  },
})

/** Every build in a response, alone or in a list. */
const eachBuild = (json: Json, change: (build: Json) => Json): Json => {
  const one = (value: Json) =>
    value?.number !== undefined && value?.jobs !== undefined ? change(value) : value
  return Array.isArray(json) ? json.map(one) : one(json)
}

/** A server that checks parameters correctly and then ignores them. */
const dropQuery = (id: string, title: string, name: string): ServerFault => ({
  id,
  title,
  around: (send) => async (url, init) => {
    const given = [...new URL(url).searchParams]
    const kept = given.filter(([key]) => key !== name && !key.startsWith(`${name}[`))
    const checked = await send(url, init)
    if (kept.length === given.length || checked.status === 400) return checked
    const changed = new URL(url)
    changed.search = new URLSearchParams(kept).toString()
    return send(changed.href, init)
  },
})

const isToken = ({ path, method }: ParsedRequest): boolean =>
  path === '/oauth/token' && method === 'POST'
const isRest = ({ path }: ParsedRequest): boolean => path.startsWith('/v2/')
const isBuildList = ({ path, method }: ParsedRequest): boolean =>
  method === 'GET' && path.endsWith('/builds')
const oauthError = (response: Response, error: string, error_description: string): Response =>
  withJson(withStatus(response, error === 'invalid_client' ? 401 : 400), {
    error,
    error_description,
  })

const createFaults: readonly ServerFault[] = [
  answers('create-200', 'create answers 200', (response) =>
    response.status === 201 ? withStatus(response, 200) : response,
  ),
  answers('create-location', 'create sends no Location', (response) =>
    without(response, 'location'),
  ),
  bodies('errors-missing', 'a validation failure has no errors', (json) => {
    const { errors: _, ...rest } = Array.isArray(json) ? { errors: undefined } : json
    return Array.isArray(json) ? json : json?.errors && json.message ? rest : json
  }),
  answers('bad-json-500', 'a body that is no JSON is 500', (response, { method, body, path }) => {
    const broken =
      method === 'POST' && path.startsWith('/v2/') && body.startsWith('{') && !isJson(body)
    return broken ? withStatus(response, 500) : response
  }),
  bodies('env-raw', 'env is not coerced', (json, { method, body }) => {
    if (method !== 'POST' || json?.env === undefined || !isJson(body)) return json
    return { ...json, env: JSON.parse(body).env ?? json.env }
  }),
  bodies('message-empty', 'a message that was not given is an empty text', (json) =>
    eachBuild(json, (build) => ({ ...build, message: build.message ?? '' })),
  ),
  bodies('pull-request-null', 'no pull request is null', (json) =>
    eachBuild(json, (build) => ({
      ...build,
      pull_request: Object.keys(build.pull_request).length === 0 ? null : build.pull_request,
    })),
  ),
]

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const moveFaults: readonly ServerFault[] = [
  answers('cancel-again', 'cancel of a canceled build is 200', async (response, { path }) =>
    path.endsWith('/cancel') && response.status === 422 ? withStatus(response, 200) : response,
  ),
  requests('cancel-reason', 'the reason of a cancellation is lost', ({ path }) =>
    path.endsWith('/cancel') ? { init: { body: '{}' } } : undefined,
  ),
  bodies('rebuild-ancestor', 'a rebuild does not say where it is from', (json, { path }) =>
    path.endsWith('/rebuild') && json.id ? { ...json, rebuilt_from: null } : json,
  ),
  answers('retry-200', 'retry answers 200', (response) =>
    response.status === 202 ? withStatus(response, 200) : response,
  ),
  bodies('retry-count', 'the number of retried jobs is text', (json) =>
    json?.retried_jobs_count === undefined
      ? json
      : { ...json, retried_jobs_count: String(json.retried_jobs_count) },
  ),
  dropQuery('retried-hidden', 'include_retried_jobs does nothing', 'include_retried_jobs'),
]

const listFaults: readonly ServerFault[] = [
  answers('no-link', 'lists send no Link', (response) => without(response, 'link')),
  answers('link-order', 'page stands last in links', (response) => {
    const link = response.headers.get('link')
    if (link === null) return response
    const headers = new Headers(response.headers)
    headers.set('link', link.replaceAll(/page=(\d+)&per_page=(\d+)/g, 'per_page=$2&page=$1'))
    return new Response(response.body, { status: response.status, headers })
  }),
  bodies('oldest-first', 'lists begin with the oldest', (json, seen) =>
    isBuildList(seen) && Array.isArray(json) ? json.toReversed() : json,
  ),
  dropQuery('no-branch-filter', 'the branch filter is ignored', 'branch'),
  dropQuery('no-state-filter', 'the state filter is ignored', 'state'),
  dropQuery('no-creator-filter', 'the creator filter is ignored', 'creator'),
  dropQuery('no-meta-data-filter', 'the meta_data filter is ignored', 'meta_data'),
  dropQuery('no-exclude-jobs', 'exclude_jobs does nothing', 'exclude_jobs'),
  requests('created-to-included', 'created_to includes its moment', ({ url }) => {
    const to = Date.parse(url.searchParams.get('created_to') ?? '')
    if (Number.isNaN(to)) return undefined
    const changed = new URL(url)
    changed.searchParams.set('created_to', new Date(to + 1).toISOString())
    return { url: changed }
  }),
  dropQuery('no-label-filter', 'the label filter is ignored', 'label'),
  dropQuery('no-name-filter', 'the name filter is ignored', 'name'),
  dropQuery('no-repository-filter', 'the repository filter is ignored', 'repository'),
  dropQuery('no-commit-filter', 'the commit filter is ignored', 'commit'),
  dropQuery('no-finished-from-filter', 'the finished_from filter is ignored', 'finished_from'),
  answers(
    'deep-empty',
    'a list that goes too deep is empty instead of refused',
    (response, seen) =>
      isBuildList(seen) &&
      response.status === 400 &&
      Number(seen.url.searchParams.get('page')) > 100
        ? withJson(withStatus(response, 200), [])
        : response,
  ),
]

const recordFaults: readonly ServerFault[] = [
  bodies('webhook-leak', 'webhook_url is shown to everybody', (json) => {
    const show = (pipeline: Json) =>
      pipeline?.provider
        ? {
            ...pipeline,
            provider: { ...pipeline.provider, webhook_url: 'https://hooks.example/1' },
          }
        : pipeline
    return eachBuild(show(json), (build) => ({ ...build, pipeline: show(build.pipeline) }))
  }),
  bodies('blocked-state', 'a blocked build has the state blocked', (json) =>
    eachBuild(json, (build) => (build.blocked ? { ...build, state: 'blocked' } : build)),
  ),
  bodies('times-without-zone', 'times have no zone', (json) =>
    JSON.parse(JSON.stringify(json).replaceAll(/(\d\d:\d\d:\d\d\.\d{3})Z"/g, '$1"')),
  ),
  bodies('labels-everywhere', 'test records show labels in lists', (json, { path }) =>
    path.endsWith('/tests') && Array.isArray(json)
      ? json.map((test) => ({ ...test, labels: [] }))
      : json,
  ),
]

const bearerFaults: readonly ServerFault[] = [
  answers('no-challenge', 'a 401 has no WWW-Authenticate', (response) =>
    without(response, 'www-authenticate'),
  ),
  answers('scope-401', 'a missing scope is 401', (response, seen) =>
    isRest(seen) && response.status === 403 ? withStatus(response, 401) : response,
  ),
  answers(
    'foreign-403',
    'what the token cannot see is 403 and so known to exist',
    (response, { path }) =>
      path.includes('/organizations/orbit') && response.status === 404
        ? withStatus(response, 403)
        : response,
  ),
  answers('no-cors', 'refusals lack CORS headers', (response) =>
    response.status >= 400 ? without(response, 'access-control-allow-origin') : response,
  ),
  answers('no-allow', 'a 405 does not say what is allowed', (response) =>
    without(response, 'allow'),
  ),
]

const oauthFaults: readonly ServerFault[] = [
  answers('oauth-cached', 'tokens may be cached', (response, seen) =>
    isToken(seen) || seen.path.startsWith('/oauth/')
      ? without(response, 'cache-control')
      : response,
  ),
  answers('never-slow', 'polling too fast is never slow_down', async (response, seen) => {
    if (!isToken(seen) || (await response.clone().json()).error !== 'slow_down') return response
    return oauthError(response, 'authorization_pending', 'Device authorization is pending')
  }),
  answers('expired-grant', 'an expired code is invalid_grant', async (response, seen) => {
    if (!isToken(seen) || (await response.clone().json()).error !== 'expired_token') return response
    return oauthError(
      response,
      'invalid_grant',
      'The device code is invalid or has already been used',
    )
  }),
  {
    id: 'expires-late',
    title: 'an approved code serves for 900 s',
    around: (send, server) => async (url, init) => {
      const response = await send(url, init)
      if (
        !isToken(parseRequest(url, init)) ||
        (await response.clone().json()).error !== 'expired_token'
      )
        return response
      const user = { user: 'robin@acme.example', scopes: ['read_builds'], organizations: ['acme'] }
      const { access_token } = await server.control.accessTokens.create(user)
      return withJson(withStatus(response, 200), {
        access_token,
        token_type: 'Bearer',
        scope: 'read_builds',
      })
    },
  },
  {
    id: 'replay',
    title: 'a jti may be used again',
    around(send) {
      const given = new Map<string, Response>()
      return async (url, init) => {
        const response = await send(url, init)
        const seen = parseRequest(url, init)
        const assertion = new URLSearchParams(seen.body).get('client_assertion')
        if (!isToken(seen) || assertion === null) return response
        if (response.status === 200) given.set(assertion, response.clone())
        const { error_description = '' } = await response.clone().json()
        const before = String(error_description).includes('already been used')
          ? given.get(assertion)
          : undefined
        return before?.clone() ?? response
      }
    },
  },
  bodies('bearer-lower', 'token_type is bearer', (json) =>
    json?.token_type === undefined ? json : { ...json, token_type: 'bearer' },
  ),
  bodies('expires-text', 'expires_in of a token is text', (json, seen) =>
    isToken(seen) && json.expires_in !== undefined
      ? { ...json, expires_in: String(json.expires_in) }
      : json,
  ),
]

/** Forty faults that real servers of this type have shown or could show. */
export const faults: readonly ServerFault[] = [
  ...createFaults,
  ...moveFaults,
  ...listFaults,
  ...recordFaults,
  ...bearerFaults,
  ...oauthFaults,
]
