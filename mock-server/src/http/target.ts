import { accept, type Decision, refuse } from '../domain/decision.js'
import { percentDecode } from '../domain/json.js'

/** The target of a request. All spellings of a path are normalized to one. */
export interface RequestTarget {
  /** The sandbox of the prefix `/s/{id}`; null for the main one. */
  readonly sandboxId: string | null
  /** Without prefix and extra slashes; each segment is decoded and encoded again. */
  readonly path: string
  /** The query as sent, without `?`. */
  readonly search: string
}

const badRequest = refuse('bad_request', 'Bad request', { detail: 'undecodable_path' })
const plain = /^(?:\/[A-Za-z0-9._~-]+)+$/

function canonical(path: string): string | null {
  if (plain.test(path)) return path
  const segments = path.split('/').filter((segment) => segment !== '')
  const decoded = segments.flatMap((segment) => percentDecode(segment) ?? [])
  if (decoded.length < segments.length || decoded.some((segment) => segment.includes('\0')))
    return null
  return `/${decoded.map((segment) => encodeURIComponent(segment)).join('/')}`
}

/** Reads the target of a request from an absolute URL, or from a path with its query. */
export function readTarget(url: string): Decision<RequestTarget> {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const [beforeFragment = ''] = local.split('#', 1)
  const mark = beforeFragment.indexOf('?')
  const path = canonical(mark < 0 ? beforeFragment : beforeFragment.slice(0, mark))
  if (path === null) return badRequest
  const search = mark < 0 ? '' : beforeFragment.slice(mark + 1)
  const [, sandboxId, rest] = /^\/s\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (sandboxId === undefined) return accept({ sandboxId: null, path, search })
  return accept({ sandboxId: decodeURIComponent(sandboxId), path: rest ?? '/', search })
}

/**
 * The part of the server that serves a path. It decides the format of refusals, and whether other
 * origins may read the answers.
 */
export type PathKind = 'rest' | 'oauth' | 'graphql' | 'document' | 'control' | 'page'

export function kindOf(path: string): PathKind {
  if (path === '/v2' || path.startsWith('/v2/')) return 'rest'
  if (path === '/_control' || path.startsWith('/_control/')) return 'control'
  if (path === '/oauth/token' || path === '/oauth/device_authorization') return 'oauth'
  if (path === '/graphql') return 'graphql'
  return path === '/openapi.json' ? 'document' : 'page'
}

/** Converts a path of the contract for hono: `/builds/{number}` to `/builds/:number`. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

export function allowOf(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
}
