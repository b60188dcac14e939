import type { Rule } from '../rules/rule.js'
import type { SeedDocument } from '../seed/seed-document.js'
import type { Control } from './control.js'

/** Path, query and body keys of one call in one flat object; the body as it came, too. */
interface ControlCall {
  // biome-ignore lint/suspicious/noExplicitAny: each call checks its own parameters, whatever HTTP brought
  readonly params: any
  readonly body: unknown
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the prefix; `{name}` is one segment. */
  readonly path: string
  readonly status: 200 | 201 | 204
  readonly call: (control: Control, call: ControlCall) => Promise<unknown>
  /** Served at the root only. */
  readonly root?: true
  /** Answered without control token. */
  readonly open?: true
}

const get = (path: string, call: ControlRoute['call'], more: Partial<ControlRoute> = {}): ControlRoute => ({
  method: 'GET',
  path,
  status: 200,
  call,
  ...more,
})
const post = (path: string, call: ControlRoute['call'], more: Partial<ControlRoute> = {}): ControlRoute => ({
  method: 'POST',
  path,
  status: 200,
  call,
  ...more,
})
const put = (path: string, call: ControlRoute['call']): ControlRoute => ({ method: 'PUT', path, status: 200, call })
const remove = (path: string, call: ControlRoute['call'], more: Partial<ControlRoute> = {}): ControlRoute => ({
  method: 'DELETE',
  path,
  status: 204,
  call,
  ...more,
})

const root = { root: true } as const
const created = { status: 201 } as const

/** Every route of the control API, and the call that it is in process. */
export const controlRoutes: readonly ControlRoute[] = [
  get('/health/live', (control) => control.health.live(), { root: true, open: true }),
  get('/health/ready', (control) => control.health.ready(), { root: true, open: true }),
  get('/info', (control) => control.info.get(), root),
  get('/schema.json', (control) => control.schema.get(), root),
  post('/sandboxes', (control, { params }) => control.sandboxes.create(params), { root: true, status: 201 }),
  get('/sandboxes', (control) => control.sandboxes.list(), root),
  get('/sandboxes/{id}', (control, { params }) => control.sandboxes.get(params), root),
  remove('/sandboxes/{id}', (control, { params }) => control.sandboxes.delete(params), root),
  remove('/sandboxes', (control, { params }) => control.sandboxes.delete({ all: params.all === 'true' }), root),
  post('/apply', (control, { body }) => control.apply(body as SeedDocument)),
  get('/records/{collection}', (control, { params }) => control.records.list(params)),
  get('/records/{collection}/{key}', (control, { params }) => control.records.get(params)),
  remove('/records/{collection}/{key}', (control, { params }) => control.records.delete(params)),
  post('/access-tokens', (control, { params }) => control.accessTokens.create(params), created),
  get('/device-authorizations', (control, { params }) => control.deviceAuthorizations.list(params)),
  post('/device-authorizations/{user_code}/approve', (control, { params }) =>
    control.deviceAuthorizations.approve(params),
  ),
  post('/device-authorizations/{user_code}/deny', (control, { params }) => control.deviceAuthorizations.deny(params)),
  get('/used-assertions', (control) => control.usedAssertions.get()),
  get('/jwks-fetches', (control) => control.jwksFetches.list()),
  post('/builds', (control, { params }) => control.builds.create(params), created),
  post('/builds/{id}/advance', (control, { params }) => control.builds.advance(params)),
  post('/jobs/{job_id}/transition', (control, { params }) => control.jobs.transition(params)),
  post('/jobs/{job_id}/promise-failure', (control, { params }) => control.jobs.promiseFailure(params)),
  post('/jobs/{job_id}/unblock', (control, { params }) => control.jobs.unblock(params)),
  post('/jobs/{job_id}/retry', (control, { params }) => control.jobs.retry(params)),
  put('/jobs/{job_id}/log', (control, { params }) => control.jobLogs.set(params)),
  post('/jobs/{job_id}/log', (control, { params }) => control.jobLogs.create(params)),
  get('/clock', (control) => control.clock.get()),
  put('/clock', (control, { params }) => control.clock.set(params)),
  post('/clock/advance', (control, { params }) => control.clock.advance(params)),
  get('/rules', (control) => control.rules.list()),
  post('/rules', (control, { body }) => control.rules.create(body as Rule), created),
  remove('/rules', (control) => control.rules.delete()),
  get('/rules/{id}', (control, { params }) => control.rules.get(params)),
  put('/rules/{id}', (control, { params }) => control.rules.set(params)),
  remove('/rules/{id}', (control, { params }) => control.rules.delete(params)),
  get('/requests', (control) => control.requests.list()),
  remove('/requests', (control) => control.requests.delete()),
  get('/requests/unexpected', (control) => control.requests.unexpected()),
  post('/requests/find', (control, { params }) => control.requests.find(params)),
  post('/requests/verify', (control, { params }) => control.requests.verify(params)),
  post('/requests/wait', (control, { params }) => control.requests.wait(params)),
  post('/reset', (control, { params }) => control.reset(params)),
  get('/snapshot', (control) => control.snapshot.get()),
  put('/snapshot', (control, { params }) => control.snapshot.set(params)),
]
