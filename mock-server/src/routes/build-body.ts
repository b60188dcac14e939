import type { BuildRequest } from '../domain/create-build.js'
import { accept, refuse } from '../domain/decision.js'
import {
  type BodyReader,
  bodyReader,
  digits,
  flag,
  optionalText,
  type Property,
  pairs,
  requiredText,
  texts,
} from '../http/read-body.js'

/** Null when the body leaves the author to the requesting user. */
const author: Property<BuildRequest['author']> = (value, name, faults) => {
  const { name: called = '', email = '' } = pairs((member) => (member === null ? '' : member))(value, name, faults)
  for (const [key, member] of Object.entries({ name: called, email })) {
    if (typeof member !== 'string') faults.add(`${name}.${key}`, 'invalid')
  }
  return `${called}${email}`.trim() === '' ? null : { name: String(called), email: String(email) }
}

/** Not a number so large that its digits were lost when the JSON was read. */
const variable = (value: unknown): string | undefined => {
  const isLost = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return !isLost && ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

const metaData = (value: unknown, key: string): string | boolean | undefined => {
  if (key === '') return undefined
  return typeof value === 'boolean' ? value : variable(value)
}

const readProperties = bodyReader('builds.create', {
  commit: requiredText,
  branch: requiredText,
  author,
  clean_checkout: flag,
  ignore_pipeline_branch_filters: flag,
  env: pairs(variable),
  message: optionalText,
  meta_data: pairs(metaData),
  pull_request_id: digits,
  pull_request_base_branch: optionalText,
  pull_request_repository: optionalText,
  pull_request_labels: texts,
})

/** Reads the body of create: all field errors in the table's order, then names in `env`. */
export const readCreateBuild: BodyReader<BuildRequest> = (body, options) => {
  const read = readProperties(body, options)
  if (!read.ok) return read
  const {
    pull_request_id: id,
    pull_request_base_branch: base,
    pull_request_repository: repository,
    pull_request_labels: labels,
    ...request
  } = read.value
  const badName = Object.keys(request.env).find((name) => !/^[A-Za-z0-9_]+$/.test(name))
  if (badName !== undefined) {
    return refuse(
      'unprocessable',
      `"${badName}" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)`,
    )
  }
  const given = { id, base: base || null, repository: repository || null }
  const isPulled = labels !== null || Object.values(given).some((value) => value !== null)
  return accept({ ...request, pull_request: isPulled ? { ...given, labels: labels ?? [], draft: false } : null })
}
