import type { SeedDocument } from '@buildwire/mock-server'

type Organization = NonNullable<SeedDocument['organizations']>[number]
type Pipeline = NonNullable<Organization['pipelines']>[number] & { readonly slug: string }

const email = 'robin@acme.example'

/** A seed with one person, one token that reads and writes builds, and these pipelines. */
export const acmePipelines = (...pipelines: readonly Pipeline[]): SeedDocument => {
  const repository = 'git@git.acme.example:acme/web.git'
  const all = pipelines.map((pipeline) => ({ name: pipeline.slug, repository, ...pipeline }))
  const members = [{ user: email, role: 'admin' as const }]
  return {
    users: [{ email, name: 'Robin Reyes' }],
    organizations: [{ slug: 'acme', name: 'Acme', members, pipelines: all }],
    accessTokens: [
      {
        name: 'admin',
        user: email,
        scopes: ['read_builds', 'write_builds'],
        organizations: ['acme'],
      },
    ],
  }
}
