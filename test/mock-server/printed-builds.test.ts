import { createMockServer } from '@buildwire/mock-server'
import { expect, it } from 'vitest'
import { adminToken, apiOver } from '../support/control-client.js'

const seed = {
  version: 1,
  users: [{ email: 'robin@acme.example', name: 'Robin' }],
  organizations: [
    {
      slug: 'acme',
      name: 'Acme',
      members: [{ user: 'robin@acme.example', role: 'admin' }],
      pipelines: [
        { slug: 'deploy', repository: 'git@git.example:acme/deploy.git', steps: [{ command: 'ship' }] },
        {
          slug: 'web',
          repository: 'git@git.example:acme/web.git',
          lifecycle: { policy: 'immediate' },
          steps: [{ trigger: 'deploy', async: true }],
        },
      ],
    },
  ],
  accessTokens: [
    { name: 'admin', user: 'robin@acme.example', scopes: ['read_builds', 'write_builds'], organizations: ['acme'] },
  ],
} as const

const web = '/v2/organizations/acme/pipelines/web/builds'

it('a build that was printed before shows what changed around it', async () => {
  await using server = createMockServer({ seed, strict: true })
  const api = apiOver(server, await adminToken(server))
  const made = (await api('POST', web, { commit: 'HEAD', branch: 'main' })).body
  const read = async () => [(await api('GET', `${web}/${made.number}`)).body, (await api('GET', web)).body[0]]
  for (const build of await read()) {
    expect(build).toMatchObject({ creator: { name: 'Robin' }, jobs: [{ triggered_build: { number: 1 } }] })
  }

  await server.control.apply({ users: [{ email: 'robin@acme.example', name: 'Robin Reed' }] })
  for (const build of await read()) expect(build.creator.name).toBe('Robin Reed')

  const [triggered] = (await api('GET', '/v2/organizations/acme/pipelines/deploy/builds')).body
  await server.control.records.delete({ collection: 'builds', key: triggered.id })
  for (const build of await read()) expect(build.jobs[0].triggered_build).toBeNull()

  await server.control.apply({ organizations: [{ slug: 'acme', pipelines: [{ slug: 'web', name: 'Website' }] }] })
  for (const build of await read()) expect(build.pipeline.name).toBe('Website')
})
