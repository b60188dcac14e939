import {
  build,
  e2e,
  fail,
  idle,
  isNew,
  lint,
  none,
  notNew,
  part,
  pass,
  unit,
  unstable,
  type WrittenHistory,
} from './history.js'

/** Failures that are not new. */
export const notNewHistories: readonly WrittenHistory[] = [
  {
    title: 'main is broken already: ours only inherits it',
    builds: [
      build(200, 'main', 'a1', [lint, unit]),
      build(201, 'main', 'a2', [
        lint,
        fail('Unit tests', ['FAIL src/cart/total.test.ts > cart > adds the tax of two states']),
      ]),
      build(202, 'fix/search', 'b1', [
        lint,
        fail('Unit tests', ['FAIL src/cart/total.test.ts > cart > adds the tax of two states']),
      ]),
    ],
    asked: 202,
    about: {
      job: 'Unit tests',
      line: 'FAIL src/cart/total.test.ts > cart > adds the tax of two states',
    },
    right: notNew(201),
    why: 'The same test of the same file failed on main one build earlier, after main had been green in 200.',
    alsoRight: [],
    trap: isNew(202, 200),
  },
  {
    title: 'the branch fails for the third time in a row, after a green one',
    builds: [
      build(40, 'feature/cart', 'c1', [lint, unit]),
      build(41, 'feature/cart', 'c2', [
        lint,
        fail('Unit tests', ["TypeError: Cannot read properties of undefined (reading 'currency')"]),
      ]),
      build(42, 'feature/cart', 'c3', [
        lint,
        fail('Unit tests', ["TypeError: Cannot read properties of undefined (reading 'currency')"]),
      ]),
      build(43, 'feature/cart', 'c4', [
        lint,
        fail('Unit tests', ["TypeError: Cannot read properties of undefined (reading 'currency')"]),
      ]),
    ],
    asked: 43,
    about: {
      job: 'Unit tests',
      line: "TypeError: Cannot read properties of undefined (reading 'currency')",
    },
    right: notNew(41),
    why: 'Two earlier builds of this branch failed with this very line, and two logs prove it.',
    alsoRight: [],
    trap: isNew(43, 40),
  },
  {
    title: 'only times, a UUID, a temporary path and colours differ',
    builds: [
      build(11, 'main', 'd1', [lint, unit]),
      build(12, 'main', 'd2', [
        lint,
        fail('Unit tests', [
          '\u001b[31m2026-03-02T09:14:07.112Z ERROR\u001b[39m [req 7c1e4b52-9a0d-4f3e-8b1c-2d6f5a7e9c30] cannot open /tmp/jest-x8Kq2/worker-3/session.db: database is locked',
        ]),
      ]),
      build(13, 'feature/login', 'd3', [
        lint,
        fail('Unit tests', [
          '2026-03-02T11:48:59.004Z ERROR [req e0b9d8f1-1c2a-4d5b-9e8f-0a1b2c3d4e5f] cannot open /tmp/jest-Zp01r/worker-1/session.db: database is locked',
        ]),
      ]),
    ],
    asked: 13,
    about: { job: 'Unit tests', line: 'cannot open …/session.db: database is locked' },
    right: notNew(12),
    why: 'What differs is when and where it ran and the colour, what it says is the same.',
    alsoRight: [],
    trap: isNew(13, 11),
  },
  {
    title: 'durations and counts of the same test differ',
    builds: [
      build(90, 'main', 'e1', [lint, e2e]),
      build(91, 'main', 'e2', [
        lint,
        fail('End to end', ['  ✘ 14 [chromium] › checkout.spec.ts:88:3 › pays by invoice (31.4s)']),
      ]),
      build(92, 'main', 'e3', [
        lint,
        fail('End to end', ['  ✘ 15 [chromium] › checkout.spec.ts:91:3 › pays by invoice (30.9s)']),
      ]),
    ],
    asked: 92,
    about: { job: 'End to end', line: '✘ [chromium] › checkout.spec.ts › pays by invoice' },
    right: notNew(91),
    why: 'The ordinal, the line and the seconds moved; file, browser and title of the test did not.',
    alsoRight: [],
    trap: isNew(92, 90),
  },
  {
    title: 'a compiler error has moved by two lines, in another checkout',
    builds: [
      build(300, 'main', 'f1', [lint, pass('Types')]),
      build(301, 'main', 'f2', [
        lint,
        fail(
          'Types',
          [
            "/var/lib/agent-4/builds/web/src/api/client.ts(12,5): error TS2304: Cannot find name 'Session'.",
          ],
          { exit_status: 2 },
        ),
      ]),
      build(302, 'fix/typo', 'f3', [
        lint,
        fail(
          'Types',
          [
            "/var/lib/agent-11/builds/web/src/api/client.ts(14,5): error TS2304: Cannot find name 'Session'.",
          ],
          { exit_status: 2 },
        ),
      ]),
    ],
    asked: 302,
    about: { job: 'Types', line: "src/api/client.ts: error TS2304: Cannot find name 'Session'." },
    right: notNew(301),
    why: 'File, code and name of the error agree; the agent and the line number do not matter.',
    alsoRight: [],
    trap: isNew(302, 300),
  },
  {
    title: 'the failure was in a build that was canceled as soon as a job had failed',
    builds: [
      build(70, 'feature/api', 'a3', [lint, unit, e2e]),
      build(
        71,
        'feature/api',
        'a4',
        [
          lint,
          fail('Unit tests', ['--- FAIL: TestRefundIsBooked (0.02s)']),
          idle('End to end', 'canceled'),
        ],
        'canceled',
      ),
      build(72, 'feature/api', 'a5', [
        lint,
        fail('Unit tests', ['--- FAIL: TestRefundIsBooked (0.03s)']),
        idle('End to end'),
      ]),
    ],
    asked: 72,
    about: { job: 'Unit tests', line: '--- FAIL: TestRefundIsBooked' },
    right: notNew(71),
    why: 'Build 71 ended as canceled, but its job had failed with the same test before that.',
    alsoRight: [none],
    trap: isNew(72, 70),
  },
  {
    title: 'the tests were split anew: 3/8 then, 5/8 now',
    builds: [
      build(500, 'main', 'b2', [pass('Unit tests', part(3)), pass('Unit tests', part(5))]),
      build(501, 'main', 'b3', [
        fail(
          'Unit tests',
          ['FAILED tests/test_invoice.py::test_rounds_half_even - assert 12.35 == 12.34'],
          part(3),
        ),
        pass('Unit tests', part(5)),
      ]),
      build(502, 'feature/pdf', 'b4', [
        pass('Unit tests', part(3)),
        fail(
          'Unit tests',
          ['FAILED tests/test_invoice.py::test_rounds_half_even - assert 12.35 == 12.34'],
          part(5),
        ),
      ]),
    ],
    asked: 502,
    about: {
      job: 'Unit tests',
      line: 'FAILED tests/test_invoice.py::test_rounds_half_even - assert 12.35 == 12.34',
    },
    right: notNew(501),
    why: 'The same test fails as on main; which part of the group ran it says nothing.',
    alsoRight: [],
    trap: isNew(502, 500),
  },
  {
    title: 'a matrix: Windows has failed on main, and fails here in the same way',
    builds: [
      build(610, 'main', 'c5', [
        pass('Test', { matrix: { os: 'linux' } }),
        pass('Test', { matrix: { os: 'windows' } }),
      ]),
      build(611, 'main', 'c6', [
        pass('Test', { matrix: { os: 'linux' } }),
        fail(
          'Test',
          ["Error: EPERM: operation not permitted, unlink 'C:\\agent\\b1\\cache\\index.lock'"],
          { matrix: { os: 'windows' } },
        ),
      ]),
      build(612, 'feature/cache', 'c7', [
        pass('Test', { matrix: { os: 'linux' } }),
        fail(
          'Test',
          ["Error: EPERM: operation not permitted, unlink 'C:\\agent\\b7\\cache\\index.lock'"],
          { matrix: { os: 'windows' } },
        ),
      ]),
    ],
    asked: 612,
    about: { job: 'Test', line: 'Error: EPERM: operation not permitted, unlink …\\index.lock' },
    right: notNew(611),
    why: 'The same member of the matrix failed on main with the same refusal of the same file.',
    alsoRight: [],
    trap: unstable(2, 6),
  },
  {
    title: 'the job was renamed, its key was not',
    builds: [
      build(40, 'main', 'd4', [
        fail('Unit tests', ['AssertionError: the cart of a guest must be empty after checkout'], {
          step_key: 'unit',
        }),
      ]),
      build(41, 'main', 'd5', [
        fail(':jest: Unit', ['AssertionError: the cart of a guest must be empty after checkout'], {
          step_key: 'unit',
        }),
      ]),
      build(44, 'feature/guest', 'd6', [
        fail(':jest: Unit', ['AssertionError: the cart of a guest must be empty after checkout'], {
          step_key: 'unit',
        }),
      ]),
    ],
    asked: 44,
    about: {
      job: ':jest: Unit',
      line: 'AssertionError: the cart of a guest must be empty after checkout',
    },
    right: notNew(40),
    why: 'The step is the same by its key and its words, so the run began under the old name.',
    alsoRight: [notNew(41)],
  },
  {
    title: 'the job was renamed and has no key, but what it says is unmistakable',
    builds: [
      build(150, 'main', 'e4', [pass('Integration')]),
      build(151, 'main', 'e5', [
        fail('Integration', ['ERROR: relation "invoice_lines" does not exist']),
      ]),
      build(152, 'feature/names', 'e6', [
        fail('Integration (postgres 16)', ['ERROR: relation "invoice_lines" does not exist']),
      ]),
    ],
    asked: 152,
    about: {
      job: 'Integration (postgres 16)',
      line: 'ERROR: relation "invoice_lines" does not exist',
    },
    right: notNew(151),
    why: 'The missing table was missing on main already, whatever the job is called now.',
    alsoRight: [none],
    trap: isNew(152, 150),
  },
  {
    title: 'one of the two old logs is gone, the other one suffices',
    builds: [
      build(50, 'main', 'f4', [lint, unit]),
      build(51, 'main', 'f5', [
        lint,
        fail('Unit tests', ['panic: assignment to entry in nil map'], { exit_status: 2 }),
      ]),
      build(52, 'main', 'f6', [lint, fail('Unit tests', 'gone', { exit_status: 2 })]),
      build(53, 'main', 'a6', [
        lint,
        fail('Unit tests', ['panic: assignment to entry in nil map'], { exit_status: 2 }),
      ]),
    ],
    asked: 53,
    about: { job: 'Unit tests', line: 'panic: assignment to entry in nil map' },
    right: notNew(51),
    why: 'Build 51 shows the line and nothing was green since, so the lost log of 52 does not matter.',
    alsoRight: [none],
    trap: isNew(53, 50),
  },
  {
    title: 'main has been broken for six builds',
    builds: [
      build(800, 'main', 'b5', [lint, unit]),
      ...['b6', 'b7', 'b8', 'b9', 'ba', 'bb'].map((commit, at) =>
        build(801 + at, 'main', commit, [
          lint,
          fail('Unit tests', [
            `FAIL test/mail.test.ts:${40 + at} > mail > quotes the name of the sender`,
          ]),
        ]),
      ),
    ],
    asked: 806,
    about: {
      job: 'Unit tests',
      line: 'FAIL test/mail.test.ts > mail > quotes the name of the sender',
    },
    right: notNew(801),
    why: 'Every build since 801 fails with this test; two logs cannot prove all five, so a later start is true as well.',
    alsoRight: [notNew(802), notNew(803), notNew(804), notNew(805), none],
    trap: isNew(806, 800),
  },
  {
    title: 'a run of failures whose first one had another cause',
    builds: [
      build(20, 'main', 'c8', [lint, unit]),
      build(21, 'main', 'c9', [
        lint,
        fail('Unit tests', ["Error: Cannot find module './fixtures/users.json'"]),
      ]),
      build(22, 'main', 'ca', [
        lint,
        fail('Unit tests', ['FAIL test/users.test.ts > users > are sorted by their name']),
      ]),
      build(23, 'main', 'cb', [
        lint,
        fail('Unit tests', ['FAIL test/users.test.ts > users > are sorted by their name']),
      ]),
    ],
    asked: 23,
    about: {
      job: 'Unit tests',
      line: 'FAIL test/users.test.ts > users > are sorted by their name',
    },
    right: notNew(22),
    why: 'Only 22 failed with this test: in 21 the file could not even be loaded.',
    alsoRight: [],
    trap: notNew(21),
  },
  {
    title: 'fixed on main meanwhile, but this branch has never had the fix',
    builds: [
      build(31, 'main', 'd7', [
        fail('Unit tests', ['Error: certificate has expired: CN=mail.test']),
      ]),
      build(32, 'feature/x', 'd8', [
        fail('Unit tests', ['Error: certificate has expired: CN=mail.test']),
      ]),
      build(33, 'main', 'd9', [unit]),
      build(34, 'feature/x', 'da', [
        fail('Unit tests', ['Error: certificate has expired: CN=mail.test']),
      ]),
    ],
    asked: 34,
    about: { job: 'Unit tests', line: 'Error: certificate has expired: CN=mail.test' },
    right: notNew(31),
    why: 'The branch was never green between: it carries the failure of main that main has got rid of in 33.',
    alsoRight: [notNew(32)],
    trap: isNew(34, 33),
  },
  {
    title: 'a soft failure of lint has become a hard one',
    builds: [
      build(60, 'main', 'e7', [
        fail('Lint', ["src/menu.ts:7:1 lint/noConsole: Don't use console."], { soft_failed: true }),
        unit,
      ]),
      build(61, 'main', 'e8', [
        fail('Lint', ["src/menu.ts:9:1 lint/noConsole: Don't use console."], { soft_failed: true }),
        unit,
      ]),
      build(62, 'main', 'e9', [
        fail('Lint', ["src/menu.ts:9:1 lint/noConsole: Don't use console."]),
        unit,
      ]),
    ],
    asked: 62,
    about: { job: 'Lint', line: "src/menu.ts lint/noConsole: Don't use console." },
    right: notNew(60),
    why: 'The complaint is old, only its weight is new: it failed softly in builds that passed.',
    alsoRight: [notNew(61), none],
    debatable:
      'The builds 60 and 61 passed: "new in 62, last green 61" is right for the build and wrong for the line.',
  },
]
