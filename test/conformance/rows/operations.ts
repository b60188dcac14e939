import { strict as assert } from 'node:assert'
import { type Operation, type OperationId, operations } from '@buildwire/sdk/contract'
import type { Capability } from '../capabilities.js'
import { type Asked, ask, expectRefusal, expectStatus, NotApplicable, type Row, row, type Target } from '../target.js'

/** What a server without an extension operation lacks. */
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

const noSuchId = '00000000-0000-4000-8000-000000000000'

type Names = Readonly<Record<string, string>>

const namesAt = (target: Target): Names => ({
  org_slug: target.org,
  pipeline_slug: target.pipeline,
  suite_slug: target.suite ?? '',
  number: '999999999',
  job_id: noSuchId,
  artifact_id: noSuchId,
  test_id: noSuchId,
})

const pathOf = ({ path }: Operation, names: Names): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)

/** A request that gets past every check before the one in question; bodies are fit, so that none refuses for them. */
const requestOf = ({ method, body }: Operation): Asked => ({ method, ...(body !== null && { json: {} }) })

const served = Object.values(operations).filter(({ server }) => server !== 'auth')
const needsOf = ({ id, path }: Operation): readonly Capability[] => [
  ...(extensions[id] ? [extensions[id]] : []),
  ...(path.includes('{suite_slug}') ? (['suite'] as const) : []),
]

const withoutToken: readonly Row[] = served.map((operation) =>
  row(
    needsOf(operation),
    `OP-${operation.id}-401 M wire/refusals: ${operation.id} wants a token: 401 with a Bearer challenge`,
    async (target) => {
      const path = pathOf(operation, namesAt(target))
      const none = await ask(target, path, { ...requestOf(operation), as: null })
      expectStatus(none, 401)
      assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer realm="[^"]*"$/)
      const unknown = await ask(target, path, { ...requestOf(operation), as: 'an-unknown-token' })
      expectStatus(unknown, 401)
      assert.match(unknown.headers.get('www-authenticate') ?? '', /^Bearer realm="[^"]*", error="invalid_token"/)
      assert.equal(typeof unknown.json?.message, 'string')
    },
  ),
)

const withoutScope: readonly Row[] = served
  .filter(({ scope }) => scope !== null)
  .map((operation) => {
    const as = operation.scope === 'read_builds' ? 'bare' : 'reader'
    return row(
      [...needsOf(operation), as],
      `OP-${operation.id}-403 M wire/scopes: ${operation.id} wants ${operation.scope}, and says so`,
      async (target) => {
        const answer = await ask(target, pathOf(operation, namesAt(target)), { ...requestOf(operation), as })
        expectRefusal(answer, 403, `Your access token doesn't have the ${operation.scope} scope`)
        const challenge = answer.headers.get('www-authenticate') ?? ''
        assert.ok(challenge.includes(`error="insufficient_scope", scope="${operation.scope}"`), challenge)
      },
    )
  })

/** The last name of a path that is not there, and how that is said. */
const missing: readonly (readonly [name: string, message: string])[] = [
  ['org_slug', 'No organization found'],
  ['pipeline_slug', 'No pipeline found'],
  ['suite_slug', 'No suite found'],
  ['number', 'No build found'],
  ['test_id', 'No test found'],
]

const withoutRecord: readonly Row[] = served
  .filter(({ pathParameters }) => pathParameters.length > 0)
  .map((operation) =>
    row(
      needsOf(operation),
      `OP-${operation.id}-404 D wire/refusals: ${operation.id} names the first thing on its path that is not there`,
      async (target) => {
        for (const [name, message] of missing) {
          if (!operation.pathParameters.includes(name)) continue
          const nowhere = ['number', 'test_id'].includes(name) ? {} : { [name]: 'there-is-no-such-thing' }
          const path = pathOf(operation, { ...namesAt(target), ...nowhere })
          expectRefusal(await ask(target, path, requestOf(operation)), 404, message)
        }
      },
    ),
  )

