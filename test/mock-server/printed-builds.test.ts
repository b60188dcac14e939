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
