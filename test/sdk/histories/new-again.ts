import {
  build,
  e2e,
  fail,
  failed,
  idle,
  isNew,
  lint,
  lost,
  none,
  notNew,
  pass,
  unit,
  unstable,
  type WrittenHistory,
} from './history.js'

/** Failures that are new, by what earlier builds say. */
export const newByEarlierBuilds: readonly WrittenHistory[] = [
  {
    title: 'canceled builds lie between the green one and ours',
    builds: [
      build(70, 'main', 'de', [lint, unit]),
      build(
        71,
        'main',
        'df',
        [idle('Lint', 'canceled'), idle('Unit tests', 'canceled')],
        'canceled',
      ),
      build(72, 'main', 'e0', [lint, idle('Unit tests', 'canceled')], 'canceled'),
      build(73, 'main', 'e1', [
        lint,
        fail('Unit tests', ['FAIL test/tree.test.ts > tree > removes a leaf']),
      ]),
    ],
    asked: 73,
    about: { job: 'Unit tests', line: 'FAIL test/tree.test.ts > tree > removes a leaf' },
    right: isNew(73, 70),
    why: 'Canceled builds show neither green nor red, so the suspects are all commits after 70.',
    alsoRight: [],
    trap: isNew(73, 72),
  },
  {
    title: 'the first build of a branch, main green',
    builds: [
      build(80, 'main', 'e2', [lint, unit]),
      build(81, 'main', 'e3', [lint, unit]),
      build(82, 'feature/new', 'e4', [
        lint,
        fail('Unit tests', ['FAIL test/color.test.ts > color > mixes in a linear space']),
      ]),
    ],
    asked: 82,
    about: { job: 'Unit tests', line: 'FAIL test/color.test.ts > color > mixes in a linear space' },
    right: isNew(82, 81),
    why: 'The branch has no past of its own, and main, from which it most likely started, was green in 81.',
    alsoRight: [none],
  },
  {
    title: 'the very first build of a pipeline',
    builds: [
      build(1, 'main', 'e5', [
        lint,
        fail('Unit tests', ['FAIL test/index.test.ts > index > exports a function']),
      ]),
    ],
    asked: 1,
    about: { job: 'Unit tests', line: 'FAIL test/index.test.ts > index > exports a function' },
    right: none,
    why: 'There is nothing before it to compare with, and no green build to name.',
    alsoRight: [],
    trap: isNew(1, 0),
  },
  {
    title: 'main green in between: fixed, and failing again',
    builds: [
      build(190, 'main', 'e6', [
        lint,
        fail('Unit tests', ['FAIL test/zip.test.ts > zip > keeps the mode of files']),
      ]),
      build(191, 'main', 'e7', [
        lint,
        fail('Unit tests', ['FAIL test/zip.test.ts > zip > keeps the mode of files']),
      ]),
      build(192, 'main', 'e8', [lint, unit]),
      build(193, 'main', 'e9', [lint, unit]),
      build(194, 'main', 'ea', [
        lint,
        fail('Unit tests', ['FAIL test/zip.test.ts > zip > keeps the mode of files']),
      ]),
    ],
    asked: 194,
    about: { job: 'Unit tests', line: 'FAIL test/zip.test.ts > zip > keeps the mode of files' },
    right: isNew(194, 193),
    why: 'It was repaired in 192 and has come back with the commit of 194: "since 190" would be untrue.',
    alsoRight: [none],
    trap: notNew(190),
  },
  {
    title: 'main was fixed, the branch started green after that, and now it fails',
    builds: [
      build(210, 'main', 'eb', [
        lint,
        fail('Unit tests', ['FAIL test/i18n.test.ts > i18n > has all keys in French']),
      ]),
      build(211, 'main', 'ec', [lint, unit]),
      build(212, 'feature/texts', 'ed', [lint, unit]),
      build(213, 'feature/texts', 'ee', [
        lint,
        fail('Unit tests', ['FAIL test/i18n.test.ts > i18n > has all keys in French']),
      ]),
    ],
    asked: 213,
    about: { job: 'Unit tests', line: 'FAIL test/i18n.test.ts > i18n > has all keys in French' },
    right: isNew(213, 212),
    why: 'The old failure was over on main and on this branch before 213: the new text lacks its French again.',
    alsoRight: [none],
    trap: notNew(210),
  },
  {
    title: 'the same line twice, but in the attempts of this very build',
    builds: [
      build(220, 'main', 'ef', [lint, unit]),
      build(221, 'main', 'f0', [
        lint,
        fail('Unit tests', ['FAIL test/lock.test.ts > lock > is released on a crash'], {
          retried: [failed(['FAIL test/lock.test.ts > lock > is released on a crash'])],
        }),
      ]),
    ],
    asked: 221,
    about: { job: 'Unit tests', line: 'FAIL test/lock.test.ts > lock > is released on a crash' },
    right: isNew(221, 220),
    why: 'A second attempt of the same build is no earlier failure; it failed both times, so it is not unsteady either.',
    alsoRight: [none],
    trap: notNew(221),
  },
  {
    title: 'a lint that fails softly all the time, and a test that fails truly',
    builds: [
      build(230, 'main', 'f1', [
        fail('Lint', ['src/a.ts:3:1 lint/noConsole'], { soft_failed: true }),
        unit,
      ]),
      build(231, 'main', 'f2', [
        fail('Lint', ['src/a.ts:3:1 lint/noConsole'], { soft_failed: true }),
        unit,
      ]),
      build(232, 'main', 'f3', [
        fail('Lint', ['src/a.ts:3:1 lint/noConsole'], { soft_failed: true }),
        fail('Unit tests', ['FAIL test/price.test.ts > price > is never negative']),
      ]),
    ],
    asked: 232,
    about: { job: 'Unit tests', line: 'FAIL test/price.test.ts > price > is never negative' },
    right: isNew(232, 231),
    why: 'The build fails because of the test; lint fails softly as ever and 231 is green in spite of it.',
    alsoRight: [],
    trap: notNew(230),
  },
  {
    title: 'lint hid the test: the build before failed too early to say',
    builds: [
      build(240, 'main', 'f4', [lint, unit]),
      build(241, 'main', 'f5', [
        fail('Lint', ['src/b.ts:4:10 lint/noUnusedVariables: count is unused.']),
        idle('Unit tests'),
      ]),
      build(242, 'main', 'f6', [
        lint,
        fail('Unit tests', ['FAIL test/count.test.ts > count > starts at one']),
      ]),
    ],
    asked: 242,
    about: { job: 'Unit tests', line: 'FAIL test/count.test.ts > count > starts at one' },
    right: isNew(242, 240),
    why: 'In 241 the tests did not run, so the line is first seen in 242 and the suspects are both commits after 240.',
    alsoRight: [none],
    trap: notNew(241),
  },
  {
    title: 'another job failed in the build before, this one had passed there',
    builds: [
      build(245, 'main', 'f7', [lint, unit, e2e]),
      build(246, 'main', 'f8', [
        lint,
        unit,
        fail('End to end', ['  ✘ 3 [webkit] › menu.spec.ts:12:1 › opens by touch (30.0s)']),
      ]),
      build(247, 'main', 'f9', [
        lint,
        fail('Unit tests', ['FAIL test/menu.test.ts > menu > closes on escape']),
        e2e,
      ]),
    ],
    asked: 247,
    about: { job: 'Unit tests', line: 'FAIL test/menu.test.ts > menu > closes on escape' },
    right: isNew(247, 245),
    why: 'The last green build is 245; a reader who looks at the job alone may narrow it down to 246.',
    alsoRight: [isNew(247, 246), none],
    trap: notNew(246),
  },
  {
    title: 'a matrix: another member failed before, with something else',
    builds: [
      build(250, 'main', 'fa', [
        pass('Test', { matrix: { node: '20' } }),
        fail('Test', ["SyntaxError: Unexpected token 'with'"], { matrix: { node: '18' } }),
      ]),
      build(251, 'feature/node', 'fb', [
        pass('Test', { matrix: { node: '20' } }),
        pass('Test', { matrix: { node: '18' } }),
      ]),
      build(252, 'feature/node', 'fc', [
        fail('Test', ['TypeError: util.styleText is not a function'], { matrix: { node: '20' } }),
        pass('Test', { matrix: { node: '18' } }),
      ]),
    ],
    asked: 252,
    about: { job: 'Test', line: 'TypeError: util.styleText is not a function' },
    right: isNew(252, 251),
    why: 'Another version of Node, another error: only the name of the job is the same.',
    alsoRight: [none],
    trap: notNew(250),
  },
  {
    title: 'a flaky job that fails truly this time',
    builds: [
      build(260, 'main', 'fd', [
        lint,
        pass('End to end', {
          retried: [failed(['TimeoutError: page.goto: Timeout 30000ms exceeded.'])],
        }),
      ]),
      build(261, 'main', 'fe', [lint, e2e]),
      build(262, 'main', 'a0', [
        lint,
        pass('End to end', {
          retried: [failed(['TimeoutError: page.goto: Timeout 30000ms exceeded.'])],
        }),
      ]),
      build(263, 'main', 'a1', [
        lint,
        fail(
          'End to end',
          ["Error: expect(locator).toHaveText: expected 'Pay now', received 'Pay'"],
          {
            retried: [
              failed(["Error: expect(locator).toHaveText: expected 'Pay now', received 'Pay'"]),
              failed(["Error: expect(locator).toHaveText: expected 'Pay now', received 'Pay'"]),
            ],
          },
        ),
      ]),
    ],
    asked: 263,
    about: {
      job: 'End to end',
      line: "Error: expect(locator).toHaveText: expected 'Pay now', received 'Pay'",
    },
    right: isNew(263, 262),
    why: 'It failed three times running with a line that was never seen, unlike the timeouts that passed when run again.',
    alsoRight: [none],
    trap: unstable(5, 8),
  },
  {
    title: 'agents were lost before, and the jobs passed elsewhere; now a test fails',
    builds: [
      build(270, 'main', 'a2', [lint, pass('Unit tests', { retried: [lost] })]),
      build(271, 'main', 'a3', [lint, pass('Unit tests', { retried: [lost] })]),
      build(272, 'main', 'a4', [
        lint,
        fail('Unit tests', ['FAIL test/grid.test.ts > grid > has no gap at the end']),
      ]),
    ],
    asked: 272,
    about: { job: 'Unit tests', line: 'FAIL test/grid.test.ts > grid > has no gap at the end' },
    right: isNew(272, 271),
    why: 'An agent that goes away is no failure of the job, which is as steady as before.',
    alsoRight: [none],
    trap: unstable(3, 5),
  },
]