/** Paths, each once, with the methods that the contract gives them. */
const paths = [...new Set(served.map(({ path }) => path))].map((path) => {
  const here = served.filter((operation) => operation.path === path)
  const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const first = here[0]
  if (first === undefined) throw new Error(`no operation at ${path}`)
  return { first, methods }
})

const wrongMethod: readonly Row[] = paths.map(({ first, methods }) =>
  row(
    needsOf(first),
    `OP-${first.id}-405 D wire/refusals: the path of ${first.id} refuses other methods before it asks for a token, and allows ${methods.join(', ')}`,
    async (target) => {
      const path = pathOf(first, namesAt(target))
      // `/tests/{test_id}` and `/tests/find` are one path to a matcher: what one allows, the other may show.
      for (const method of ['PATCH', 'DELETE', 'PUT', 'POST'].filter((one) => !methods.includes(one)).slice(0, 2)) {
        const answer = await ask(target, path, { method, as: null })
        expectRefusal(answer, 405, 'Method not allowed')
        const allowed = (answer.headers.get('allow') ?? '').split(', ')
        for (const one of methods) assert.ok(allowed.includes(one), `Allow lacks ${one}: ${allowed}`)
      }
    },
  ),
)

const preflights: readonly Row[] = paths.map(({ first, methods }) =>
  row(
    needsOf(first),
    `OP-${first.id}-OPTIONS D wire/leniency: a browser may ask for ${first.id} from any page: preflight without token, readable answers`,
    async (target) => {
      const path = pathOf(first, namesAt(target))
      const headers = {
        origin: 'https://app.example',
        'access-control-request-method': first.method,
        'access-control-request-headers': 'authorization,content-type',
      }
      const preflight = await ask(target, path, { method: 'OPTIONS', as: null, headers })
      expectStatus(preflight, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization,content-type')
      const allowed = (preflight.headers.get('access-control-allow-methods') ?? '').split(', ')
      for (const one of methods) assert.ok(allowed.includes(one), `methods lack ${one}: ${allowed}`)
      const refused = await ask(target, path, {
        ...requestOf(first),
        as: null,
        headers: { origin: 'https://app.example' },
      })
      assert.equal(refused.headers.get('access-control-allow-origin'), '*')
      assert.match(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/)
    },
  ),
)

const headRows: readonly Row[] = served
  .filter(({ method, path }) => method === 'GET' && !path.includes('{number}') && !path.includes('{test_id}'))
  .map((operation) =>
    row(
      needsOf(operation),
      `OP-${operation.id}-HEAD S wire/leniency: HEAD of ${operation.id} is GET without the body`,
      async (target) => {
        const path = pathOf(operation, namesAt(target))
        const get = await ask(target, path)
        const head = await ask(target, path, { method: 'HEAD' })
        expectStatus(get, operation.status)
        expectStatus(head, operation.status)
        assert.equal(head.text, '')
        for (const name of ['content-type', 'link', 'x-oauth-scopes', 'cache-control']) {
          assert.equal(head.headers.get(name), get.headers.get(name), name)
        }
      },
    ),
  )

const foreignRows: readonly Row[] = served
  .filter(({ pathParameters }) => pathParameters.includes('org_slug'))
  .map((operation) =>
    row(
      [...needsOf(operation), 'secondOrganization'],
      `OP-${operation.id}-foreign M wire/scopes: ${operation.id} in an organization that the token cannot see is as if it were not there`,
      async (target) => {
        if (target.secondOrganization === undefined) throw new NotApplicable('no second organization')
        const at = (org_slug: string) =>
          ask(target, pathOf(operation, { ...namesAt(target), org_slug }), requestOf(operation))
        const foreign = await at(target.secondOrganization)
        const absent = await at('there-is-no-such-thing')
        expectRefusal(foreign, 404, 'No organization found')
        assert.equal(foreign.text, absent.text)
      },
    ),
  )

/** One row for each operation and each way in which all operations refuse alike. */
export const operationRows: readonly Row[] = [
  ...withoutToken,
  ...withoutScope,
  ...withoutRecord,
  ...foreignRows,
  ...wrongMethod,
  ...preflights,
  ...headRows,
]
