import { asciiLower } from '../domain/ascii-lower.js'
import type { Collection, Records } from './records.js'
import type { NaturalKeys } from './store.js'

interface NaturalKey<C extends Collection> {
  readonly collection: C
  /** The keys under which a record is found; none while it must not be found. */
  of(record: Records[C]): readonly (readonly (string | number)[])[]
  /** How a part is compared. */
  readonly fold?: (part: string) => string
}

type NaturalKeyTable = { readonly [K in keyof NaturalKeys]: NaturalKey<NaturalKeys[K]['collection']> }

/** One row per look-up of `ReadonlyState.find`; the indexes follow from it. */
export const naturalKeys: NaturalKeyTable = {
  userByEmail: { collection: 'users', of: (user) => [[user.email]], fold: asciiLower },
  organizationBySlug: { collection: 'organizations', of: (organization) => [[organization.slug]] },
  member: { collection: 'members', of: (member) => [[member.organizationId, member.userId]] },
  queueByKey: { collection: 'queues', of: (queue) => [[queue.organizationId, queue.key]] },
  pipelineBySlug: { collection: 'pipelines', of: (pipeline) => [[pipeline.organizationId, pipeline.slug]] },
  suiteBySlug: { collection: 'suites', of: (suite) => [[suite.organizationId, suite.slug]] },
  testByName: { collection: 'tests', of: (test) => [[test.suiteId, test.scope, test.name]] },
  applicationByClientId: { collection: 'applications', of: (application) => [[application.client_id]] },
  accessTokenByDigest: { collection: 'accessTokens', of: (token) => [[token.digest]] },
  accessTokenByName: { collection: 'accessTokens', of: (token) => (token.name === null ? [] : [[token.name]]) },
  refreshFamilyByDigest: {
    collection: 'refreshFamilies',
    of: (family) => [[family.digest]],
  },
  liveGrant: {
    collection: 'grants',
    of: (grant) => (grant.revokedAt === null ? [[grant.userId, grant.applicationId, grant.organizationId]] : []),
  },
  deviceAuthorizationByDeviceCode: {
    collection: 'deviceAuthorizations',
    of: (authorization) => [[authorization.deviceCodeDigest]],
  },
  deviceAuthorizationByUserCode: {
    collection: 'deviceAuthorizations',
    of: (authorization) => [[authorization.userCodeDigest]],
  },
  loginByDigest: { collection: 'logins', of: (login) => [[login.digest]] },
  buildByNumber: { collection: 'builds', of: (build) => [[build.pipelineId, build.number]] },
  buildByJob: { collection: 'builds', of: (build) => build.jobs.map((job) => [job.id]) },
  annotationByContext: { collection: 'annotations', of: ({ buildId, context }) => [[buildId, context]] },
}

/** The text under which a natural key lies in its index. */
export function keyText(key: keyof NaturalKeys, parts: readonly (string | number)[]): string {
  const fold = naturalKeys[key].fold
  if (parts.length === 1 && fold === undefined) return String(parts[0])
  return parts.map((part) => (fold ? fold(String(part)) : String(part))).join('\0')
}
