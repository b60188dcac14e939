import { accept } from '../domain/decision.js'
import type { PipelineRecord } from '../records/records.js'
import type { Handlers } from '../request/exchange.js'
import { pipelineAccess } from '../request/resource.js'
import { list, route } from './route.js'

function containing(field: 'name' | 'repository') {
  return (part: string) =>
    (pipeline: PipelineRecord): boolean =>
      pipeline[field].toLowerCase().includes(part.toLowerCase())
}

export const pipelineHandlers = {
  'pipelines.list': list<'pipelines.list', PipelineRecord>('pipelines.list', {
    records: ({ organization }, context) =>
      context.sandbox.store.state
        .list('pipelines', organization.id)
        .filter((pipeline) => pipelineAccess(context, pipeline) !== 'none'),
    show: (show, pipeline) => show.pipeline(pipeline),
    filters: { name: containing('name'), repository: containing('repository') },
  }),

  'pipelines.get': route('pipelines.get', ({ place, show }) =>
    accept({ body: show.pipeline(place.pipeline) }),
  ),
} satisfies Partial<Handlers>
