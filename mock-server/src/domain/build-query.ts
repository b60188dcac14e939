import type { QueryName } from '@buildwire/sdk/contract'
import type { BuildRecord, JobRecord, List } from '../records/records.js'
import { type BuildSlice, metaDataPair, newestFirst, type SortedBuilds } from './build-order.js'
import { globMatcher } from './glob.js'
import { lowerBound } from './order.js'

export type IndexedField = 'branch' | 'commit' | 'creator' | 'meta_data'

export interface QueryScope {
  readonly all: SortedBuilds
  run(field: IndexedField, value: string): SortedBuilds
  values(field: IndexedField): Iterable<string>
}

/** The query parameters of all lists of builds. */
type Parameter = QueryName<'builds.list' | 'builds.listForOrganization' | 'builds.listForPipeline'>

/** Times have the format of the API, so they compare as text. */
export interface BuildFilter {
  readonly branch: readonly string[]
  readonly commit: readonly string[]
  readonly state: readonly string[]
  readonly creator: string | null
  readonly created_from: string | null
  readonly created_to: string | null
  readonly finished_from: string | null
  readonly meta_data: ReadonlyMap<string, readonly string[]>
  readonly include_paused: boolean
  readonly include_retried_jobs: boolean
}

export interface FoundBuild {
  readonly build: BuildRecord
  readonly jobs: List<JobRecord>
}

export interface BuildPage {
  readonly found: readonly FoundBuild[]
  readonly hasMore: boolean
  /**
   * The number of matching builds; null if unknown. It is known from the length of an index, or
   * after the last page.
   */
  readonly total: number | null
}

const endedStates: ReadonlySet<string> = new Set(['passed', 'failed', 'canceled'])

/** Tests the state. A build with `blocked: true` matches only `blocked` and `finished`. */
function stateTest(states: readonly string[]): BuildTest {
  const wanted = new Set(states)
  const finished = wanted.has('finished')
  const blocked = finished || wanted.has('blocked')
  return (build) =>
    build.blocked ? blocked : wanted.has(build.state) || (finished && endedStates.has(build.state))
}

type BuildTest = (build: BuildRecord) => boolean

/** A condition for builds. For an immutable field, `runs` finds the builds by an index. */
interface Criterion {
  readonly test: BuildTest
  readonly runs?: (scope: QueryScope) => readonly SortedBuilds[]
}

function byValue(field: IndexedField, values: readonly string[], test: BuildTest): Criterion {
  const distinct = [...new Set(values)]
  return { runs: (scope) => distinct.map((value) => scope.run(field, value)), test }
}

/** The criteria of a parameter; or a text that says what else the parameter does. */
type ParameterUse<N> = N extends keyof BuildFilter
  ? ((value: Exclude<BuildFilter[N], null>) => readonly Criterion[]) | string
  : string

/** A new parameter of the contract causes a compile error until it is handled here. */
export const buildFilters: { readonly [N in Parameter]: ParameterUse<N> } = {
  branch: (branches) => (branches.length > 0 ? [branchFilter(branches)] : []),
  commit: (commits) =>
    commits.length > 0
      ? [byValue('commit', commits, ({ commit }) => commits.includes(commit))]
      : [],
  creator: (creator) => [byValue('creator', [creator], ({ creatorId }) => creatorId === creator)],
  meta_data: (wanted) =>
    [...wanted].map(([key, values]) =>
      byValue(
        'meta_data',
        values.map((value) => metaDataPair(key, value)),
        ({ meta_data }) => Object.hasOwn(meta_data, key) && values.includes(String(meta_data[key])),
      ),
    ),
  state: (states) => (states.length > 0 ? [{ test: stateTest(states) }] : []),
  finished_from: (from) => [
    { test: ({ finished_at }) => finished_at !== null && finished_at >= from },
  ],
  created_from: 'cut() cuts every run to the time of creation',
  created_to: 'cut() cuts every run to the time of creation',
  include_paused: 'listedJobs() chooses jobs, and drops builds without any',
  include_retried_jobs: 'listedJobs() chooses jobs',
  exclude_jobs: 'it changes what is printed of a build',
  exclude_pipeline: 'it changes what is printed of a build',
  page: 'the caller makes an offset of it',
  per_page: 'the caller makes a limit of it',
}

