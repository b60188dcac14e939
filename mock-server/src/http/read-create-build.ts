import type { BuildRequest } from '../domain/create-build.js'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { type Body, FieldErrors, isObject } from './fields.js'

const known = [
  'commit',
  'branch',
  'author',
  'clean_checkout',
  'ignore_pipeline_branch_filters',
  'env',
  'message',
  'meta_data',
  'pull_request_id',
  'pull_request_base_branch',
  'pull_request_repository',
  'pull_request_labels',
]

/**
 * Reads the body of create: all field errors in the table's order, then names in `env`.
 * `author` is null when the body leaves it to the requesting user.
 */
export function readCreateBuild(body: Body, options: { readonly strict: boolean }): Decision<BuildRequest> {
  const errors = new FieldErrors()
  const commit = errors.requiredText(body, 'commit')
  const branch = errors.requiredText(body, 'branch')
  const author = readAuthor(body, errors)
  const clean_checkout = errors.flag(body, 'clean_checkout')
  const ignore_pipeline_branch_filters = errors.flag(body, 'ignore_pipeline_branch_filters')
  const env = readPairs(body, 'env', errors, envValue)
  const message = errors.optionalText(body, 'message')
  const meta_data = readPairs(body, 'meta_data', errors, metaDataValue)
  const pull_request = readPullRequest(body, errors)
  if (options.strict) errors.unknown(body, known)
  if (commit === undefined || branch === undefined || errors.list.length > 0) {
    return refuse('unprocessable', 'Validation Failed', { errors: errors.list })
  }
  const badName = Object.keys(env).find((name) => !/^[A-Za-z0-9_]+$/.test(name))
  if (badName !== undefined) {
    return refuse(
      'unprocessable',
      `"${badName}" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)`,
    )
  }
  return accept({
    commit,
    branch,
    author,
    clean_checkout,
    ignore_pipeline_branch_filters,
    env,
    message,
    meta_data,
    pull_request,
  })
}

function readAuthor(body: Body, errors: FieldErrors): BuildRequest['author'] {
  const given = body['author'] ?? {}
  if (!isObject(given)) {
    errors.add('author', 'invalid')
    return null
  }
  const member = (name: string): string => {
    const value = given[name] ?? ''
    if (typeof value === 'string') return value
    errors.add(`author.${name}`, 'invalid')
    return ''
  }
  const author = { name: member('name'), email: member('email') }
  return `${author.name}${author.email}`.trim() === '' ? null : author
}

function envValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function metaDataValue(value: unknown, key: string): string | boolean | undefined {
  if (key === '') return undefined
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' ? String(value) : undefined
}

/** An object's values, each coerced by `read`; undefined refuses that one. */
function readPairs<T>(
  body: Body,
  field: string,
  errors: FieldErrors,
  read: (value: unknown, key: string) => T | undefined,
): Readonly<Record<string, T>> {
  const given = body[field] ?? {}
  if (!isObject(given)) {
    errors.add(field, 'invalid')
    return {}
  }
  const pairs: [string, T][] = []
  for (const [key, value] of Object.entries(given)) {
    const kept = read(value, key)
    if (kept === undefined) errors.add(`${field}.${key}`, 'invalid')
    else pairs.push([key, kept])
  }
  return Object.fromEntries(pairs)
}

function readPullRequest(body: Body, errors: FieldErrors): BuildRequest['pull_request'] {
  const id = readNumber(body, 'pull_request_id', errors)
  const base = errors.optionalText(body, 'pull_request_base_branch') || null
  const repository = errors.optionalText(body, 'pull_request_repository') || null
  const labels = readLabels(body, 'pull_request_labels', errors)
  if (id === null && base === null && repository === null && labels === null) return null
  return { id, base, repository, labels: labels ?? [], draft: false }
}

/** A number from 1, or its digits, in the text that the wire shows; absent, null and empty are null. */
function readNumber(body: Body, field: string, errors: FieldErrors): string | null {
  const value = body[field] ?? ''
  if (value === '') return null
  const number = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 1) return String(number)
  errors.add(field, 'invalid')
  return null
}

function readLabels(body: Body, field: string, errors: FieldErrors): readonly string[] | null {
  const value = body[field] ?? null
  if (value === null) return null
  if (Array.isArray(value) && value.every((label) => typeof label === 'string')) return value
  errors.add(field, 'invalid')
  return null
}
