import type { Handlers } from '../context.js'
import { accept } from '../domain/decision.js'
import { answerList } from '../http/list.js'
import { present } from '../http/present.js'
import { readSingle } from '../http/query.js'
import { findOrganization, findPipeline, pipelineAccess } from '../http/resource.js'

const contains = (text: string, part: string | null): boolean =>
  part === null || text.toLowerCase().includes(part.toLowerCase())

export const pipelineHandlers = {
  'pipelines.list': (path, context) => {
    const organization = findOrganization(context, path)
    if (!organization.ok) return organization
    const name = readSingle(context.query, 'name')
    if (!name.ok) return name
    const repository = readSingle(context.query, 'repository')
    if (!repository.ok) return repository
    const show = present(context.sandbox, context.caller)
    const pipelines = show.state
      .pipelines(organization.value.id)
      .filter((pipeline) => pipelineAccess(context, pipeline) !== 'none')
      .filter((pipeline) => contains(pipeline.name, name.value) && contains(pipeline.repository, repository.value))
    return answerList(context, pipelines, `${show.urls.organization(organization.value.slug)}/pipelines`, show.pipeline)
  },

  'pipelines.get': (path, context) => {
    const place = findPipeline(context, path)
    if (!place.ok) return place
    return accept({ body: present(context.sandbox, context.caller).pipeline(place.value.pipeline) })
  },
} satisfies Partial<Handlers>
