import type { BuildScope } from './build-index.js'
import type { StoreError } from './errors.js'
import type {
  AnnotationRecord,
  ArtifactRecord,
  Collection,
  PipelineRecord,
  Records,
  TestRecordRecord,
} from './records.js'

/** Look-ups that the indexes answer; each is O(1) or O(page). Add one here when a room needs another. */
export interface ReadonlyState {
  get<C extends Collection>(collection: C, id: string): Records[C] | undefined
  values<C extends Collection>(collection: C): Iterable<Records[C]>
  count(collection: Collection): number
  /** A record by its natural key: slug, e-mail (ASCII case-insensitive), client_id, token digest … see `indexes.ts`. */
  find<K extends keyof NaturalKeys>(
    key: K,
    ...parts: NaturalKeys[K]['parts']
  ): Records[NaturalKeys[K]['collection']] | undefined
  /** Builds of an organization or pipeline in list order, with indexes by field and live counts. */
  builds(scopeId: string): BuildScope
  /** Pipelines of an organization, slug ascending. */
  pipelines(organizationId: string): readonly PipelineRecord[]
  /** Test records of a suite by (scope, name, id). */
  tests(suiteId: string): readonly TestRecordRecord[]
  /** Annotations of a build, higher priority first, then the oldest. */
  annotations(buildId: string): readonly AnnotationRecord[]
  /** Artifacts of a build or of a job, by path. */
  artifacts(scopeId: string): readonly ArtifactRecord[]
}

export interface NaturalKeys {
  userByEmail: { collection: 'users'; parts: [email: string] }
  organizationBySlug: { collection: 'organizations'; parts: [slug: string] }
  member: { collection: 'members'; parts: [organizationId: string, userId: string] }
  queueByKey: { collection: 'queues'; parts: [organizationId: string, key: string] }
  pipelineBySlug: { collection: 'pipelines'; parts: [organizationId: string, slug: string] }
  suiteBySlug: { collection: 'suites'; parts: [organizationId: string, slug: string] }
  testByName: { collection: 'tests'; parts: [suiteId: string, scope: string, name: string] }
  applicationByClientId: { collection: 'applications'; parts: [client_id: string] }
  accessTokenByDigest: { collection: 'accessTokens'; parts: [digest: string] }
  accessTokenByName: { collection: 'accessTokens'; parts: [name: string] }
  refreshFamilyByDigest: { collection: 'refreshFamilies'; parts: [digest: string] }
  liveGrant: { collection: 'grants'; parts: [userId: string, applicationId: string, organizationId: string] }
  deviceAuthorizationByDeviceCode: { collection: 'deviceAuthorizations'; parts: [digest: string] }
  deviceAuthorizationByUserCode: { collection: 'deviceAuthorizations'; parts: [digest: string] }
  loginByDigest: { collection: 'logins'; parts: [digest: string] }
  buildByNumber: { collection: 'builds'; parts: [pipelineId: string, number: number] }
  buildByJob: { collection: 'builds'; parts: [jobId: string] }
  annotationByContext: { collection: 'annotations'; parts: [buildId: string, context: string] }
}

/** One record put (or, with null, deleted). */
export type Change = {
  readonly [C in Collection]: { readonly collection: C; readonly id: string; readonly record: Records[C] | null }
}[Collection]

export type NotPromise<T> = T extends PromiseLike<unknown> ? never : T

export interface Transaction {
  readonly state: ReadonlyState
  put<C extends Collection>(collection: C, record: Records[C]): void
  delete(collection: Collection, id: string): void
  nextNumber(pipelineId: string): number
  /** The next number of a pipeline is at least this one. */
  startNumbers(pipelineId: string, next: number): void
  putIfAbsent<C extends Collection>(collection: C, record: Records[C]): boolean
}

export interface Store {
  readonly state: ReadonlyState
  readonly generation: number
  /** `change` runs in this very turn and must not await; the promise resolves once its batch is committed. */
  update<T>(change: (tx: Transaction) => NotPromise<T>): Promise<T>
  /** `listener` hears, in the same turn as each update (or its undoing), which records it touched. Returns how to stop. */
  onChange(listener: (changed: readonly Change[]) => void): () => void
  /** `listener` hears, just before its undoing is told, of a change that can never be stored although others can. */
  onRefusal(listener: (refusal: StoreError, changed: readonly Change[]) => void): () => void
  close(): Promise<void>
}
