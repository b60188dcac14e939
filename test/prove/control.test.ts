import { describeFaults } from '@buildwire/mock-server/vitest'
import { CiClient } from '@buildwire/sdk'
import { expect, it } from 'vitest'
import { createMockServer } from '../../mock-server/src/index.js'

const web = { org_slug: 'acme', pipeline_slug: 'web' }
const request = { ...web, commit: 'HEAD', branch: 'main' }

describeFaults('a client of the SDK', async ({ baseUrl, accessTokens }) => {
  const ci = new CiClient({ baseUrl, auth: accessTokens['admin'] ?? '' })
  await ci.builds.create(request)
  await ci.close()
})

describeFaults(
  'a client that handles a row without a request',
  async ({ baseUrl, accessTokens }) => {
    const headers = { authorization: `Bearer ${accessTokens['admin']}` }
    const response = await fetch(`${baseUrl}/v2/user`, { headers })
    if (!response.ok) throw new Error(String(response.status))
    return response.json()
  },
  {
    except: [
      'before-commit',
      'bad-gateway',
      'unavailable/user.get',
      'rate-limited/user.get',
      'retry-date',
      'silent',
    ],
  },
)

it('the control API adds one fault at a time to a sandbox, and judges the client', async () => {
  await using server = createMockServer()
  await server.listen()
  await using sandbox = await server.sandbox({ seed: 'demo' })
  const { faults, reset } = sandbox.control
  const headers = {
    authorization: `Bearer ${sandbox.accessTokens['admin']}`,
    'content-type': 'application/json',
  }
  const path = '/v2/organizations/acme/pipelines/web/builds'
  const start = () =>
    fetch(`${sandbox.baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: '{"commit":"HEAD","branch":"main"}',
    })

  await start()
  const ids = (await faults.list()).map(({ id }) => id)
  expect(ids).toContain('after-commit/builds.create')
  await expect(faults.judge()).rejects.toMatchObject({ code: 'conflict' })
  await expect(faults.create({ id: 'after-commit/builds.get' })).rejects.toMatchObject({
    code: 'invalid',
  })

  await faults.create({ id: 'after-commit/builds.create' })
  await reset()
  headers.authorization = `Bearer ${(await sandbox.control.accessTokens.create({ user: 'robin@acme.example', scopes: ['write_builds'] })).access_token}`
  await start().catch(start)
  const { verdict, reason, evidence } = await faults.judge()
  expect({ verdict, reason }).toEqual({
    verdict: 'harmed',
    reason: 'The server did it and the client did it again: 2 times instead of 1.',
  })
  expect(evidence.map(({ status, fault }) => ({ status, fault }))).toEqual([
    { status: null, fault: true },
    { status: 201, fault: false },
  ])

  await faults.create({ id: 'unavailable/builds.create' })
  expect((await start()).status).toBe(503)
  expect(await faults.judge({ green: false })).toMatchObject({ verdict: 'survived' })
  await faults.delete()
  expect((await start()).status).toBe(201)
}, 60_000)
