import type { SeedDocument } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { acmeSeed, acmeServer, adminToken, apiOver } from '../support/control-client.js'

const [acme] = acmeSeed.organizations
const lifecycle = { policy: 'immediate' }
const pipelines = [
  { slug: 'deploy', steps: [{ command: 'ship' }] },
  { slug: 'web', lifecycle, steps: [{ trigger: 'deploy', async: true }] },
]
const seed = { ...acmeSeed, organizations: [{ ...acme, pipelines }] } as SeedDocument

const web = '/v2/organizations/acme/pipelines/web/builds'

it('a build that was printed before shows later changes of nested records', async () => {
  await using server = acmeServer({ seed })
  const api = apiOver(server, await adminToken(server))
  const made = (await api('POST', web, { commit: 'HEAD', branch: 'main' })).body
  const read = async () => [
    (await api('GET', `${web}/${made.number}`)).body,
    (await api('GET', web)).body[0],
  ]
  for (const build of await read()) {
    expect(build).toMatchObject({
      creator: { name: 'Robin' },
      jobs: [{ triggered_build: { number: 1 } }],
    })
  }

  await server.control.apply({ users: [{ email: 'robin@acme.example', name: 'Robin Reed' }] })
  for (const build of await read()) expect(build.creator.name).toBe('Robin Reed')

  const [triggered] = (await api('GET', '/v2/organizations/acme/pipelines/deploy/builds')).body
  await server.control.records.delete({ collection: 'builds', key: triggered.id })
  for (const build of await read()) expect(build.jobs[0].triggered_build).toBeNull()

  await server.control.apply({
    organizations: [{ slug: 'acme', pipelines: [{ slug: 'web', name: 'Website' }] }],
  })
  for (const build of await read()) expect(build.pipeline.name).toBe('Website')
})

it('the pipeline of a printed build is that of pipelines.get, for each caller and count', async () => {
  const scopes = ['read_builds', 'write_builds', 'read_pipelines'] as const
  const user = 'robin@acme.example'
  const accessTokens = [
    { name: 'editor', user, scopes: [...scopes, 'write_pipelines'] },
    { name: 'reader', user, scopes: [...scopes] },
  ] as const
  await using server = acmeServer({
    seed: { ...seed, accessTokens: [...accessTokens] },
    lifecycle: { policy: 'manual' },
  })
  const tokens = (await server.ready()).accessTokens
  const editor = apiOver(server, tokens['editor'] ?? '')
  const reader = apiOver(server, tokens['reader'] ?? '')
  const deploy = '/v2/organizations/acme/pipelines/deploy'
  const webhooks = new Set<string>()
  const counts = new Set<number>()
  for (let created = 0; created < 3; created++) {
    await editor('POST', `${deploy}/builds`, { commit: 'HEAD', branch: 'main' })
    for (const api of [editor, reader, editor]) {
      const pipeline = (await api('GET', deploy)).body
      expect((await api('GET', `${deploy}/builds/1`)).body.pipeline).toEqual(pipeline)
      expect((await api('GET', `${deploy}/builds`)).body[0].pipeline).toEqual(pipeline)
      webhooks.add(pipeline.provider.webhook_url)
      counts.add(pipeline.scheduled_builds_count)
    }
  }
  expect([webhooks.size, [...counts]]).toEqual([2, [1, 2, 3]])
})
