import type { BuildRequest } from '../../domain/create-build.js'
import { accept, refuse } from '../../domain/decision.js'
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
} from '../../http/read-body.js'

const readMembers = pairs((member) => (member === null ? '' : member))

const author: Property<BuildRequest['author']> = (value, property, faults) => {
  const { name = '', email = '' } = readMembers(value, property, faults)
  for (const [key, member] of Object.entries({ name, email })) {
    if (typeof member !== 'string') faults.add(`${property}.${key}`, 'invalid')
  }
  const isBlank = `${name}${email}`.trim() === ''
  return isBlank ? null : { name: String(name), email: String(email) }
}

/** A text, a boolean or a number as text. A number loses digits in JSON if it is too large. */
function variable(value: unknown): string | undefined {
  const hasLostDigits = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (hasLostDigits) return undefined
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

function metaData(value: unknown, key: string): string | boolean | undefined {
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

/** Reads the body of create. Reports all field errors in the table's order, then names in `env`. */
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

  const source = { id, base: base || null, repository: repository || null }
  const isPullRequest = labels !== null || Object.values(source).some((value) => value !== null)
  const pull_request = isPullRequest ? { ...source, labels: labels ?? [], draft: false } : null
  return accept({ ...request, pull_request })
}
