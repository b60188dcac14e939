import { ControlError } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { apiOver } from '../../support/control-client.js'

describe('apply', () => {
  it('creates and changes by natural key: a value replaces, null restores the default, absent keys stay', async ({
    server,
  }) => {
    expect(
      await server.control.apply({
        users: [
          { email: 'ROBIN@acme.example', emailVerified: false },
          { email: 'kim@acme.example' },
        ],
        organizations: [
          { slug: 'acme', pipelines: [{ slug: 'web', name: 'Web', default_branch: 'trunk' }] },
        ],
      }),
    ).toEqual({ created: 1, updated: 3, accessTokens: {}, clientSecrets: {}, notices: [] })
    const { records } = server.control
    const robin = await records.get({ collection: 'users', key: 'robin@acme.example' })
    expect(robin).toMatchObject({ name: 'Robin', emailVerified: false })
    await server.control.apply({
      organizations: [{ slug: 'acme', pipelines: [{ slug: 'web', default_branch: null }] }],
    })
    const web = await records.get({ collection: 'pipelines', key: 'acme:web' })
    expect(web).toMatchObject({ name: 'Web', default_branch: 'main' })
    expect(web['steps']).toHaveLength(5)
  })

  it('renames a record that it finds by id', async ({ server }) => {
    const before = await server.control.records.get({ collection: 'pipelines', key: 'acme:web' })
    await server.control.apply({
      organizations: [{ slug: 'acme', pipelines: [{ id: before.id, slug: 'site' }] }],
    })
    expect(
      (await server.control.records.get({ collection: 'pipelines', key: 'acme:site' })).id,
    ).toBe(before.id)
    await expect(
      server.control.records.get({ collection: 'pipelines', key: 'acme:web' }),
    ).rejects.toThrow(ControlError)
    await expect(
      server.control.apply({
        organizations: [{ slug: 'acme', pipelines: [{ id: before.id, slug: 'api' }] }],
      }),
    ).rejects.toMatchObject({
      errors: [
        { path: 'organizations[0].pipelines[0].slug', message: 'belongs to another pipeline' },
      ],
    })
  })

  it('applies all or nothing, and names every error by its path', async ({ server }) => {
    const digestOf = async () => (await server.control.snapshot.get()).digest
    const before = await digestOf()
    const error = await server.control
      .apply({
        users: [{ email: 'kim@acme.example' }],
        organizations: [
          {
            slug: 'acme',
            members: [{ user: 'gone@acme.example' }],
            pipelines: [
              { slug: 'web', builds: [{ state: 'passed', creator: 'nobody@acme.example' }] },
            ],
          },
        ],
        applications: [{ kind: 'token_exchange', name: 'X', grantableScopes: [] }],
        rules: [{ actions: [{ socket: 'reset' }] }],
        settings: { pollGraceMs: 5 },
      })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ControlError)
    expect(error).toMatchObject({
      code: 'invalid',
      status: 422,
      message: 'Validation Failed',
      errors: [
        {
          path: 'organizations[0].members[0].user',
          message: 'there is no user "gone@acme.example"',
        },
        {
          path: 'organizations[0].pipelines[0].builds[0].creator',
          message: 'there is no user "nobody@acme.example"',
        },
        { path: 'applications[0].grantableScopes' },
        { path: 'applications[0].jwks' },
      ],
    })
    expect(await digestOf()).toBe(before)
    await expect(
      server.control.apply({
        rules: [{ actions: [{ socket: 'reset' }] }],
        users: [{ email: 'kim@acme.example' }],
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'rules[0].actions[0].socket' }] })
    expect(await digestOf()).toBe(before)
    expect(await server.control.rules.list()).toEqual([])
  })

  it('shows the values of new tokens and secrets once, and they work', async ({ server }) => {
    const applied = await server.control.apply({
      applications: [
        { kind: 'device', name: 'Kiosk', client_id: 'kiosk', clientType: 'confidential' },
      ],
      accessTokens: [
        { name: 'ci', user: 'sam@acme.example', scopes: ['read_builds'] },
        {
          name: 'literal',
          user: 'sam@acme.example',
          scopes: ['read_builds'],
          value: 'a-literal-token',
        },
      ],
    })
    expect(applied.accessTokens).toEqual({
      ci: expect.stringMatching(/^bwua_[A-Za-z0-9]{43}$/),
      literal: 'a-literal-token',
    })
    expect(applied.clientSecrets).toEqual({ kiosk: expect.stringMatching(/^[A-Za-z0-9]{43}$/) })
    for (const token of Object.values(applied.accessTokens))
      expect((await apiOver(server, token)('GET', '/v2/builds')).status).toBe(200)
    const again = await server.control.apply({
      accessTokens: [{ name: 'ci', scopes: ['read_user'] }],
      applications: [{ client_id: 'kiosk', enabled: false }],
    })
    expect(again).toMatchObject({ updated: 2, created: 0, accessTokens: {}, clientSecrets: {} })
    expect(
      (await apiOver(server, applied.accessTokens['ci'] ?? '')('GET', '/v2/builds')).status,
    ).toBe(403)
    await expect(
      server.control.apply({ applications: [{ client_id: 'kiosk', kind: 'token_exchange' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'applications[0].kind', message: 'cannot be changed' }],
    })
  })

  it('changes settings, memberships and lifecycle from the next request on', async ({
    server,
    api,
  }) => {
    await server.control.apply({ settings: { maxListingDepth: 1 } })
    expect((await api('GET', '/v2/builds?page=2')).status).toBe(400)
    await server.control.apply({ settings: { maxListingDepth: null } })
    expect((await api('GET', '/v2/builds?page=2')).status).toBe(200)
    await server.control.apply({
      organizations: [
        { slug: 'acme', members: [{ user: 'robin@acme.example', pipelines: { web: 'none' } }] },
      ],
    })
    expect((await api('GET', '/v2/organizations/acme/pipelines/web/builds')).status).toBe(404)
    await server.control.apply({ lifecycle: { policy: 'immediate' } })
    const made = await api('POST', '/v2/organizations/acme/pipelines/api/builds', {
      commit: 'HEAD',
      branch: 'main',
    })
    expect(made.body.state).toBe('scheduled')
    expect(
      (await api('GET', `/v2/organizations/acme/pipelines/api/builds/${made.body.number}`)).body
        .state,
    ).toBe('passed')
  })

  it('merges the jobs of a build by key, and adds builds without number', async ({
    server,
    api,
  }) => {
    const build = await server.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'web',
      state: 'running',
    })
    await server.control.apply({
      organizations: [
        {
          slug: 'acme',
          pipelines: [
            {
              slug: 'web',
              builds: [
                {
                  number: build.number,
                  message: 'Patched',
                  jobs: [{ step_key: 'lint', log: 'by hand' }],
                },
                { state: 'passed', branch: 'x' },
              ],
            },
          ],
        },
      ],
    })
    const list = (await api('GET', '/v2/organizations/acme/pipelines/web/builds')).body
    expect(list).toHaveLength(2)
    const patched = list.find(({ number }: { number: number }) => number === build.number)
    expect(patched).toMatchObject({
      message: 'Patched',
      state: 'running',
      created_at: build.created_at,
    })
    expect(patched.jobs).toHaveLength(5)
    const log = await api(
      'GET',
      `/v2/organizations/acme/pipelines/web/builds/${build.number}/jobs/${patched.jobs[0].id}/log`,
    )
    expect(log.body.content).toBe('by hand')
  })
})
