import type { ProblemOrigin } from '@buildwire/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OriginAnswer, WrittenBuild, WrittenJob, WrittenRun } from './histories/history.js'
import { newHistories } from './histories/new.js'
import { newByEarlierBuilds } from './histories/new-again.js'
import { notNewHistories } from './histories/not-new.js'
import { silentHistories } from './histories/silent.js'
import { unstableHistories } from './histories/unstable.js'
import { at, type SeedBuild } from './support/failing-builds.js'
import { goneLog, originServer } from './support/origins.js'

const histories = [
  ...notNewHistories,
  ...newHistories,
  ...newByEarlierBuilds,
  ...unstableHistories,
  ...silentHistories,
]

/** One execution of a job as a seed has it. */
function execution(run: WrittenRun, job: WrittenJob, retried: boolean) {
  const { state, exit_status, signal_reason } = run
  const { name, step_key, parallel, matrix, soft_failed } = job
  const lines = run.log === 'gone' ? [] : (run.log ?? ['ok'])
  const log =
    run.log === 'gone' ? goneLog : `${[...lines, `exit status ${exit_status}`].join('\n')}\n`
  const hasRun = exit_status !== null || state === 'running'
  const facts = {
    name,
    state,
    step_key,
    matrix,
    soft_failed,
    signal_reason,
    retried,
    exit_status: exit_status ?? undefined,
    parallel_group_index: parallel?.index,
    parallel_group_total: parallel?.total,
    log: hasRun ? log : undefined,
    started_at: hasRun ? at(1) : undefined,
    finished_at: hasRun && state !== 'running' ? at(9) : undefined,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

function seedBuild(build: WrittenBuild, index: number): SeedBuild {
  const { number, branch, commit, state } = build
  const jobs = build.jobs.flatMap((job) => [
    ...(job.retried ?? []).map((run) => execution(run, job, true)),
    execution(job, job, false),
  ])
  return {
    number,
    branch,
    commit,
    state,
    jobs,
    created_at: at(index * 60),
    force: true,
  } as SeedBuild
}

function answerOf(origin: ProblemOrigin | null, asked: number): OriginAnswer {
  switch (origin?.verdict) {
    case 'not_new':
      return { says: 'not-new', since: origin.since?.number ?? 0 }
    case 'unstable':
      return { says: 'unstable', failed: origin.recovered_runs ?? 0, of: origin.runs ?? 0 }
    case 'new':
      return { says: 'new', in: asked, lastGreen: origin.last_passed?.number ?? 0 }
    default:
      return { says: 'none' }
  }
}

/**
 * The table counts each execution that failed, and a summary the builds in which the job failed and
 * passed when run again, so the numbers of unstable jobs are not compared.
 */
function isSame(one: OriginAnswer, other: OriginAnswer): boolean {
  if (one.says === 'unstable') return other.says === 'unstable'
  return JSON.stringify(one) === JSON.stringify(other)
}

describe('histories that were judged without a look at the code', () => {
  let server: Awaited<ReturnType<typeof originServer>>
  const silent: string[] = []
  beforeAll(async () => {
    server = await originServer(
      histories.map(({ builds, defaultBranch }) => ({
        builds: builds.map(seedBuild),
        defaultBranch,
      })),
    )
  }, 60_000)
  afterAll(() => server.close())

  test.each(histories.map((history, index) => ({ ...history, index })))(
    '$title',
    async ({ index, asked, right, alsoRight, trap, title, why }) => {
      const { origin } = await server.originOf(index, asked)
      const answer = answerOf(origin, asked)
      if (answer.says === 'none' && right.says !== 'none') silent.push(title)
      const allowed = [right, ...alsoRight, { says: 'none' } as const]
      expect(
        allowed.some((each) => isSame(each, answer)),
        `${origin?.sentence}; ${why}`,
      ).toBe(true)
      if (trap !== undefined && trap.says !== 'unstable') expect(answer).not.toEqual(trap)
    },
  )

  test('the summary says nothing in at most three of them although something is known', () => {
    expect(silent.length, silent.join('; ')).toBeLessThanOrEqual(3)
  })
})
