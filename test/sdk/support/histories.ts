import type { ProblemOrigin } from '@buildwire/sdk'
import { at, failed, passed, type SeedBuild } from './failing-builds.js'

type RecordedBuild = Extract<SeedBuild, { jobs?: unknown }>
type SeedJob = NonNullable<RecordedBuild['jobs']>[number]

/** The builds of one pipeline, oldest first, and the right answer for one of them. */
export interface History {
  readonly is: string
  readonly builds: readonly RecordedBuild[]
  /** The place of the failed build in `builds`; by default the last one. */
  readonly asked?: number
  /** Null: there is no evidence, so the summary says nothing. */
  readonly wants: Partial<ProblemOrigin> | null
}

/** The first build of each history has this number. */
export const firstNumber = 901

/** What differs between two logs of one failure: times, ids, directories, colours, numbers. */
let written = 0
function logOf(...failures: readonly string[]): string {
  written += 1
  const id = written.toString(16).padStart(8, '0')
  const lines = failures.flatMap((failure) => [
    `\u001b[3${written % 7}m ✗ ${failure} (${written * 7} ms)\u001b[0m`,
    `   AssertionError: expected ${written} to be ${written + 2}`,
    `      at /builds/agent-${written}/acme/web/test/${failure.split(' ')[0]}.test.ts:${40 + written}:7`,
  ])
  return [
    `2026-03-01T09:00:${String(written % 60).padStart(2, '0')}Z session ${id}-0000-4000-8000-000000000000`,
    ...lines,
    ` Tests  ${failures.length} failed | ${200 + written} passed (${200 + written + failures.length})`,
    'exit status 1',
  ].join('\n')
}

const build = (branch: string, jobs: readonly SeedJob[], more: object = {}): RecordedBuild =>
  ({ branch, jobs: [...jobs], force: true, ...more }) as RecordedBuild
const red = (...failures: readonly string[]) => failed('Tests', logOf(...failures))
const green = passed('Tests')
/** Two executions of one job: the first failed, the second passed. */
const recovered = (more: SeedJob = {}): SeedJob[] => [
  { ...failed('Tests', logOf('cart adds')), step_key: 'test', ...more, retried: true },
  { ...green, step_key: 'test', ...pick(more) },
]
const pick = ({ parallel_group_index, parallel_group_total }: SeedJob): SeedJob => ({
  parallel_group_index,
  parallel_group_total,
})
const shard = (job: SeedJob, index: number): SeedJob => ({
  ...job,
  parallel_group_index: index,
  parallel_group_total: 2,
})
const main = (jobs: readonly SeedJob[], more?: object) => build('main', jobs, more)
const mine = (jobs: readonly SeedJob[], more?: object) => build('cart', jobs, more)
const ref = (number: number) => ({ number })