function criteriaOf(filter: BuildFilter): readonly Criterion[] {
  return Object.entries(buildFilters).flatMap(([name, use]) => {
    const value = filter[name as keyof BuildFilter]
    return typeof use === 'string' || value === null ? [] : use(value as never)
  })
}

function branchFilter(branches: readonly string[]): Criterion {
  // A pattern also matches a branch of the same name.
  const names = new Set(branches)
  const patterns = branches.filter((branch) => branch.includes('*')).map(globMatcher)
  const matches = (branch: string): boolean =>
    names.has(branch) || patterns.some((matchesPattern) => matchesPattern(branch))
  return {
    runs(scope) {
      const matching = patterns.length === 0 ? names : [...scope.values('branch')].filter(matches)
      return [...matching].map((branch) => scope.run('branch', branch))
    },
    test: ({ branch }) => matches(branch),
  }
}

function cut(run: SortedBuilds, { created_from: from, created_to: to }: BuildFilter): BuildSlice {
  return {
    run,
    from: from === null ? 0 : lowerBound(run, ({ created_at }) => created_at < from),
    to: to === null ? run.length : lowerBound(run, ({ created_at }) => created_at < to),
  }
}

function sizeOf(slices: readonly BuildSlice[]): number {
  return slices.reduce((size, { from, to }) => size + Math.max(to - from, 0), 0)
}

/**
 * The jobs of a build that a list shows; null if the build is left out because all its script jobs
 * are paused.
 */
function listedJobs(
  build: BuildRecord,
  filter: BuildFilter,
  isPaused: (job: JobRecord) => boolean,
): List<JobRecord> | null {
  const jobs = filter.include_retried_jobs ? build.jobs : build.jobs.filter((job) => !job.retried)
  if (filter.include_paused) return jobs
  const paused = jobs.filter((job) => job.type === 'script' && isPaused(job))
  if (paused.length === 0) return jobs
  if (paused.length === jobs.filter((job) => job.type === 'script').length) return null
  return jobs.filter((job) => !paused.includes(job))
}

/**
 * Returns one page, newest first. The index with the fewest builds gives the candidates; the other
 * criteria test them.
 */
export function queryBuilds(
  scopes: readonly QueryScope[],
  filter: BuildFilter,
  page: { readonly offset: number; readonly limit: number },
  isPaused: (job: JobRecord) => boolean,
): BuildPage {
  const everything = scopes.map((scope) => cut(scope.all, filter))
  let chosen: { slices: readonly BuildSlice[]; by: Criterion | null } = {
    slices: everything,
    by: null,
  }
  const criteria = criteriaOf(filter)
  for (const candidate of criteria) {
    if (candidate.runs === undefined) continue
    const slices = scopes
      .flatMap((scope) => candidate.runs?.(scope) ?? [])
      .map((run) => cut(run, filter))
    if (chosen.by === null || sizeOf(slices) < sizeOf(chosen.slices))
      chosen = { slices, by: candidate }
  }
  const tests = criteria.filter((other) => other !== chosen.by).map(({ test }) => test)
  const counted = tests.length === 0 && filter.include_paused
  const walk = counted ? skip(chosen.slices, page) : { slices: chosen.slices, ...page }
  const taken = takePage(walk, tests, filter, isPaused)
  return counted ? { ...taken, total: sizeOf(chosen.slices) } : taken
}

interface SliceWalk {
  readonly slices: readonly BuildSlice[]
  readonly offset: number
  readonly limit: number
}

function skip(
  slices: readonly BuildSlice[],
  { offset, limit }: Omit<SliceWalk, 'slices'>,
): SliceWalk {
  const filled = slices.filter(({ from, to }) => to > from)
  const [only] = filled
  if (only === undefined || filled.length > 1) return { slices: filled, offset, limit }
  return { slices: [{ ...only, to: Math.max(only.to - offset, only.from) }], offset: 0, limit }
}

function takePage(
  { slices, offset, limit }: SliceWalk,
  tests: readonly BuildTest[],
  filter: BuildFilter,
  isPaused: (job: JobRecord) => boolean,
): BuildPage {
  const found: FoundBuild[] = []
  let skipped = 0
  for (const build of newestFirst(slices, tests)) {
    const jobs = listedJobs(build, filter, isPaused)
    if (jobs === null) continue
    if (skipped < offset) skipped++
    else if (found.length === limit) return { found, hasMore: true, total: null }
    else found.push({ build, jobs })
  }
  return { found, hasMore: false, total: skipped + found.length }
}
