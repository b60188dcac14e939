import type { ProblemOrigin } from '@buildwire/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { at, failed, passed, type SeedBuild } from './support/failing-builds.js'
import { originServer } from './support/origins.js'

const tests = ['adds the tax', 'sorts by price', 'keeps its order'] as const
type TestName = (typeof tests)[number]

/** A build of one job. */
interface RandomBuild {
  readonly branch: 'main' | 'cart' | 'search'
  /** Some builds have the same commit. */
  readonly commit: string
  /** The test that failed in each execution, or null for one that passed; none: it did not run. */
  readonly executions: readonly (TestName | null)[]
}

const failure = fc.constantFrom(...tests)
const randomBuild: fc.Arbitrary<RandomBuild> = fc.record({
  branch: fc.constantFrom('main', 'main', 'cart', 'cart', 'search'),
  commit: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((letter) => letter.repeat(40)) },
    { weight: 4, arbitrary: fc.stringMatching(/^[0-9a-f]{40}$/) },
  ),
  executions: fc.oneof(
    { weight: 4, arbitrary: fc.constant([null]) },
    { weight: 4, arbitrary: failure.map((name) => [name]) },
    { weight: 1, arbitrary: failure.map((name) => [name, null]) },
    { weight: 1, arbitrary: fc.tuple(failure, failure) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
})

function seedBuild({ branch, commit, executions }: RandomBuild, index: number): SeedBuild {
  const jobs = executions.map((name, place) => {
    const log = `${index}s ✗ ${name}\n✗ ${name} (${index} ms)\nError: ${name}: got ${index}\n`
    const job = name === null ? passed('Tests') : failed('Tests', log)
    return { ...job, step_key: 'test', retried: place < executions.length - 1 }
  })
  const state =
    executions.length === 0 ? 'canceled' : executions.at(-1) === null ? 'passed' : 'failed'
  const build = { branch, commit, jobs, state, number: index + 1, created_at: at(index * 60) }
  return { ...build, force: true } as SeedBuild
}

const lastOf = ({ executions }: RandomBuild) => executions.at(-1)

/** Fails if an origin says what the history does not. */
function holds(origin: ProblemOrigin, builds: readonly RandomBuild[], asked: RandomBuild) {
  const numbered = builds.map((build, index) => ({ ...build, number: index + 1 }))
  const buildOf = (ref: { number: number } | null | undefined) =>
    numbered.find(({ number }) => number === ref?.number) ?? expect.fail('no such build')
  const on = (branch: unknown) => numbered.filter((build) => build.branch === branch)
  const after = (number: number) => (build: { number: number }) => build.number > number
  if (origin.verdict === 'not_new') {
    const since = buildOf(origin.since)
    expect(['main', asked.branch]).toContain(since.branch)
    expect(lastOf(since)).toBe(lastOf(asked))
    expect(on(since.branch).filter(after(since.number)).map(lastOf)).not.toContain(null)
  }
  if (origin.verdict === 'new') {
    const green = buildOf(origin.last_passed)
    expect(lastOf(green)).toBeNull()
    const later = on(asked.branch).filter(after(green.number)).map(lastOf)
    expect(later).not.toContain(lastOf(asked))
    expect(
      on('main')
        .map(lastOf)
        .findLast((name) => name !== undefined),
    ).not.toBe(lastOf(asked))
  }
  if (origin.verdict === 'unstable' && origin.last_passed) {
    const green = buildOf(origin.last_passed)
    expect([lastOf(green), green.commit]).toEqual([null, asked.commit])
  }
  if (origin.verdict === 'unstable' && !origin.last_passed) {
    const runs = numbered.filter(({ branch }) => branch === 'main' || branch === asked.branch)
    const recovered = runs.filter((run) => {
      const again = runs.some((each) => each.commit === run.commit && lastOf(each) === null)
      return run.executions.length > 0 && run.executions[0] !== null && again
    })
    expect(origin.recovered_runs).toBe(recovered.length)
    expect(origin.runs).toBe(runs.filter(({ executions }) => executions.length > 0).length)
  }
}

test('whatever happened before: an origin says only what the earlier builds show', async () => {
  const verdicts: Record<string, number> = {}
  const property = fc.asyncProperty(
    fc.array(randomBuild, { maxLength: 9 }),
    fc.constantFrom('main', 'cart'),
    failure,
    async (builds, branch, name) => {
      const commit = 'a'.repeat(40)
      const asked: RandomBuild = { branch, commit, executions: [name] } as RandomBuild
      const server = await originServer([{ builds: [...builds, asked].map(seedBuild) }])
      try {
        const { origin, requests } = await server.originOf(0, builds.length + 1)
        expect(requests.length).toBeLessThanOrEqual(9)
        const verdict = origin?.verdict ?? 'none'
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
        if (origin !== null) holds(origin, builds, asked)
        const newest = builds.findLast(
          (build) => build.branch === 'main' && lastOf(build) !== undefined,
        )
        if (newest !== undefined && lastOf(newest) === name) {
          expect(['not_new', 'unstable']).toContain(verdict)
        }
      } finally {
        await server.close()
      }
    },
  )
  await fc.assert(property, { numRuns: 150 })
  expect(Object.keys(verdicts).sort()).toEqual(['new', 'none', 'not_new', 'unstable'])
}, 120_000)
