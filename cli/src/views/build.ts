import { parseTimestamp } from '@buildwire/sdk'
import type { Author, Build, Job, User } from '@buildwire/sdk/contract'
import { duration } from '../io/time.js'

/** The word for a build's state: `blocked` comes before the state in the record. */
export function buildState(build: Pick<Build, 'state' | 'blocked'>): string {
  return build.blocked === true ? 'blocked' : build.state
}

/**
 * The person of a build: the user who started it, else the commit's author; the name, else the
 * e-mail address, else the id.
 */
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

/** The organization and the pipeline of a build, from its pipeline record, else its API URL. */
export function buildAddress(build: Partial<Pick<Build, 'url' | 'pipeline'>>) {
  const match = /\/v2\/organizations\/([^/]+)\/pipelines\/([^/]+)\/builds\//u.exec(build.url ?? '')
  return { org_slug: match?.[1] ?? null, pipeline_slug: build.pipeline?.slug ?? match?.[2] ?? null }
}

const SHA_SHOWN = 12

/** The first characters of a SHA; any other commit name is not shortened. */
export function shortCommit(commit: string | null | undefined): string | null {
  if (!commit) return null
  return /^[0-9a-f]{40,64}$/u.test(commit) ? commit.slice(0, SHA_SHOWN) : commit
}

type RunTimes = Partial<Pick<Build | Job, 'started_at' | 'finished_at'>>

/** How long a build or a job has run, in milliseconds; null if it never started. */
export function ranMs({ started_at, finished_at }: RunTimes, now: number): number | null {
  const started = parseTimestamp(started_at)
  return started === null ? null : (parseTimestamp(finished_at) ?? now) - started
}

export function runningTime(run: RunTimes, now: number): string | null {
  const ms = ranMs(run, now)
  return ms === null ? null : duration(ms)
}
