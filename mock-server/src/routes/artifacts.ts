import { accept, refuse } from '../domain/decision.js'
import { globMatcher } from '../domain/glob.js'
import { artifactLink } from '../present/artifact-link.js'
import { presentArtifact } from '../present/present-attachment.js'
import type { ArtifactRecord } from '../records/records.js'
import type { Handlers } from '../request/exchange.js'
import { list, route } from './route.js'

const filters = {
  path: (patterns: readonly string[]) => {
    const matchers = patterns.map(globMatcher)
    return ({ path }: ArtifactRecord) => matchers.some((matches) => matches(path))
  },
  state: (states: readonly string[]) => (artifact: ArtifactRecord) =>
    states.includes(artifact.state),
}

export const artifactHandlers = {
  'artifacts.list': list('artifacts.list', {
    records: ({ build }, { sandbox }) => sandbox.store.state.list('artifacts', build.id),
    show: presentArtifact,
    filters,
  }),

  'artifacts.listForJob': list('artifacts.listForJob', {
    records: ({ job }, { sandbox }) => sandbox.store.state.list('artifacts', job.id),
    show: presentArtifact,
    filters,
  }),

  'artifacts.download': route('artifacts.download', ({ place: { artifact } }, { sandbox, now }) => {
    if (artifact.state !== 'finished')
      return refuse('not_found', `The artifact is ${artifact.state}`)

    const url = artifactLink(sandbox, artifact, now)
    return accept({ body: { url }, headers: { Location: url, 'Cache-Control': 'no-store' } })
  }),
} satisfies Partial<Handlers>
