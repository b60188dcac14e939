import { accept, type Decision, refuse } from '../domain/decision.js'
import type { LabelChange } from '../domain/test-labels.js'
import { type Body, FieldErrors } from './fields.js'

interface Options {
  readonly strict: boolean
}

/** Reads the body of find: `scope` may be empty, `name` may not. */
export function readFindTest(
  body: Body,
  options: Options,
): Decision<{ readonly scope: string; readonly name: string }> {
  const errors = new FieldErrors()
  const scope = body['scope'] ?? undefined
  if (scope === undefined) errors.add('scope', 'missing')
  else if (typeof scope !== 'string') errors.add('scope', 'invalid')
  const name = errors.requiredText(body, 'name')
  if (options.strict) errors.unknown(body, ['scope', 'name'])
  if (typeof scope !== 'string' || name === undefined || errors.list.length > 0) {
    return refuse('unprocessable', 'Validation Failed', { errors: errors.list })
  }
  return accept({ scope, name })
}

/** Reads the body of a label change. */
export function readLabelChange(body: Body, options: Options): Decision<LabelChange> {
  const errors = new FieldErrors()
  const operator = body['operator'] ?? undefined
  if (operator === undefined) errors.add('operator', 'missing')
  else if (operator !== 'add' && operator !== 'remove') errors.add('operator', 'invalid')
  const given = body['labels'] ?? undefined
  const labels = Array.isArray(given) && given.every(isLabel) ? given : undefined
  if (given === undefined) errors.add('labels', 'missing')
  else if (labels === undefined) errors.add('labels', 'invalid')
  if (options.strict) errors.unknown(body, ['operator', 'labels'])
  if ((operator !== 'add' && operator !== 'remove') || labels === undefined || errors.list.length > 0) {
    return refuse('unprocessable', 'Validation Failed', { errors: errors.list })
  }
  return accept({ operator, labels })
}

const isLabel = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
