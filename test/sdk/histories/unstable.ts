import {
  build,
  e2e,
  fail,
  failed,
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

/** Jobs that are unstable. */
export const unstableHistories: readonly WrittenHistory[] = [
  {
    title: 'failed and passed when run again, twice on main',
    builds: [
      build(280, 'main', 'a5', [
        lint,
        pass('End to end', {
          retried: [failed(['  ✘ 9 [firefox] › upload.spec.ts:20:1 › shows progress (15.0s)'])],
        }),
      ]),
      build(281, 'main', 'a6', [lint, e2e]),
      build(282, 'main', 'a7', [
        lint,
        pass('End to end', {
          retried: [failed(['  ✘ 9 [firefox] › upload.spec.ts:20:1 › shows progress (15.1s)'])],
        }),
      ]),
      build(283, 'feature/form', 'a8', [
        lint,
        fail('End to end', ['  ✘ 9 [firefox] › upload.spec.ts:20:1 › shows progress (15.0s)']),
      ]),
    ],
    asked: 283,
    about: { job: 'End to end', line: '✘ [firefox] › upload.spec.ts › shows progress' },
    right: unstable(3, 6),
    why: 'The same test failed and passed again without a change in 280 and in 282; with this one 3 of 6 runs failed.',
    alsoRight: [unstable(2, 5), notNew(280), notNew(282), none],
    trap: isNew(283, 282),
  },
  {
    title: 'the same commit was built twice: green first, red when rebuilt',
    builds: [
      build(290, 'main', 'a9', [lint, unit]),
      build(291, 'main', 'aa', [lint, unit]),
      {
        ...build(292, 'main', 'aa', [
          lint,
          fail('Unit tests', ['Error: listen EADDRINUSE: address already in use :::9229']),
        ]),
        rebuilt_from: 291,
      },
    ],
    asked: 292,
    about: { job: 'Unit tests', line: 'Error: listen EADDRINUSE: address already in use' },
    right: unstable(1, 3),
    why: 'Nothing changed between 291 and 292, so no commit is to blame.',
    alsoRight: [none, isNew(292, 291)],
  },
  {
    title: 'the same commit was built twice: red then green, and the next commit is red again',
    builds: [
      build(310, 'main', 'ab', [
        lint,
        fail('Unit tests', ['FAIL test/clock.test.ts > clock > ticks once a second']),
      ]),
      { ...build(311, 'main', 'ab', [lint, unit]), rebuilt_from: 310 },
      build(312, 'main', 'ac', [
        lint,
        fail('Unit tests', ['FAIL test/clock.test.ts > clock > ticks once a second']),
      ]),
    ],
    asked: 312,
    about: { job: 'Unit tests', line: 'FAIL test/clock.test.ts > clock > ticks once a second' },
    right: unstable(2, 3),
    why: 'The commit of 310 failed and passed with nothing changed, and this is the same test.',
    alsoRight: [unstable(1, 2), notNew(310), none],
    trap: isNew(312, 311),
  },
  {
    title: 'a branch that was just made: the commit of main passes there and fails here',
    builds: [
      build(320, 'main', 'ad', [lint, unit]),
      build(321, 'release/9', 'ad', [
        lint,
        fail('Unit tests', ['FAIL test/cache.test.ts > cache > forgets after a minute']),
      ]),
    ],
    asked: 321,
    about: { job: 'Unit tests', line: 'FAIL test/cache.test.ts > cache > forgets after a minute' },
    right: unstable(1, 2),
    why: 'One commit, one job, two ends: the branch brought no change with it.',
    alsoRight: [none, isNew(321, 320)],
    debatable:
      'Branch filters and variables of a release branch can make a difference that is none of the commit.',
  },
  {
    title: 'one member of a matrix is unsteady, on main and here',
    builds: [
      build(480, 'main', 'd9', [
        pass('Test', { matrix: { os: 'linux' } }),
        pass('Test', {
          matrix: { os: 'macos' },
          retried: [
            failed(["thread 'sync::tests::wakes_all' panicked at src/sync.rs:210:9:"], 101),
          ],
        }),
      ]),
      build(481, 'main', 'da', [
        pass('Test', { matrix: { os: 'linux' } }),
        pass('Test', { matrix: { os: 'macos' } }),
      ]),
      build(482, 'feature/sync', 'db', [
        pass('Test', { matrix: { os: 'linux' } }),
        fail('Test', ["thread 'sync::tests::wakes_all' panicked at src/sync.rs:210:9:"], {
          exit_status: 101,
          matrix: { os: 'macos' },
        }),
      ]),
    ],
    asked: 482,
    about: { job: 'Test', line: "thread 'sync::tests::wakes_all' panicked at src/sync.rs" },
    right: unstable(2, 4),
    why: 'On macOS this test failed and passed again in 480; the runs on Linux are other runs and do not count.',
    alsoRight: [unstable(1, 3), unstable(2, 7), unstable(1, 5), notNew(480), none],
    trap: isNew(482, 481),
  },
  {
    title: 'a job that was run again by hand on this branch, and passed; then it fails again',
    builds: [
      build(490, 'feature/mail', 'dc', [
        lint,
        pass('Integration', {
          retried: [
            failed(['FAIL it/mail.test.ts > mail > arrives', 'Error: no message within 5000 ms']),
          ],
        }),
      ]),
      build(491, 'feature/mail', 'dd', [
        lint,
        pass('Integration', {
          retried: [
            failed(['FAIL it/mail.test.ts > mail > arrives', 'Error: no message within 5000 ms']),
            failed(['FAIL it/mail.test.ts > mail > arrives', 'Error: no message within 5000 ms']),
          ],
        }),
      ]),
      build(492, 'feature/mail', 'de', [
        lint,
        fail(
          'Integration',
          ['FAIL it/mail.test.ts > mail > arrives', 'Error: no message within 5000 ms'],
          {
            retried: [
              failed(['FAIL it/mail.test.ts > mail > arrives', 'Error: no message within 5000 ms']),
            ],
          },
        ),
      ]),
    ],
    asked: 492,
    about: { job: 'Integration', line: 'FAIL it/mail.test.ts > mail > arrives' },
    right: unstable(5, 7),
    why: 'Twice it passed without a change after it had failed with this test: this time both attempts were unlucky.',
    alsoRight: [unstable(3, 5), notNew(490), notNew(491), none],
    trap: isNew(492, 491),
  },
  {
    title: 'one part of a group is flaky, another part fails',
    builds: [
      build(330, 'main', 'ae', [
        pass('Unit tests', {
          ...part(3),
          retried: [failed(['FAIL test/ws.test.ts > ws > reconnects'])],
        }),
        pass('Unit tests', part(5)),
      ]),
      build(331, 'main', 'af', [
        pass('Unit tests', {
          ...part(3),
          retried: [failed(['FAIL test/ws.test.ts > ws > reconnects'])],
        }),
        pass('Unit tests', part(5)),
      ]),
      build(332, 'feature/map', 'b0', [pass('Unit tests', part(3)), pass('Unit tests', part(5))]),
      build(333, 'feature/map', 'b1', [
        pass('Unit tests', part(3)),
        fail('Unit tests', ['FAIL test/map.test.ts > map > zooms to the pin'], part(5)),
      ]),
    ],
    asked: 333,
    about: { job: 'Unit tests', line: 'FAIL test/map.test.ts > map > zooms to the pin' },
    right: isNew(333, 332),
    why: 'Part 3 is the unsteady one and its test is another; part 5 had never failed.',
    alsoRight: [none],
    trap: unstable(3, 10),
  },
  {
    title: 'red and green in turn, each time with another commit',
    builds: [
      build(340, 'main', 'b2', [
        fail('End to end', ['  ✘ 2 [chromium] › chat.spec.ts:8:1 › shows who types (10.0s)']),
      ]),
      build(341, 'main', 'b3', [e2e]),
      build(342, 'main', 'b4', [
        fail('End to end', ['  ✘ 2 [chromium] › chat.spec.ts:8:1 › shows who types (10.0s)']),
      ]),
      build(343, 'main', 'b5', [e2e]),
      build(344, 'main', 'b6', [
        fail('End to end', ['  ✘ 2 [chromium] › chat.spec.ts:8:1 › shows who types (10.0s)']),
      ]),
    ],
    asked: 344,
    about: { job: 'End to end', line: '✘ [chromium] › chat.spec.ts › shows who types' },
    right: none,
    why: 'A person smells a flaky test, but no commit was seen both ways and no run was repeated: nothing is proved.',
    alsoRight: [unstable(3, 5), unstable(2, 4), isNew(344, 343)],
    debatable: '"Not new, it failed in 340" is true as "was seen before" and untrue as "since".',
  },
]
