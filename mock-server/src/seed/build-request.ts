import type { BuildRequest } from '../domain/create-build.js'
import type { Path } from '../fields/field.js'
import { merge } from '../fields/merge.js'
import type { BuildRecord, UserRecord } from '../records/records.js'
import { pullRequestTable, type SeedBuild } from './build-tables.js'
import type { PipelineLocation } from './load-organization.js'
import { entries, type Loading } from './loading.js'

/** 40 hex digits that are derived from an id. */
export function commitOf(id: string): string {
  const hex = id.replaceAll('-', '')
  return hex + hex.slice(4, 12)
}

export function pullRequestOf(
  given: SeedBuild['pull_request'],
  now: number,
): BuildRecord['pull_request'] {
  return given ? merge(pullRequestTable, given, undefined, {}, now) : null
}

export function authorOf(creator: UserRecord | undefined): BuildRecord['author'] {
  return creator ? { name: creator.name, email: creator.email } : null
}

/** The request that makes a build of a document by the steps of its pipeline. */
export function requestOf(
  { now }: Loading['context'],
  given: Pick<
    SeedBuild,
    'branch' | 'message' | 'author' | 'env' | 'meta_data' | 'clean_checkout' | 'pull_request'
  >,
  { pipeline }: PipelineLocation,
  creator: UserRecord | undefined,
  commit: string,
): BuildRequest {
  return {
    commit,
    pull_request: pullRequestOf(given.pull_request, now),
    branch: given.branch ?? pipeline.default_branch,
    message: given.message ?? null,
    author: given.author ?? authorOf(creator),
    env: given.env ?? {},
    meta_data: given.meta_data ?? {},
    clean_checkout: given.clean_checkout ?? false,
    ignore_pipeline_branch_filters: true,
  }
}

export function testRunsOf(
  loading: Loading,
  { organization }: PipelineLocation,
  given: SeedBuild['testRuns'],
  at: Path,
): BuildRecord['testRuns'] {
  return entries(given, [...at, 'testRuns']).flatMap(([{ id, suite: slug }, here]) => {
    const suite = loading.refer('suite', [...here, 'suite'], organization.id, slug)
    return suite ? [{ id: id ?? loading.context.uuid('testRun'), suiteId: suite.id }] : []
  })
}
