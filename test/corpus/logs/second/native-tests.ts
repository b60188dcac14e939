import type { LogCase } from '../../case.js'
import { block, cap, green, job, random, red, repeat, stamped, text } from './filler.js'

function ctestLines(from: number, to: number, total: number, seed: number): string[] {
  const r = random(seed)
  return repeat(to - from + 1, (i) => {
    const n = String(from + i).padStart(3)
    return (
      `${n}/${total} Test #${n}: ${`${r.word()}_throws_error `.padEnd(30, '.')}   Passed  ` +
      `  0.0${r.int(1, 9)} sec`
    )
  })
}

export const cases: LogCase[] = [
  {
    name: 'ctest-output-in-the-middle',
    tool: 'ctest / googletest',
    exit_status: 8,
    wanted: '/build/tests/ring_test.cpp:57: Failure',
    log: () =>
      job(
        'ctest --test-dir out --output-on-failure',
        8,
        text(
          'Test project /build/out',
          ctestLines(1, 60, 212, 161),
          ' 61/212 Test #61: ring_error_test ..................***Failed    0.04 sec',
          block(`
            [==========] Running 3 tests from 1 test suite.
            [ RUN      ] Ring.ThrowsOnZero
            [       OK ] Ring.ThrowsOnZero (0 ms)
            [ RUN      ] Ring.WrapsAround
            /build/tests/ring_test.cpp:57: Failure
            Expected equality of these values:
              ring.size()
                Which is: 7
              8
            [  FAILED  ] Ring.WrapsAround (0 ms)
            [==========] 3 tests from 1 test suite ran. (1 ms total)
            [  PASSED  ] 2 tests.
            [  FAILED  ] 1 test, listed below:
            [  FAILED  ] Ring.WrapsAround
          `),
          '',
          ctestLines(62, 212, 212, 162),
          '',
          '99% tests passed, 1 tests failed out of 212',
          '',
          'Total Test time (real) =  14.20 sec',
          '',
          'The following tests FAILED:',
          '\t 61 - ring_error_test (Failed)',
          'Errors while running CTest',
        ),
      ),
  },
  {
    name: 'ctest-test-crashes',
    tool: 'ctest (segfault)',
    exit_status: 8,
    wanted: 'codec_fuzz .......................***Exception: SegFault',
    log: () =>
      job(
        'ctest --test-dir out -j8',
        8,
        text(
          ctestLines(1, 40, 60, 163),
          ' 41/60 Test #41: codec_fuzz .......................***Exception: SegFault  0.31 sec',
          ctestLines(42, 60, 60, 164),
          '',
          '98% tests passed, 1 tests failed out of 60',
          '',
          'The following tests FAILED:',
          '\t 41 - codec_fuzz (SEGFAULT)',
          'Errors while running CTest',
        ),
      ),
  },
  {
    name: 'googletest-exception-in-body',
    tool: 'googletest',
    exit_status: 1,
    wanted:
      'C++ exception with description "ring: capacity must be a power of two" thrown in ' +
      'the test body',
    log: () => {
      const r = random(165)
      const ok = (count: number) =>
        repeat(count, () => {
          const name = `Ring.Throws${cap(r.word())}Exception`
          return `${green('[ RUN      ]')} ${name}\n${green('[       OK ]')} ${name} (0 ms)`
        })
      return job(
        './out/tests/ring_test',
        1,
        text(
          ok(60),
          `${green('[ RUN      ]')} Ring.GrowsOnDemand`,
          'unknown file: Failure',
          'C++ exception with description "ring: capacity must be a power of two" thrown in ' +
            'the test body.',
          '',
          `${red('[  FAILED  ]')} Ring.GrowsOnDemand (0 ms)`,
          ok(70),
          `${green('[==========]')} 131 tests from 4 test suites ran. (41 ms total)`,
          `${green('[  PASSED  ]')} 130 tests.`,
          `${red('[  FAILED  ]')} 1 test, listed below:`,
          `${red('[  FAILED  ]')} Ring.GrowsOnDemand`,
          '',
          ' 1 FAILED TEST',
        ),
      )
    },
  },
  {
    name: 'bats-assertion',
    tool: 'bats',
    exit_status: 1,
    wanted: '`[ "$status" -eq 75 ]\' failed',
    log: () =>
      text(
        '1..30',
        repeat(17, (i) => `ok ${i + 1} prints an error for ${random(i).word()}`),
        'not ok 18 refuses a second lock',
        '# (in test file test/lock.bats, line 31)',
        '#   `[ "$status" -eq 75 ]\' failed',
        '# lock: error: held by 4121 since 09:12:07',
        repeat(12, (i) => `ok ${i + 19} fails without ${random(i + 40).word()}`),
      ),
  },
  {
    name: 'address-sanitizer',
    tool: 'address sanitizer',
    exit_status: 1,
    wanted: 'AddressSanitizer: heap-use-after-free',
    log: () => {
      const r = random(166)
      const frames = (count: number) =>
        repeat(
          count,
          (i) =>
            `    #${i} 0x5581${r.hex(8)} in ${r.word()}_${r.word()} ` +
            `/build/src/${r.word()}.c:${r.int(10, 300)}:${r.int(3, 30)}`,
        )
      return job(
        './out/fuzz -runs=10000 corpus',
        1,
        text(
          repeat(
            20,
            (i) =>
              `#${2 ** i}\tNEW    cov: ${120 + i} ft: ${200 + i * 3} corp: ${i}/41b exec/s: 0 ` +
              'rss: 31Mb',
          ),
          '=================================================================',
          '==4121==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000a10 at ' +
            'pc 0x5581 bp 0x7ffc sp 0x7ffc',
          'READ of size 8 at 0x602000000a10 thread T0',
          frames(14),
          '',
          '0x602000000a10 is located 0 bytes inside of 16-byte region ' +
            '[0x602000000a10,0x602000000a20)',
          'freed by thread T0 here:',
          frames(14),
          '',
          'previously allocated by thread T0 here:',
          frames(14),
          '',
          'Shadow bytes around the buggy address:',
          repeat(11, () => `  0x0c04${r.hex(8)}: fa fa fd fd fa fa 00 00 fa fa fd fd fa fa 00 00`),
          '  Addressable:           00',
          '  Heap left redzone:       fa',
          '  Freed heap region:       fd',
          '==4121==ABORTING',
        ),
      )
    },
  },
  {
    name: 'perl-prove-one-file',
    tool: 'prove (perl)',
    exit_status: 1,
    wanted: "#   Failed test 'rounds half cents up'",
    log: () => {
      const r = random(167)
      const ok = (count: number) =>
        repeat(count, () => `t/${r.int(10, 99)}-${r.word()}-error.t ${'.'.repeat(14)} ok`)
      return job(
        'prove -lr t',
        1,
        text(
          ok(20),
          '',
          "#   Failed test 'rounds half cents up'",
          '#   at t/31-round.t line 19.',
          "#          got: '12'",
          "#     expected: '13'",
          '# Looks like you failed 1 test of 14.',
          't/31-round.t ........................ ',
          'Dubious, test returned 1 (wstat 256, 0x100)',
          'Failed 1/14 subtests ',
          ok(90),
          '',
          'Test Summary Report',
          '-------------------',
          't/31-round.t (Wstat: 256 (exited 1) Tests: 14 Failed: 1)',
          '  Failed test:  9',
          '  Non-zero exit status: 1',
          'Files=111, Tests=1204, 31 wallclock secs',
          'Result: FAIL',
        ),
      )
    },
  },
  {
    name: 'elixir-match-error',
    tool: 'mix test',
    exit_status: 2,
    wanted: '** (MatchError) no match of right hand side value: {:error, :rate_missing}',
    log: () =>
      stamped(
        job(
          'mix test',
          2,
          text(
            'Compiling 41 files (.ex)',
            'Generated shop app',
            green('..............................'),
            block(`
              09:12:07.114 [error] GenServer Shop.Rates terminating
              ** (stop) the test stops it

                1) test adds tax (Shop.CartTest)
                   test/shop/cart_test.exs:31
                   ${red('** (MatchError) no match of right hand side value: {:error, :rate_missing}')}
                   code: {:ok, total} = Cart.total(cart)
                   stacktrace:
                     test/shop/cart_test.exs:33: (test)

              .............

              Finished in 0.4 seconds (0.3s async, 0.1s sync)
              ${red('44 tests, 1 failure')}

              Randomized with seed 41203
            `),
          ),
        ),
        168,
        'agent',
      ),
  },
]
