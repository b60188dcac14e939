import type { Control } from './control.js'

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the prefix; `{name}` is one segment. */
  readonly path: string
  readonly status: 200 | 201 | 204
  /** The call in process. It gets the keys of path, query and body in one object, and checks it. */
  readonly call: (control: Control) => (params: never) => Promise<unknown>
  /** The body is the only parameter. */
  readonly whole?: true
  /** The route exists at the root only, not in a sandbox. */
  readonly root?: true
  /** The route needs no control token. */
  readonly open?: true
}

function on(method: ControlRoute['method'], status: ControlRoute['status']) {
  return (
    path: string,
    call: ControlRoute['call'],
    more: Pick<ControlRoute, 'whole' | 'root' | 'open'> = {},
  ): ControlRoute => ({ method, path, status, call, ...more })
}

const get = on('GET', 200)
const post = on('POST', 200)
const make = on('POST', 201)
const put = on('PUT', 200)
const remove = on('DELETE', 204)

const root = { root: true } as const
const whole = { whole: true } as const

/** Every route of the control API with its call in process. */
export const controlRoutes: readonly ControlRoute[] = [
  get('/health/live', ({ health }) => health.live, { root: true, open: true }),
  get('/health/ready', ({ health }) => health.ready, { root: true, open: true }),
  get('/info', ({ info }) => info.get, root),
  get('/schema.json', ({ schema }) => schema.get, root),
  make('/sandboxes', ({ sandboxes }) => sandboxes.create, root),
  get('/sandboxes', ({ sandboxes }) => sandboxes.list, root),
  get('/sandboxes/{id}', ({ sandboxes }) => sandboxes.get, root),
  remove('/sandboxes/{id}', ({ sandboxes }) => sandboxes.delete, root),
  remove(
    '/sandboxes',
    ({ sandboxes }) =>
      ({ all }: { all?: unknown }) =>
        sandboxes.delete({ all: all === 'true' }),
    root,
  ),
  post('/apply', ({ apply }) => apply, whole),
  get('/records/{collection}', ({ records }) => records.list),
  get('/records/{collection}/{key}', ({ records }) => records.get),
  remove('/records/{collection}/{key}', ({ records }) => records.delete),
  make('/access-tokens', ({ accessTokens }) => accessTokens.create),
  get('/device-authorizations', ({ deviceAuthorizations }) => deviceAuthorizations.list),
  post(
    '/device-authorizations/{user_code}/approve',
    ({ deviceAuthorizations }) => deviceAuthorizations.approve,
  ),
  post(
    '/device-authorizations/{user_code}/deny',
    ({ deviceAuthorizations }) => deviceAuthorizations.deny,
  ),
  get('/used-assertions', ({ usedAssertions }) => usedAssertions.get),
  get('/jwks-fetches', ({ jwksFetches }) => jwksFetches.list),
  make('/builds', ({ builds }) => builds.create),
  post('/builds/{id}/advance', ({ builds }) => builds.advance),
  post('/jobs/{job_id}/transition', ({ jobs }) => jobs.transition),
  post('/jobs/{job_id}/promise-failure', ({ jobs }) => jobs.promiseFailure),
  post('/jobs/{job_id}/unblock', ({ jobs }) => jobs.unblock),
  post('/jobs/{job_id}/retry', ({ jobs }) => jobs.retry),
  put('/jobs/{job_id}/log', ({ jobLogs }) => jobLogs.set),
  post('/jobs/{job_id}/log', ({ jobLogs }) => jobLogs.create),
  make('/jobs/{job_id}/artifacts', ({ artifacts }) => artifacts.create),
  get('/clock', ({ clock }) => clock.get),
  put('/clock', ({ clock }) => clock.set),
  post('/clock/advance', ({ clock }) => clock.advance),
  get('/rules', ({ rules }) => rules.list),
  make('/rules', ({ rules }) => rules.create, whole),
  remove('/rules', ({ rules }) => rules.delete),
  get('/rules/{id}', ({ rules }) => rules.get),
  put('/rules/{id}', ({ rules }) => rules.set),
  remove('/rules/{id}', ({ rules }) => rules.delete),
  get('/faults', ({ faults }) => faults.list),
  make('/faults', ({ faults }) => faults.create),
  post('/faults/verdict', ({ faults }) => faults.judge),
  remove('/faults', ({ faults }) => faults.delete),
  get('/requests', ({ requests }) => requests.list),
  remove('/requests', ({ requests }) => requests.delete),
  get('/requests/unexpected', ({ requests }) => requests.unexpected),
  post('/requests/find', ({ requests }) => requests.find),
  post('/requests/verify', ({ requests }) => requests.verify),
  post('/requests/wait', ({ requests }) => requests.wait),
  post('/reset', ({ reset }) => reset),
  get('/snapshot', ({ snapshot }) => snapshot.get),
  put('/snapshot', ({ snapshot }) => snapshot.set),
]
