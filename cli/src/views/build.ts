import type { Author, Build, User } from '@buildwire/sdk/contract'

/** Organization and pipeline of a build, where the record or its URL tells. */
export interface BuildAddress {
  readonly org_slug: string | null
  readonly pipeline_slug: string | null
}

/** The word for a build's state: `blocked` wins over the state it keeps. */
export function buildState(build: Pick<Build, 'state' | 'blocked'>): string {
  return build.blocked === true ? 'blocked' : build.state
}

/** Who a build is by: the user who started it, else the commit's author; name, else e-mail, else id. */
export function buildBy(build: Pick<Build, 'creator' | 'author'>): string {
  return personName(build.creator) || personName(build.author)
}

function personName(person: User | Author | string | null | undefined): string {
  if (person === null || person === undefined) return ''
  if (typeof person === 'string') return person
  if (typeof person !== 'object') return ''
  const id = 'id' in person && typeof person.id === 'string' ? person.id : ''
  return person.name || person.email || id
}

/** Where a build belongs, from its pipeline record, else from its API URL. */
export function buildAddress(build: Partial<Pick<Build, 'url' | 'pipeline'>>): BuildAddress {
  const match = /\/v2\/organizations\/([^/]+)\/pipelines\/([^/]+)\/builds\//u.exec(build.url ?? '')
  return { org_slug: match?.[1] ?? null, pipeline_slug: build.pipeline?.slug ?? match?.[2] ?? null }
}
