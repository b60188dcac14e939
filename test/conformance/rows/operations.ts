import { strict as assert } from 'node:assert'
import { type Operation, type OperationId, operations } from '@buildwire/sdk/contract'
import { groups } from '../../../mock-server/src/base/groups.js'
import type { Capability } from '../capabilities.js'
import {
  type ApiRequest,
  ask,
  type ConformanceRow,
  expectHeaders,
  expectRefusal,
  expectStatus,
  NotApplicable,
  type RowHead,
  row,
  type Target,
} from '../target.js'

/** The capability that a server without an extension operation lacks. */
const extensions: Readonly<Partial<Record<OperationId, Capability>>> = {
  'user.get': 'user',
  'accessToken.get': 'accessToken',
  'accessToken.revoke': 'accessToken',
  'organizations.list': 'organizations',
  'organizations.get': 'organizations',
  'pipelines.list': 'pipelines',
  'pipelines.get': 'pipelines',
  'jobs.log': 'jobLogs',
  'jobs.logText': 'jobLogs',
  'jobs.get': 'jobs',
  'jobs.retry': 'jobs',
  'jobs.unblock': 'jobs',
  'annotations.list': 'annotations',
  'annotations.create': 'annotations',
  'artifacts.list': 'artifacts',
  'artifacts.listForJob': 'artifacts',
  'artifacts.download': 'artifacts',
  graphql: 'graphql',
}

export const noSuchId = '00000000-0000-4000-8000-000000000000'

type PathParameters = Readonly<Record<string, string>>

export const namesAt = (target: Target): PathParameters => ({
  org_slug: target.org,
  pipeline_slug: target.pipeline,
  suite_slug: target.suite ?? '',
  number: '999999999',
  job_id: noSuchId,
  artifact_id: noSuchId,
  test_id: noSuchId,
})

export const pathOf = ({ path }: Operation, names: PathParameters): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)

/**
 * A request that passes every check before the tested one. Its body is valid, so that the body
 * causes no refusal.
 */
const requestOf = ({ method, body }: Operation): ApiRequest => ({
  method,
  ...(body !== null && { json: {} }),
})

const served = Object.values(operations).filter(({ server }) => server !== 'auth')
export function needsOf({ id, path, extension }: Operation): readonly Capability[] {
  const capability = extensions[id]
  if (extension && capability === undefined)
    throw new TypeError(`${id} is an extension: say in extensions which capability it needs`)
  return [
    ...(capability === undefined ? [] : [capability]),
    ...(path.includes('{suite_slug}') ? (['suite'] as const) : []),
  ]
}

type OperationCheck<O extends Operation> = (
  target: Target,
  path: string,
  operation: O,
) => Promise<void>

/** A row for each of these operations, with a request to its path. */
const rowsFor = <O extends Operation>(
  some: readonly O[],
  head: (operation: O) => RowHead,
  run: OperationCheck<O>,
  needs: (operation: O) => readonly Capability[] = () => [],
): readonly ConformanceRow[] =>
  some.map((operation) =>
    row([...needsOf(operation), ...needs(operation)], head(operation), (target) =>
      run(target, pathOf(operation, namesAt(target)), operation),
    ),
  )

const withoutToken = rowsFor(
  served,
  ({ id }) => `OP-${id}-401 M wire/refusals: ${id} wants a token: 401 with a Bearer challenge`,
  async (target, path, operation) => {
    const none = await ask(target, path, { ...requestOf(operation), as: null })
    expectStatus(none, 401)
    assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer realm="[^"]*"$/)
    const unknown = await ask(target, path, { ...requestOf(operation), as: 'an-unknown-token' })
    expectStatus(unknown, 401)
    assert.match(
      unknown.headers.get('www-authenticate') ?? '',
      /^Bearer realm="[^"]*", error="invalid_token"/,
    )
    assert.equal(typeof unknown.json?.message, 'string')
  },
)

/** A token of the configuration without the scope of an operation. */
const lacking = ({ scope }: Operation) => (scope === 'read_builds' ? 'bare' : 'reader')

const withoutScope = rowsFor(
  served.filter(({ scope }) => scope !== null),
  ({ id, scope }) => `OP-${id}-403 M wire/scopes: ${id} wants ${scope}, and says so`,
  async (target, path, operation) => {
    const answer = await ask(target, path, { ...requestOf(operation), as: lacking(operation) })
    expectRefusal(answer, 403, `Your access token doesn't have the ${operation.scope} scope`)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.ok(
      challenge.includes(`error="insufficient_scope", scope="${operation.scope}"`),
      challenge,
    )
  },
  (operation) => [lacking(operation)],
)

