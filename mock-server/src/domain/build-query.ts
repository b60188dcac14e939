import type { List } from '../store/list.js'
import type { BuildRecord, JobRecord } from '../store/records.js'
import { branchMatcher } from './branch-pattern.js'
import { lowerBound, metaDataPair, newestFirst, type Run, type Slice } from './build-order.js'

export type IndexedField = 'branch' | 'commit' | 'creator' | 'meta_data'

/** What a query needs of an organization's or pipeline's builds. */
export interface QueryScope {
  readonly all: Run
  run(field: IndexedField, value: string): Run
  values(field: IndexedField): Iterable<string>
}

/** Filters of build lists, times in the wire's one form, so that they compare as text. */
export interface BuildFilter {
  /** Names or patterns. */
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
  /** How many builds match, where that is known: from the length of an index, or because the walk reached the end. */
  readonly total: number | null
}

const endedStates: ReadonlySet<string> = new Set(['passed', 'failed', 'canceled'])

/** Whether a state filter finds a build: one with `blocked: true` is `blocked` and `finished`, nothing else. */
function stateTest(states: readonly string[]): Test {
  const wanted = new Set(states)
  const finished = wanted.has('finished')
  const blocked = finished || wanted.has('blocked')
  return (build) => (build.blocked ? blocked : wanted.has(build.state) || (finished && endedStates.has(build.state)))
}

type Test = (build: BuildRecord) => boolean

/** One filter on an immutable field: where its builds stand in the indexes, and how to test one without them. */
interface IndexedFilter {
  runs(scope: QueryScope): readonly Run[]
  test: Test
}

function indexedFilters(filter: BuildFilter): IndexedFilter[] {
  const filters: IndexedFilter[] = []
  const byValue = (field: IndexedField, values: readonly string[], test: Test): void => {
    const distinct = [...new Set(values)]
    filters.push({ runs: (scope) => distinct.map((value) => scope.run(field, value)), test })
  }
  if (filter.branch.length > 0) filters.push(branchFilter(filter.branch))
  if (filter.commit.length > 0) byValue('commit', filter.commit, ({ commit }) => filter.commit.includes(commit))
  const { creator } = filter
  if (creator !== null) byValue('creator', [creator], (build) => build.creatorId === creator)
  for (const [key, values] of filter.meta_data) {
    const pairs = values.map((value) => metaDataPair(key, value))
    byValue(
      'meta_data',
      pairs,
      ({ meta_data }) => Object.hasOwn(meta_data, key) && values.includes(String(meta_data[key])),
    )
  }
  return filters
}

function branchFilter(branches: readonly string[]): IndexedFilter {
  // A pattern matches its own text too.
  const names = new Set(branches)
  const patterns = branches.filter((branch) => branch.includes('*')).map(branchMatcher)
  const matches = (branch: string): boolean => names.has(branch) || patterns.some((fits) => fits(branch))
  return {
    runs(scope) {
      const known = patterns.length === 0 ? names : [...scope.values('branch')].filter(matches)
      return [...known].map((branch) => scope.run('branch', branch))
    },
    test: ({ branch }) => matches(branch),
  }
}

/** Cuts a run to the builds created in the wanted time. */
function cut(run: Run, { created_from: from, created_to: to }: BuildFilter): Slice {
  return {
    run,
    from: from === null ? 0 : lowerBound(run, ({ created_at }) => created_at < from),
    to: to === null ? run.length : lowerBound(run, ({ created_at }) => created_at < to),
  }
}

const sizeOf = (slices: readonly Slice[]): number =>
  slices.reduce((size, { from, to }) => size + Math.max(to - from, 0), 0)

/** The jobs that a list shows of a build; null when the build is dropped because all its script jobs are paused. */
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
 * One page of builds, newest first. The cheapest filter on an immutable field gives the candidates from its index;
 * one predicate tests the rest, and the walk ends when the page is full.
 */
export function queryBuilds(
  scopes: readonly QueryScope[],
  filter: BuildFilter,
  page: { readonly offset: number; readonly limit: number },
  isPaused: (job: JobRecord) => boolean,
): BuildPage {
  const everything = scopes.map((scope) => cut(scope.all, filter))
  let chosen: { slices: readonly Slice[]; by: IndexedFilter | null } = { slices: everything, by: null }
  const filters = indexedFilters(filter)
  for (const candidate of filters) {
    const slices = scopes.flatMap((scope) => candidate.runs(scope)).map((run) => cut(run, filter))
    if (chosen.by === null || sizeOf(slices) < sizeOf(chosen.slices)) chosen = { slices, by: candidate }
  }
  const tests = filters.filter((other) => other !== chosen.by).map((other) => other.test)
  const { finished_from: finished, state: states } = filter
  if (states.length > 0) tests.push(stateTest(states))
  if (finished !== null) tests.push((build) => build.finished_at !== null && build.finished_at >= finished)
  const counted = tests.length === 0 && filter.include_paused
  const walk = counted ? skip(chosen.slices, page) : { slices: chosen.slices, ...page }
  const taken = takePage(walk, tests, filter, isPaused)
  return counted ? { ...taken, total: sizeOf(chosen.slices) } : taken
}

interface Walk {
  readonly slices: readonly Slice[]
  readonly offset: number
  readonly limit: number
}

/** In a single slice the builds before the page need not be walked. */
function skip(slices: readonly Slice[], { offset, limit }: Omit<Walk, 'slices'>): Walk {
  const filled = slices.filter(({ from, to }) => to > from)
  const [only] = filled
  if (only === undefined || filled.length > 1) return { slices: filled, offset, limit }
  return { slices: [{ ...only, to: Math.max(only.to - offset, only.from) }], offset: 0, limit }
}

function takePage(
  { slices, offset, limit }: Walk,
  tests: readonly Test[],
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
