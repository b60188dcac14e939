import {
  annotate,
  annotationLimits,
  annotationStyles,
  isAnnotationText,
} from '../domain/attachments.js'
import { map } from '../domain/decision.js'
import { asText, bodyReader, flag, isBlank, optional, required } from '../http/read-body.js'
import { presentAnnotation } from '../present/present-attachment.js'
import type { Handlers } from '../request/exchange.js'
import { inTurn } from '../request/resource.js'
import { list, withBody } from './route.js'

function notBlank(value: unknown): string | undefined {
  return isBlank(value) ? undefined : asText(value)
}

function annotationText(value: unknown): string | undefined {
  return typeof value === 'string' && isAnnotationText(value) ? value : undefined
}

/** A priority from 1 to 10, as a number or as digits. */
function priority(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^[0-9]{1,2}$/.test(value)
  const number = isDigits ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined
  return number >= 1 && number <= 10 ? number : undefined
}

const readAnnotation = bodyReader('annotations.create', {
  body: required(annotationText, isBlank, annotationLimits),
  style: optional(null, (value) => annotationStyles.find((style) => style === value)),
  priority: optional(null, priority),
  context: optional('default', notBlank),
  append: flag,
})

export const annotationHandlers = {
  'annotations.list': list('annotations.list', {
    records: ({ build }, { sandbox }) => sandbox.store.state.list('annotations', build.id),
    show: (_show, annotation) => presentAnnotation(annotation),
    filters: {},
  }),

  'annotations.create': withBody(
    'annotations.create',
    readAnnotation,
    async ({ place, body }, context) => {
      const created = await inTurn(context, place, (turn, build, _pipeline, tx) => {
        const before = tx.state.find('annotationByContext', build.id, body.context)
        const decision = annotate(build.id, before, body, turn)
        if (decision.ok) tx.put('annotations', decision.value)
        return decision
      })
      return map(created, (annotation) => ({ body: presentAnnotation(annotation) }))
    },
  ),
} satisfies Partial<Handlers>
