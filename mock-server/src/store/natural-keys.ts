import { asciiLower, byText } from '../domain/order.js'
import type { Collection, Records } from '../records/records.js'

type KeyPart = string | number
type Keys<P extends readonly KeyPart[]> = readonly P[]

/**
 * @param of The keys under which a record is found; an empty list hides the record.
 * @param fold Normalizes a part before it is compared.
 */
function naturalKey<C extends Collection, P extends readonly KeyPart[]>(
  collection: C,
  of: (record: Records[C]) => Keys<P>,
  fold?: (part: string) => string,
) {
  return { collection, of, fold }
}

/** The look-ups of `State.find`; each has an index. */
export const naturalKeys = {
  userByEmail: naturalKey('users', ({ email }): Keys<[string]> => [[email]], asciiLower),
  organizationBySlug: naturalKey('organizations', ({ slug }): Keys<[string]> => [[slug]]),
  member: naturalKey(
    'members',
    ({ organizationId, userId }): Keys<[string, string]> => [[organizationId, userId]],
  ),
  queueByKey: naturalKey(
    'queues',
    ({ organizationId, key }): Keys<[string, string]> => [[organizationId, key]],
  ),
  pipelineBySlug: naturalKey(
    'pipelines',
    ({ organizationId, slug }): Keys<[string, string]> => [[organizationId, slug]],
  ),
  agentByName: naturalKey(
    'agents',
    ({ organizationId, name }): Keys<[string, string]> => [[organizationId, name]],
  ),
  suiteBySlug: naturalKey(
    'suites',
    ({ organizationId, slug }): Keys<[string, string]> => [[organizationId, slug]],
  ),
  testByName: naturalKey(
    'tests',
    ({ suiteId, scope, name }): Keys<[string, string, string]> => [[suiteId, scope, name]],
  ),
  applicationByClientId: naturalKey(
    'applications',
    ({ client_id }): Keys<[string]> => [[client_id]],
  ),
  accessTokenByDigest: naturalKey('accessTokens', ({ digest }): Keys<[string]> => [[digest]]),
  accessTokenByName: naturalKey(
    'accessTokens',
    ({ name }): Keys<[string]> => (name === null ? [] : [[name]]),
  ),
  refreshFamilyByDigest: naturalKey('refreshFamilies', ({ digest }): Keys<[string]> => [[digest]]),
  liveGrant: naturalKey(
    'grants',
    (grant): Keys<[user: string, application: string, organization: string]> =>
      grant.revokedAt === null ? [[grant.userId, grant.applicationId, grant.organizationId]] : [],
  ),
  deviceAuthorizationByDeviceCode: naturalKey(
    'deviceAuthorizations',
    (of): Keys<[string]> => [[of.deviceCodeDigest]],
  ),
  deviceAuthorizationByUserCode: naturalKey(
    'deviceAuthorizations',
    (of): Keys<[string]> => [[of.userCodeDigest]],
  ),
  loginByDigest: naturalKey('logins', ({ digest }): Keys<[string]> => [[digest]]),
  buildByNumber: naturalKey(
    'builds',
    ({ pipelineId, number }): Keys<[string, number]> => [[pipelineId, number]],
  ),
  buildByJob: naturalKey(
    'builds',
    ({ jobs }): Keys<[string]> => jobs.map((job): [string] => [job.id]),
  ),
  annotationByContext: naturalKey(
    'annotations',
    ({ buildId, context }): Keys<[string, string]> => [[buildId, context]],
  ),
}

export type NaturalKeys = {
  readonly [K in keyof typeof naturalKeys]: {
    readonly collection: (typeof naturalKeys)[K]['collection']
    readonly parts: ReturnType<(typeof naturalKeys)[K]['of']>[number]
  }
}

/** The text of a natural key in its index. */
export function keyText(key: keyof NaturalKeys, parts: readonly KeyPart[]): string {
  const { fold } = naturalKeys[key]
  if (parts.length === 1 && fold === undefined) return String(parts[0])
  return parts.map((part) => (fold ? fold(String(part)) : String(part))).join('\0')
}

function listed<C extends Collection>(
  groups: (record: Records[C]) => readonly string[],
  compare: (a: Records[C], b: Records[C]) => number,
) {
  return {
    groups,
    compare: (a: Records[C], b: Records[C]): number => compare(a, b) || byText(a.id, b.id),
  }
}

export const lists = {
  pipelines: listed<'pipelines'>(
    ({ organizationId }) => [organizationId],
    (a, b) => byText(a.slug, b.slug),
  ),
  tests: listed<'tests'>(
    ({ suiteId }) => [suiteId],
    (a, b) => byText(a.scope, b.scope) || byText(a.name, b.name),
  ),
  /** Ordered by priority, highest first, then by age, oldest first. */
  annotations: listed<'annotations'>(
    ({ buildId }) => [buildId],
    (a, b) => b.priority - a.priority || byText(a.created_at, b.created_at),
  ),
  artifacts: listed<'artifacts'>(
    ({ buildId, jobId }) => [buildId, jobId],
    (a, b) => byText(a.path, b.path),
  ),
}