/** The last parameter of a path whose record does not exist, and the message for that. */
const missing: readonly (readonly [name: string, message: string])[] = [
  ['org_slug', 'No organization found'],
  ['pipeline_slug', 'No pipeline found'],
  ['suite_slug', 'No suite found'],
  ['number', 'No build found'],
  ['test_id', 'No test found'],
]

const withoutRecord = rowsFor(
  served.filter(({ pathParameters }) => pathParameters.length > 0),
  ({ id }) =>
    `OP-${id}-404 D wire/refusals: ${id} names the first thing on its path that is not there`,
  async (target, _path, operation) => {
    for (const [name, message] of missing) {
      if (!operation.pathParameters.includes(name)) continue
      const nowhere = ['number', 'test_id'].includes(name)
        ? {}
        : { [name]: 'there-is-no-such-thing' }
      const path = pathOf(operation, { ...namesAt(target), ...nowhere })
      expectRefusal(await ask(target, path, requestOf(operation)), 404, message)
    }
  },
)

/** The first operation of each path, with the methods of that path in the contract. */
const paths = [...groups(served, ({ path }) => path).values()].flatMap((here) => {
  const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return here.slice(0, 1).map((first) => ({ ...first, methods }))
})

const wrongMethod = rowsFor(
  paths,
  ({ id, methods }) =>
    `OP-${id}-405 D wire/refusals: the path of ${id} refuses other methods before it asks for a token, and allows ${methods.join(', ')}`,
  async (target, path, { methods }) => {
    // `/tests/{test_id}` and `/tests/find` match the same path, so each may list the methods of the
    // other.
    for (const method of ['PATCH', 'DELETE', 'PUT', 'POST']
      .filter((one) => !methods.includes(one))
      .slice(0, 2)) {
      const answer = await ask(target, path, { method, as: null })
      expectRefusal(answer, 405, 'Method not allowed')
      const allowed = (answer.headers.get('allow') ?? '').split(', ')
      for (const one of methods) assert.ok(allowed.includes(one), `Allow lacks ${one}: ${allowed}`)
    }
  },
)

const preflights = rowsFor(
  paths,
  ({ id }) =>
    `OP-${id}-OPTIONS D wire/leniency: a browser may ask for ${id} from any page: preflight without token, readable answers`,
  async (target, path, first) => {
    const origin = 'https://app.example'
    const headers = {
      origin,
      'access-control-request-method': first.method,
      'access-control-request-headers': 'authorization,content-type',
    }
    const preflight = await ask(target, path, { method: 'OPTIONS', as: null, headers })
    expectStatus(preflight, 204)
    expectHeaders(preflight, { 'access-control-allow-origin': '*' })
    expectHeaders(preflight, { 'access-control-allow-headers': 'authorization,content-type' })
    const allowed = (preflight.headers.get('access-control-allow-methods') ?? '').split(', ')
    for (const one of first.methods)
      assert.ok(allowed.includes(one), `methods lack ${one}: ${allowed}`)
    const refused = await ask(target, path, { ...requestOf(first), as: null, headers: { origin } })
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
    assert.match(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/)
  },
)

const headRows = rowsFor(
  served.filter(
    ({ method, path }) =>
      method === 'GET' && !path.includes('{number}') && !path.includes('{test_id}'),
  ),
  ({ id }) => `OP-${id}-HEAD S wire/leniency: HEAD of ${id} is GET without the body`,
  async (target, path, { status }) => {
    const get = await ask(target, path)
    const head = await ask(target, path, { method: 'HEAD' })
    expectStatus(get, status)
    expectStatus(head, status)
    assert.equal(head.text, '')
    for (const name of ['content-type', 'link', 'x-oauth-scopes', 'cache-control']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
  },
)

const foreignRows = rowsFor(
  served.filter(({ pathParameters }) => pathParameters.includes('org_slug')),
  ({ id }) =>
    `OP-${id}-foreign M wire/scopes: ${id} in an organization that the token cannot see is as if it were not there`,
  async (target, _path, operation) => {
    if (target.secondOrganization === undefined) throw new NotApplicable('no second organization')
    const at = (org_slug: string) =>
      ask(target, pathOf(operation, { ...namesAt(target), org_slug }), requestOf(operation))
    const foreign = await at(target.secondOrganization)
    const absent = await at('there-is-no-such-thing')
    expectRefusal(foreign, 404, 'No organization found')
    assert.equal(foreign.text, absent.text)
  },
  () => ['secondOrganization'],
)

/** One row for each operation and each refusal that all operations have. */
export const operationRows: readonly ConformanceRow[] = [
  ...withoutToken,
  ...withoutScope,
  ...withoutRecord,
  ...foreignRows,
  ...wrongMethod,
  ...preflights,
  ...headRows,
]