export const histories: readonly History[] = [
  {
    is: 'main fails alike, since two builds',
    builds: [
      main([green]),
      main([red('cart adds')]),
      main([red('cart adds')]),
      mine([red('cart adds')]),
    ],
    wants: { verdict: 'not_new', branch: 'main', since: ref(902) },
  },
  {
    is: 'main fails alike, although the branch passed before',
    builds: [mine([green]), main([red('cart adds')]), mine([red('cart adds')])],
    wants: { verdict: 'not_new', branch: 'main', since: ref(902) },
  },
  {
    is: 'earlier builds of the branch fail alike',
    builds: [main([green]), mine([green]), mine([red('cart adds')]), mine([red('cart adds')])],
    wants: { verdict: 'not_new', branch: 'cart', since: ref(903) },
  },
  {
    is: 'the build before on main fails alike, and the build is one of main',
    builds: [main([green]), main([red('cart adds')]), main([red('cart adds')])],
    wants: { verdict: 'not_new', branch: 'main', since: ref(902) },
  },
  {
    is: 'main fails in two tests, and the branch in one of them',
    builds: [main([red('cart adds', 'cart sorts')]), mine([red('cart sorts')])],
    wants: { verdict: 'not_new', branch: 'main', since: ref(901) },
  },
  {
    is: 'main fails alike in another of its parallel jobs',
    builds: [
      main([shard(red('cart adds'), 0), shard(green, 1)]),
      mine([shard(green, 0), shard(red('cart adds'), 1)]),
    ],
    wants: { verdict: 'not_new', branch: 'main', since: ref(901) },
  },
  {
    is: 'a build of main that was canceled says nothing',
    builds: [
      main([red('cart adds')]),
      main([{ name: 'Tests', state: 'canceled' }], { state: 'canceled' }),
      mine([red('cart adds')]),
    ],
    wants: { verdict: 'not_new', branch: 'main', since: ref(901) },
  },
  {
    is: 'main fails otherwise',
    builds: [mine([green]), main([green]), main([red('search sorts')]), mine([red('cart adds')])],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'main failed alike and passes again',
    builds: [main([red('cart adds')]), mine([green]), main([green]), mine([red('cart adds')])],
    wants: { verdict: 'new', last_passed: ref(902) },
  },
  {
    is: 'the branch failed alike, passed, and fails again',
    builds: [main([green]), mine([red('cart adds')]), mine([green]), mine([red('cart adds')])],
    wants: { verdict: 'new', last_passed: ref(903) },
  },
  {
    is: 'main fails in one test, and the branch in that one and another',
    builds: [mine([green]), main([red('cart adds')]), mine([red('cart adds', 'cart sorts')])],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'main fails with the same words in another test',
    builds: [mine([green]), main([red('cart sorts')]), mine([red('cart adds')])],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'main fails with another code of the compiler in the same file',
    builds: [
      mine([green]),
      main([failed('Tests', 'src/cart.ts(41,7): error TS2322: no such type\n')]),
      mine([failed('Tests', 'src/cart.ts(43,9): error TS2345: no such type\n')]),
    ],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'main fails in another row of the same table of tests',
    builds: [mine([green]), main([red('cart parses row 3')]), mine([red('cart parses row 12')])],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'main fails with the same words in another file',
    builds: [
      mine([green]),
      main([failed('Tests', 'TypeError: no total\n    at src/cart.ts:3:1\n')]),
      mine([failed('Tests', 'TypeError: no total\n    at src/search.ts:3:1\n')]),
    ],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'another job of main fails alike',
    builds: [
      main([failed('Lint', logOf('cart adds')), green]),
      mine([passed('Lint'), red('cart adds')]),
    ],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'another cell of the matrix fails alike on main',
    builds: [
      main([
        { ...red('cart adds'), matrix: { os: 'mac' } },
        { ...green, matrix: { os: 'linux' } },
      ]),
      mine([
        { ...green, matrix: { os: 'mac' } },
        { ...red('cart adds'), matrix: { os: 'linux' } },
      ]),
    ],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'a third branch fails alike',
    builds: [main([green]), build('search', [red('cart adds')]), mine([red('cart adds')])],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'main fails alike only after the build',
    builds: [mine([green]), mine([red('cart adds')]), main([red('cart adds')])],
    asked: 1,
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'the first build of a branch, while main passes',
    builds: [main([green]), mine([red('cart adds')])],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'the job failed and passed when run again, three times',
    builds: [
      main(recovered()),
      main(recovered()),
      mine(recovered()),
      main([{ ...green, step_key: 'test' }]),
      mine([{ ...red('cart adds'), step_key: 'test' }]),
    ],
    wants: { verdict: 'unstable', recovered_runs: 3, runs: 4 },
  },
  {
    is: 'an earlier build of the same commit passed',
    builds: [
      mine([green], { commit: 'c'.repeat(40) }),
      mine([red('cart adds')], { commit: 'c'.repeat(40) }),
    ],
    wants: { verdict: 'unstable', last_passed: ref(901) },
  },
  {
    is: 'a later build of the same commit passed',
    builds: [
      mine([green]),
      mine([red('cart adds')], { commit: 'c'.repeat(40) }),
      mine([green], { commit: 'c'.repeat(40) }),
    ],
    asked: 1,
    wants: { verdict: 'unstable', last_passed: ref(903) },
  },
  {
    is: 'earlier builds of one commit failed and passed',
    builds: [
      main([red('cart adds')], { commit: 'a'.repeat(40) }),
      main([green], { commit: 'a'.repeat(40) }),
      mine([red('cart adds')]),
    ],
    wants: { verdict: 'unstable', recovered_runs: 1, runs: 2 },
  },
  {
    is: 'two builds whose commit is not known by its hash',
    builds: [mine([green], { commit: 'HEAD' }), mine([red('cart adds')], { commit: 'HEAD' })],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'another of the parallel jobs failed and passed when run again',
    builds: [
      main([
        ...recovered({ parallel_group_index: 0, parallel_group_total: 2 }),
        { ...shard(green, 1), step_key: 'test' },
      ]),
      mine([
        { ...shard(green, 0), step_key: 'test' },
        { ...shard(red('cart adds'), 1), step_key: 'test' },
      ]),
    ],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'the agent of an earlier run was lost, and the job passed when run again',
    builds: [
      main(recovered({ exit_status: -1, signal_reason: 'agent_stop' })),
      mine([{ ...red('cart adds'), step_key: 'test' }]),
    ],
    wants: { verdict: 'new', last_passed: ref(901) },
  },
  {
    is: 'the agent was lost',
    builds: [mine([green]), mine([{ ...red('cart adds'), exit_status: -1 }])],
    wants: null,
  },
  {
    is: 'no agent took the job',
    builds: [mine([green]), mine([{ name: 'Tests', state: 'expired' }])],
    wants: null,
  },
  {
    is: 'the first build of the pipeline',
    builds: [mine([red('cart adds')])],
    wants: null,
  },
  {
    is: 'main fails too, and no line says why',
    builds: [
      main([failed('Tests', 'exit status 1\n')]),
      mine([failed('Tests', 'exit status 1\n')]),
    ],
    wants: null,
  },
  {
    is: 'the log of main is gone',
    builds: [mine([green]), main([failed('Tests', '')]), mine([red('cart adds')])],
    wants: null,
  },
]

/** The builds of a history as a seed has them. */
export function seedBuilds({ builds }: History): SeedBuild[] {
  return builds.map((each, index) => {
    const isFailed = (each.jobs ?? []).some((job) => job.state === 'failed' && job.retried !== true)
    const state = isFailed ? 'failed' : 'passed'
    return { state, ...each, number: firstNumber + index, created_at: at(index * 60) } as SeedBuild
  })
}
