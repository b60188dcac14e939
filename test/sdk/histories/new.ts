import {
  build,
  fail,
  isNew,
  lint,
  none,
  notNew,
  pass,
  unit,
  type WrittenHistory,
} from './history.js'

/** Failures that are new: other lines, other jobs, other branches. */
export const newHistories: readonly WrittenHistory[] = [
  {
    title: 'plainly new on main',
    builds: [
      build(10, 'main', 'f7', [lint, unit]),
      build(11, 'main', 'f8', [lint, unit]),
      build(12, 'main', 'f9', [
        lint,
        fail('Unit tests', ['FAIL test/date.test.ts > dates > knows the leap day']),
      ]),
    ],
    asked: 12,
    about: { job: 'Unit tests', line: 'FAIL test/date.test.ts > dates > knows the leap day' },
    right: isNew(12, 11),
    why: 'The build before it passed, and nothing like it was seen.',
    alsoRight: [],
  },
  {
    title: 'the same job failed before, for another reason',
    builds: [
      build(14, 'main', 'a7', [
        lint,
        fail('Unit tests', ['Error: connect ECONNREFUSED 127.0.0.1:5432']),
      ]),
      build(15, 'main', 'a8', [lint, unit]),
      build(16, 'feature/sum', 'a9', [lint, unit]),
      build(17, 'feature/sum', 'aa', [
        lint,
        fail('Unit tests', ['FAIL test/sum.test.ts > sums > an empty list is 0']),
      ]),
    ],
    asked: 17,
    about: { job: 'Unit tests', line: 'FAIL test/sum.test.ts > sums > an empty list is 0' },
    right: isNew(17, 16),
    why: 'The failure of 14 was a database that was not there, and this is a wrong sum.',
    alsoRight: [none],
    trap: notNew(14),
  },
  {
    title: 'the same job fails on main, still red, for another reason',
    builds: [
      build(18, 'feature/list', 'ab', [lint, unit]),
      build(19, 'main', 'ac', [
        lint,
        fail('Unit tests', ['FAIL test/money.test.ts > money > formats yen']),
      ]),
      build(20, 'feature/list', 'ad', [
        lint,
        fail('Unit tests', ['FAIL test/list.test.ts > list > keeps its order']),
      ]),
    ],
    asked: 20,
    about: { job: 'Unit tests', line: 'FAIL test/list.test.ts > list > keeps its order' },
    right: isNew(20, 18),
    why: 'Main fails in another test; this one broke on the branch after 18.',
    alsoRight: [none],
    trap: notNew(19),
  },
  {
    title: 'the same words, but the test has another name',
    builds: [
      build(100, 'main', 'ae', [
        fail('API tests', [
          'FAILED tests/test_orders.py::test_create - AssertionError: assert 500 == 201',
        ]),
      ]),
      build(101, 'feature/delete', 'af', [pass('API tests')]),
      build(102, 'feature/delete', 'b0', [
        fail('API tests', [
          'FAILED tests/test_orders.py::test_delete - AssertionError: assert 500 == 201',
        ]),
      ]),
    ],
    asked: 102,
    about: {
      job: 'API tests',
      line: 'FAILED tests/test_orders.py::test_delete - AssertionError: assert 500 == 201',
    },
    right: isNew(102, 101),
    why: 'test_delete is another test than test_create, though both got a 500.',
    alsoRight: [none],
    trap: notNew(100),
  },
  {
    title: 'tests whose names differ in a digit only',
    builds: [
      build(110, 'main', 'b1', [fail('Unit tests', ['--- FAIL: TestLoginV1 (0.11s)'])]),
      build(111, 'feature/v2', 'bc', [unit]),
      build(112, 'feature/v2', 'bd', [fail('Unit tests', ['--- FAIL: TestLoginV2 (0.11s)'])]),
    ],
    asked: 112,
    about: { job: 'Unit tests', line: '--- FAIL: TestLoginV2' },
    right: isNew(112, 111),
    why: 'V1 and V2 are parts of names and no counters.',
    alsoRight: [none],
    trap: notNew(110),
  },
  {
    title: 'npm says E404 now and said E500 before',
    builds: [
      build(120, 'main', 'be', [
        fail('Install', [
          'npm error code E500',
          'npm error 500 Internal Server Error - GET https://packages.example/@acme%2fui',
        ]),
      ]),
      build(121, 'feature/ui', 'bf', [pass('Install')]),
      build(122, 'feature/ui', 'c0', [
        fail('Install', [
          'npm error code E404',
          'npm error 404 Not Found - GET https://packages.example/@acme%2fui',
        ]),
      ]),
    ],
    asked: 122,
    about: { job: 'Install', line: 'npm error code E404' },
    right: isNew(122, 121),
    why: 'A registry in trouble is not a package that does not exist: this number is the message.',
    alsoRight: [none],
    trap: notNew(120),
  },
  {
    title: 'a status code in a sentence: 401 now, 503 before, and nothing green between',
    builds: [
      build(130, 'main', 'c1', [
        fail('Deploy preview', ['AxiosError: Request failed with status code 503']),
      ]),
      build(131, 'main', 'c2', [
        fail('Deploy preview', ['AxiosError: Request failed with status code 401']),
      ]),
    ],
    asked: 131,
    about: { job: 'Deploy preview', line: 'AxiosError: Request failed with status code 401' },
    right: none,
    why: 'A refused token is not a service that is down, and no green build is known to say "new" by.',
    alsoRight: [],
    trap: notNew(130),
  },
  {
    title: 'two codes of the compiler at the same place',
    builds: [
      build(140, 'main', 'c3', [
        fail(
          'Types',
          ["src/order.ts(31,9): error TS2339: Property 'total' does not exist on type 'Order'."],
          { exit_status: 2 },
        ),
      ]),
      build(141, 'feature/order', 'c4', [pass('Types')]),
      build(142, 'feature/order', 'cc', [
        fail(
          'Types',
          [
            "src/order.ts(31,9): error TS2551: Property 'totl' does not exist on type 'Order'. Did you mean 'total'?",
          ],
          { exit_status: 2 },
        ),
      ]),
    ],
    asked: 142,
    about: {
      job: 'Types',
      line: "src/order.ts: error TS2551: Property 'totl' does not exist on type 'Order'.",
    },
    right: isNew(142, 141),
    why: 'Another code and another name: a typing mistake of this branch.',
    alsoRight: [none],
    trap: notNew(140),
  },
  {
    title: 'the same package is missing, in another version',
    builds: [
      build(160, 'main', 'cd', [
        fail('Install', ['npm error notarget No matching version found for @acme/ui@4.2.1.']),
      ]),
      build(161, 'deps/ui-5', 'ce', [pass('Install')]),
      build(162, 'deps/ui-5', 'cf', [
        fail('Install', ['npm error notarget No matching version found for @acme/ui@5.0.0.']),
      ]),
    ],
    asked: 162,
    about: {
      job: 'Install',
      line: 'npm error notarget No matching version found for @acme/ui@5.0.0.',
    },
    right: isNew(162, 161),
    why: 'Version 5.0.0 was asked for by this branch first; that 4.2.1 was missing on main is another story.',
    alsoRight: [none],
    trap: notNew(160),
  },
  {
    title: 'the same line on another branch that is not the default one',
    builds: [
      build(170, 'feature/one', 'd0', [
        lint,
        fail('Unit tests', ['FAIL test/theme.test.ts > theme > follows the system']),
      ]),
      build(171, 'main', 'd1', [lint, unit]),
      build(172, 'feature/two', 'd2', [lint, unit]),
      build(173, 'feature/two', 'd3', [
        lint,
        fail('Unit tests', ['FAIL test/theme.test.ts > theme > follows the system']),
      ]),
    ],
    asked: 173,
    about: { job: 'Unit tests', line: 'FAIL test/theme.test.ts > theme > follows the system' },
    right: isNew(173, 172),
    why: "What fails on somebody else's branch says nothing of this one, which was green in 172 as main was in 171.",
    alsoRight: [none],
    trap: notNew(170),
  },
  {
    title: 'the default branch is trunk, and a branch is named main',
    defaultBranch: 'trunk',
    builds: [
      build(180, 'main', 'd4', [
        lint,
        fail('Unit tests', ['FAIL test/legacy.test.ts > legacy > reads the old format']),
      ]),
      build(181, 'trunk', 'd5', [lint, unit]),
      build(182, 'feature/reader', 'd6', [lint, unit]),
      build(183, 'feature/reader', 'd7', [
        lint,
        fail('Unit tests', ['FAIL test/legacy.test.ts > legacy > reads the old format']),
      ]),
    ],
    asked: 183,
    about: { job: 'Unit tests', line: 'FAIL test/legacy.test.ts > legacy > reads the old format' },
    right: isNew(183, 182),
    why: 'The branch main is any branch here: trunk is what others start from, and it is green.',
    alsoRight: [none],
    trap: notNew(180),
  },
  {
    title: 'main fails in the same way, but only after us',
    builds: [
      build(60, 'feature/fast', 'da', [lint, unit]),
      build(61, 'feature/fast', 'db', [
        lint,
        fail('Unit tests', ['FAIL test/queue.test.ts > queue > drains before it stops']),
      ]),
      build(62, 'main', 'dc', [
        lint,
        fail('Unit tests', ['FAIL test/queue.test.ts > queue > drains before it stops']),
      ]),
      build(63, 'main', 'dd', [
        lint,
        fail('Unit tests', ['FAIL test/queue.test.ts > queue > drains before it stops']),
      ]),
    ],
    asked: 61,
    about: { job: 'Unit tests', line: 'FAIL test/queue.test.ts > queue > drains before it stops' },
    right: isNew(61, 60),
    why: 'At the time of 61 nothing like it had failed: what came to main later is no earlier failure.',
    alsoRight: [none],
    trap: notNew(62),
  },
]
