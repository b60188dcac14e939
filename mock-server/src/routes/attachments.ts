import { annotate, annotationStyles, isAnnotationText } from '../domain/attachments.js'
import { accept, map, refuse } from '../domain/decision.js'
import { asText, bodyReader, flag, isBlank, optional, required } from '../http/read-body.js'
import { artifactLink } from '../present/artifact-link.js'
import { presentAnnotation, presentArtifact } from '../present/present-attachment.js'
import type { Handlers } from '../request/exchange.js'
import { inTurn } from '../request/resource.js'
import { list, route, withBody } from './route.js'

function notBlank(value: unknown): string | undefined {
  return isBlank(value) ? undefined : asText(value)
}

const readAnnotation = bodyReader('annotations.create', {
  body: required(
    (value) => (typeof value === 'string' && isAnnotationText(value) ? value : undefined),
    isBlank,
  ),
  style: optional(null, (value) => annotationStyles.find((style) => style === value)),
  priority: optional(null, (value) => {
    const number = typeof value === 'string' && /^[0-9]{1,2}$/.test(value) ? Number(value) : value
    return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 10
      ? number
      : undefined
  }),
  context: optional('default', notBlank),
  append: flag,
})

export const attachmentHandlers = {
  'annotations.list': list('annotations.list', {
    records: ({ build }, { sandbox }) => sandbox.store.state.list('annotations', build.id),
    show: (_show, annotation) => presentAnnotation(annotation),
    filters: {},
  }),

  'annotations.create': withBody(
    'annotations.create',
    readAnnotation,
    async ({ place, body }, context) => {
      const made = await inTurn(context, place, (turn, build, _pipeline, tx) => {
        const before = tx.state.find('annotationByContext', build.id, body.context)
        const decision = annotate(build.id, before, body, turn)
        if (decision.ok) tx.put('annotations', decision.value)
        return decision
      })
      return map(made, (annotation) => ({ body: presentAnnotation(annotation) }))
    },
  ),

  'artifacts.list': list('artifacts.list', {
    records: ({ build }, { sandbox }) => sandbox.store.state.list('artifacts', build.id),
    show: presentArtifact,
    filters: {},
  }),

  'artifacts.listForJob': list('artifacts.listForJob', {
    records: ({ job }, { sandbox }) => sandbox.store.state.list('artifacts', job.id),
    show: presentArtifact,
    filters: {},
  }),

  'artifacts.download': route('artifacts.download', ({ place: { artifact } }, { sandbox, now }) => {
    if (artifact.state !== 'finished')
      return refuse('not_found', `The artifact is ${artifact.state}`)
    const url = artifactLink(sandbox, artifact, now)
    return accept({ body: { url }, headers: { Location: url, 'Cache-Control': 'no-store' } })
  }),
} satisfies Partial<Handlers>
