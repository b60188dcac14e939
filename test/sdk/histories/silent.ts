import {
  build,
  fail,
  idle,
  isNew,
  lint,
  lost,
  none,
  notNew,
  pass,
  unit,
  type WrittenHistory,
} from './history.js'

/** Histories that prove little. */
export const silentHistories: readonly WrittenHistory[] = [
  {
    title: 'a line that every failure has: exit status 1',
    builds: [
      build(350, 'main', 'b7', [
        fail('WrittenBuild', ['make: *** [Makefile:12: all] Error 1', 'exit status 1']),
      ]),
      build(351, 'main', 'b8', [fail('WrittenBuild', ['exit status 1'])]),
      build(352, 'feature/make', 'b9', [fail('WrittenBuild', ['exit status 1'])]),
    ],
    asked: 352,
    about: { job: 'WrittenBuild', line: 'exit status 1' },
    right: none,
    why: 'The words say only that something failed, so being equal they prove nothing, and no green build is known.',
    alsoRight: [],
    trap: notNew(351),
  },
  {
    title: 'a line that every failure has, with a green build between',
    builds: [
      build(355, 'main', 'ba', [
        fail('Package', [
          'npm error Lifecycle script `build` failed with error:',
          'npm error code 1',
        ]),
      ]),
      build(356, 'feature/pack', 'bb', [pass('Package')]),
      build(357, 'feature/pack', 'bc', [
        fail('Package', [
          'npm error Lifecycle script `build` failed with error:',
          'npm error code 1',
        ]),
      ]),
    ],
    asked: 357,
    about: { job: 'Package', line: 'npm error Lifecycle script `build` failed with error:' },
    right: isNew(357, 356),
    why: 'The words are those of every failed script, while 356 shows that the branch was green.',
    alsoRight: [none],
    trap: notNew(355),
  },
  {
    title: 'killed for want of memory (137), and so before',
    builds: [
      build(360, 'main', 'bd', [fail('Bundle', ['Killed'], { exit_status: 137 })]),
      build(361, 'main', 'be', [pass('Bundle')]),
      build(362, 'feature/big', 'bf', [fail('Bundle', ['Killed'], { exit_status: 137 })]),
    ],
    asked: 362,
    about: { job: 'Bundle', line: 'Killed' },
    right: none,
    why: '"Killed" is what any process says that was ended from outside, and a full machine need not be the doing of a commit.',
    alsoRight: [isNew(362, 361)],
    trap: notNew(360),
  },
  {
    title: 'the agent was lost (-1), as in another job before',
    builds: [
      build(370, 'main', 'c0', [{ name: 'Lint', ...lost }, unit]),
      build(371, 'main', 'c1', [lint, unit]),
      build(372, 'main', 'c2', [lint, { name: 'Unit tests', ...lost }]),
    ],
    asked: 372,
    about: { job: 'Unit tests', line: 'Error: the agent was stopped while the job ran' },
    right: none,
    why: 'A lost agent has no history in the code: neither old failures nor the commits since 371 are to blame.',
    alsoRight: [],
    trap: notNew(370),
  },
  {
    title: 'the agent was lost (-1), as on main in the same job one build earlier',
    builds: [
      build(375, 'main', 'c3', [lint, unit]),
      build(376, 'main', 'c4', [lint, { name: 'Unit tests', ...lost }]),
      build(377, 'feature/ok', 'c5', [lint, { name: 'Unit tests', ...lost }]),
    ],
    asked: 377,
    about: { job: 'Unit tests', line: 'Error: the agent was stopped while the job ran' },
    right: none,
    why: 'Two agents that went away are two accidents; a person may call it "seen before", but it is not the state of main.',
    alsoRight: [],
    trap: isNew(377, 375),
    debatable:
      '"Not new since 376" helps somebody who looks after the agents, though not the author of the commit.',
  },
  {
    title: 'both old logs are gone',
    builds: [
      build(380, 'main', 'c6', [lint, unit]),
      build(381, 'main', 'c7', [lint, fail('Unit tests', 'gone')]),
      build(382, 'main', 'c8', [lint, fail('Unit tests', 'gone')]),
      build(383, 'main', 'c9', [
        lint,
        fail('Unit tests', ['FAIL test/pool.test.ts > pool > gives back what it lent']),
      ]),
    ],
    asked: 383,
    about: { job: 'Unit tests', line: 'FAIL test/pool.test.ts > pool > gives back what it lent' },
    right: none,
    why: 'The job failed in 381 and 382, with what is not known any more: neither "new" nor "not new" can be said.',
    alsoRight: [],
    trap: notNew(381),
  },
  {
    title: 'green builds in which the job did not run',
    builds: [
      build(390, 'main', 'ca', [lint, idle('Browser tests', 'skipped')]),
      build(391, 'main', 'cb', [lint, idle('Browser tests', 'skipped')]),
      build(392, 'feature/menu', 'cc', [
        lint,
        fail('Browser tests', ['  ✘ 1 [webkit] › menu.spec.ts:5:1 › opens on hover (30.0s)']),
      ]),
    ],
    asked: 392,
    about: { job: 'Browser tests', line: '✘ [webkit] › menu.spec.ts › opens on hover' },
    right: none,
    why: 'Main is green only because it skips this job, so it is not known whether it would have failed there.',
    alsoRight: [],
    trap: isNew(392, 391),
  },
  {
    title: 'a job that was added with this build',
    builds: [
      build(395, 'main', 'cd', [lint, unit]),
      build(396, 'main', 'ce', [lint, unit]),
      build(397, 'main', 'cf', [
        lint,
        unit,
        fail('Licenses', ['Error: GPL-3.0 is not allowed: left-padding@2.0.0']),
      ]),
    ],
    asked: 397,
    about: { job: 'Licenses', line: 'Error: GPL-3.0 is not allowed: left-padding@2.0.0' },
    right: none,
    why: 'The check is new, what it finds may be years old: earlier builds did not look.',
    alsoRight: [isNew(397, 396)],
  },
  {
    title: 'the green build is more than twenty builds ago, all failures between are other ones',
    builds: [
      build(400, 'main', 'd0', [unit]),
      ...Array.from({ length: 24 }, (_, at) =>
        build(401 + at, 'main', `${(0xa00 + at).toString(16)}`, [
          fail('Unit tests', ['FAIL test/slow.test.ts > slow > is not slow']),
        ]),
      ),
      build(425, 'main', 'd1', [
        fail('Unit tests', ['FAIL test/font.test.ts > font > falls back']),
      ]),
    ],
    asked: 425,
    about: { job: 'Unit tests', line: 'FAIL test/font.test.ts > font > falls back' },
    right: none,
    why: 'Within reach is no green build, and two logs that show another test do not prove that the other eighteen did.',
    alsoRight: [],
    trap: notNew(405),
  },
  {
    title: 'twenty-four builds with the same failure',
    builds: [
      build(430, 'main', 'd2', [unit]),
      ...Array.from({ length: 25 }, (_, at) =>
        build(431 + at, 'main', `${(0xb00 + at).toString(16)}`, [
          fail('Unit tests', [
            `FAIL test/slow.test.ts:${10 + at} > slow > is not slow (${3 + at} ms)`,
          ]),
        ]),
      ),
    ],
    asked: 455,
    about: { job: 'Unit tests', line: 'FAIL test/slow.test.ts > slow > is not slow' },
    right: notNew(435),
    why: 'It began in 431; within twenty builds 435 is the oldest one, and any later one of the run is true too.',
    alsoRight: [none, notNew(431), ...Array.from({ length: 19 }, (_, at) => notNew(436 + at))],
    trap: isNew(455, 430),
  },
  {
    title: 'a parametrised test fails for another parameter',
    builds: [
      build(460, 'main', 'd3', [
        fail('Unit tests', ['FAILED tests/test_tax.py::test_rate[DE-19] - assert 119 == 120']),
      ]),
      build(461, 'feature/fr', 'd4', [unit]),
      build(462, 'feature/fr', 'd5', [
        fail('Unit tests', ['FAILED tests/test_tax.py::test_rate[FR-20] - assert 120 == 121']),
      ]),
    ],
    asked: 462,
    about: { job: 'Unit tests', line: 'FAILED tests/test_tax.py::test_rate[FR-20]' },
    right: isNew(462, 461),
    why: 'The rate of France is another case than the one of Germany, and this branch was green.',
    alsoRight: [none],
    trap: notNew(460),
  },
  {
    title: 'a build of main that is still running stands between',
    builds: [
      build(470, 'main', 'd6', [lint, unit]),
      build(
        471,
        'main',
        'd7',
        [lint, { name: 'Unit tests', state: 'running', exit_status: null }],
        'running',
      ),
      build(472, 'main', 'd8', [
        lint,
        fail('Unit tests', ['FAIL test/poll.test.ts > poll > gives up after a while']),
      ]),
    ],
    asked: 472,
    about: { job: 'Unit tests', line: 'FAIL test/poll.test.ts > poll > gives up after a while' },
    right: isNew(472, 470),
    why: 'What is not over is neither green nor red: the last green one is 470.',
    alsoRight: [none],
    trap: isNew(472, 471),
  },
]
