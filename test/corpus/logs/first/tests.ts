import type { LogCase } from '../../case.js'
import { green, lines, many, name, red, time, varied } from '../../filler.js'

export const tests: readonly LogCase[] = [
  {
    name: 'pytest-with-captured-logs',
    tool: 'pytest',
    exit_status: 1,
    wanted: "E       assert Decimal('9.99') == Decimal('10.00')",
    log: () =>
      lines(
        'collected 210 items',
        many(
          40,
          (at) => `tests/test_${name(at)}_errors.py ....${'.'.repeat(at % 20)} [ ${at * 2}%]`,
        ),
        '=================================== FAILURES ===================================',
        '________________________________ test_rounding _________________________________',
        '',
        '    def test_rounding():',
        ">       assert price('9.991') == Decimal('10.00')",
        "E       assert Decimal('9.99') == Decimal('10.00')",
        '',
        'tests/test_price.py:31: AssertionError',
        '------------------------------ Captured log call -------------------------------',
        many(110, (at) => `ERROR    shop.db:db.py:${at + 3} lost connection ${at}, reconnecting`),
        '=========================== short test summary info ============================',
        'FAILED tests/test_price.py::test_rounding',
        '======================== 1 failed, 209 passed in 12.41s ========================',
      ),
  },
  {
    name: 'unittest',
    tool: 'python unittest',
    exit_status: 1,
    wanted: "AssertionError: 'DE' != 'AT'",
    log: () =>
      lines(
        many(
          120,
          (at) => `test_error_${name(at)} (tests.${name(at)}.Errors.test_error_${name(at)}) ... ok`,
        ),
        'test_country (tests.address.Country.test_country) ... FAIL',
        '',
        '======================================================================',
        'FAIL: test_country (tests.address.Country.test_country)',
        '----------------------------------------------------------------------',
        'Traceback (most recent call last):',
        '  File "/srv/tests/address.py", line 18, in test_country',
        "    self.assertEqual(country('Wien'), 'AT')",
        "AssertionError: 'DE' != 'AT'",
        '- DE',
        '+ AT',
        '----------------------------------------------------------------------',
        'Ran 121 tests in 0.411s',
        '',
        'FAILED (failures=1)',
      ),
  },
  {
    name: 'python-traceback-then-cleanup',
    tool: 'a python script',
    exit_status: 1,
    wanted: "KeyError: 'vat_rate'",
    log: () =>
      lines(
        many(40, (at) => `loaded fixture ${name(at)}`),
        'Traceback (most recent call last):',
        '  File "/srv/tools/report.py", line 90, in <module>',
        '    main()',
        '  File "/srv/tools/report.py", line 61, in main',
        "    rate = settings['vat_rate']",
        "KeyError: 'vat_rate'",
        many(5_000, (at) => `removed temporary file /tmp/report/${name(at)}.part`),
      ),
  },
  {
    name: 'go-test-verbose',
    tool: 'go test -v',
    exit_status: 1,
    wanted: 'cart_test.go:41: total = 95, want 100',
    log: () =>
      lines(
        many(60, (at) =>
          [
            `=== RUN   TestError${name(at)}`,
            `--- PASS: TestError${name(at)} (0.0${at % 10}s)`,
          ].join('\n'),
        ),
        '=== RUN   TestCartTotal',
        '    cart_test.go:41: total = 95, want 100',
        '--- FAIL: TestCartTotal (0.01s)',
        many(60, (at) =>
          [
            `=== RUN   TestFails${name(at)}`,
            `--- PASS: TestFails${name(at)} (0.0${at % 10}s)`,
          ].join('\n'),
        ),
        'FAIL',
        'FAIL\texample.com/shop/cart\t0.412s',
        many(20, (at) => `ok  \texample.com/shop/${name(at)}\t0.${at + 10}s`),
        'FAIL',
      ),
  },
  {
    name: 'go-panic',
    tool: 'go panic',
    exit_status: 2,
    wanted: 'panic: runtime error: index out of range [3] with length 3',
    log: () =>
      lines(
        many(30, (at) => `ok  \texample.com/shop/${name(at)}\t0.${at + 10}s`),
        'panic: runtime error: index out of range [3] with length 3',
        '',
        'goroutine 19 [running]:',
        many(50, (at) =>
          [
            `example.com/shop/${name(at)}.Handle(0xc0000${at})`,
            `\t/srv/${name(at)}/handle.go:${at + 7} +0x1d`,
          ].join('\n'),
        ),
        'exit status 2',
        'FAIL\texample.com/shop/basket\t0.031s',
      ),
  },
  {
    name: 'cargo-test',
    tool: 'cargo test',
    exit_status: 101,
    wanted: 'assertion `left == right` failed: stock after refund',
    log: () =>
      lines(
        many(140, (at) => `test errors::${name(at)}::panics_on_error ... ok`),
        'test stock::refund ... FAILED',
        '',
        'failures:',
        '',
        '---- stock::refund stdout ----',
        "thread 'stock::refund' panicked at src/stock.rs:77:5:",
        'assertion `left == right` failed: stock after refund',
        '  left: 4',
        ' right: 5',
        'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
        '',
        'failures:',
        '    stock::refund',
        '',
        'test result: FAILED. 140 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s',
        '',
        'error: test failed, to rerun pass `--lib`',
      ),
  },
  {
    name: 'junit-in-gradle',
    tool: 'gradle test',
    exit_status: 1,
    wanted: 'org.opentest4j.AssertionFailedError: expected: <2> but was: <3>',
    log: () =>
      lines(
        many(50, (at) => `> Task :${name(at)}:test`),
        'LedgerTest > booksTwice() FAILED',
        '    org.opentest4j.AssertionFailedError: expected: <2> but was: <3>',
        '        at app//shop.LedgerTest.booksTwice(LedgerTest.java:55)',
        many(100, (at) => `ErrorTest > handlesError${at}() PASSED`),
        '151 tests completed, 1 failed',
        '> Task :ledger:test FAILED',
        '* What went wrong:',
        "Execution failed for task ':ledger:test'.",
        '> There were failing tests. See the report at: file:///srv/ledger/build/reports/tests/test/index.html',
        'BUILD FAILED in 1m 2s',
      ),
  },
  {
    name: 'surefire-with-stack',
    tool: 'maven surefire',
    exit_status: 1,
    wanted:
      'java.lang.NullPointerException: Cannot invoke "shop.Coupon.rate()" because "coupon" is null',
    log: () =>
      lines(
        many(
          60,
          (at) =>
            `[INFO] Tests run: ${at + 1}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.${at} s -- in shop.${name(at)}ErrorTest`,
        ),
        '[ERROR] Tests run: 9, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.2 s <<< FAILURE! -- in shop.CouponTest',
        '[ERROR] shop.CouponTest.half -- Time elapsed: 0.01 s <<< ERROR!',
        'java.lang.NullPointerException: Cannot invoke "shop.Coupon.rate()" because "coupon" is null',
        many(60, (at) => `\tat shop.${name(at)}.apply(${name(at)}.java:${at + 10})`),
        '[INFO] ',
        '[ERROR] Tests run: 69, Failures: 0, Errors: 1, Skipped: 0',
        '[INFO] BUILD FAILURE',
        '[INFO] Total time:  44.121 s',
        '[ERROR] -> [Help 1]',
      ),
  },
  {
    name: 'rspec',
    tool: 'rspec',
    exit_status: 1,
    wanted: 'expected: "paid"',
    log: () =>
      lines(
        `${'.'.repeat(180)}F${'.'.repeat(60)}`,
        '',
        'Failures:',
        '',
        '  1) Invoice#state is paid after the last instalment',
        "     Failure/Error: expect(invoice.state).to eq('paid')",
        '',
        '       expected: "paid"',
        '            got: "open"',
        "     # ./spec/invoice_spec.rb:48:in `block (3 levels)'",
        '',
        'Top 60 slowest examples:',
        many(
          70,
          (at) =>
            `  ${name(at)} reports an error\n    0.${varied(at, 900)} seconds ./spec/${name(at)}_spec.rb:${at}`,
        ),
        '241 examples, 1 failure',
        '',
        'Failed examples:',
        'rspec ./spec/invoice_spec.rb:44 # Invoice#state is paid after the last instalment',
      ),
  },
  {
    name: 'phpunit',
    tool: 'phpunit',
    exit_status: 1,
    wanted: 'Failed asserting that 19 matches expected 21.',
    log: () =>
      lines(
        many(20, (at) => `${'.'.repeat(63)} ${at * 63 + 63} / 1300 ( ${at * 5}%)`),
        '',
        'There was 1 failure:',
        '',
        '1) Shop\\VatTest::testRate',
        'Failed asserting that 19 matches expected 21.',
        '',
        '/srv/tests/VatTest.php:27',
        '',
        'FAILURES!',
        'Tests: 1300, Assertions: 4100, Failures: 1.',
        many(
          75,
          (at) =>
            ` ${name(at)}Error  Methods: ${varied(at, 100)}.00% ( 4/ 5)   Lines:  91.30% ( 21/ 23)`,
        ),
      ),
  },
  {
    name: 'gtest-under-ctest',
    tool: 'googletest and ctest',
    exit_status: 8,
    wanted: 'ledger_test.cc:63: Failure',
    log: () =>
      lines(
        many(40, (at) =>
          [
            `[ RUN      ] ErrorTest.Handles${at}`,
            `[       OK ] ErrorTest.Handles${at} (${at} ms)`,
          ].join('\n'),
        ),
        '[ RUN      ] LedgerTest.Balances',
        '/srv/test/ledger_test.cc:63: Failure',
        'Expected equality of these values:',
        '  ledger.Balance()',
        '    Which is: 12',
        '  0',
        '[  FAILED  ] LedgerTest.Balances (1 ms)',
        many(40, (at) =>
          [`[ RUN      ] FailTest.Fails${at}`, `[       OK ] FailTest.Fails${at} (${at} ms)`].join(
            '\n',
          ),
        ),
        '[  PASSED  ] 80 tests.',
        '[  FAILED  ] 1 test, listed below:',
        '[  FAILED  ] LedgerTest.Balances',
        '',
        ' 1 FAILED TEST',
      ),
  },
  {
    name: 'dotnet-test',
    tool: 'dotnet test',
    exit_status: 1,
    wanted: 'Assert.Equal() Failure: Values differ',
    log: () =>
      lines(
        many(
          100,
          (at) => `  Passed Shop.Tests.${name(at)}.ReturnsError${at} [${varied(at, 30)} ms]`,
        ),
        '  Failed Shop.Tests.Parcel.Weight [12 ms]',
        '  Error Message:',
        '   Assert.Equal() Failure: Values differ',
        'Expected: 12',
        'Actual:   13',
        '  Stack Trace:',
        '     at Shop.Tests.Parcel.Weight() in /srv/test/Parcel.cs:line 21',
        many(100, (at) => `  Passed Shop.Tests.X${name(at)}.Throws${at} [${varied(at, 30)} ms]`),
        'Failed!  - Failed:     1, Passed:   200, Skipped:     0, Total:   201, Duration: 3 s',
      ),
  },
  {
    name: 'exunit',
    tool: 'mix test',
    exit_status: 2,
    wanted: 'Assertion with == failed',
    log: () =>
      lines(
        `${'.'.repeat(90)}`,
        '',
        '  1) test total adds the fee (Shop.CartTest)',
        '     test/cart_test.exs:14',
        '     Assertion with == failed',
        '     code:  assert Cart.total(cart) == 12',
        '     left:  10',
        '     right: 12',
        '     stacktrace:',
        '       test/cart_test.exs:19: (test)',
        '',
        many(
          80,
          (at) => `${time(at)} [error] Task #PID<0.${at + 300}.0> terminating, as the test expects`,
        ),
        'Finished in 0.9 seconds',
        '91 tests, 1 failure',
      ),
  },
  {
    name: 'xcodebuild-test',
    tool: 'xcodebuild',
    exit_status: 65,
    wanted: 'XCTAssertEqual failed: ("2") is not equal to ("3")',
    log: () =>
      lines(
        many(
          90,
          (at) =>
            `Test Case '-[ShopTests.ErrorTests test${name(at)}Error]' passed (0.00${at % 10} seconds).`,
        ),
        '/srv/ShopTests/CartTests.swift:22: error: -[ShopTests.CartTests testCount] : XCTAssertEqual failed: ("2") is not equal to ("3")',
        "Test Case '-[ShopTests.CartTests testCount]' failed (0.011 seconds).",
        many(
          90,
          (at) =>
            `Test Case '-[ShopTests.FailTests test${name(at)}]' passed (0.00${at % 10} seconds).`,
        ),
        'Failing tests:',
        '\t-[ShopTests.CartTests testCount]',
        '** TEST FAILED **',
      ),
  },
  {
    name: 'flutter-test',
    tool: 'flutter test',
    exit_status: 1,
    wanted: 'Expected: exactly one matching candidate',
    log: () =>
      lines(
        many(60, (at) => `00:${at % 60} +${at}: /srv/test/${name(at)}_test.dart: shows an error`),
        '══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞══════════════',
        'The following TestFailure was thrown running a test:',
        'Expected: exactly one matching candidate',
        '  Actual: _TextWidgetFinder:<Found 0 widgets with text "Pay": []>',
        many(64, (at) => `#${at}      package:flutter/src/${name(at)}.dart:${at + 4}:11`),
        '00:09 +60 -1: Some tests failed.',
      ),
  },
  {
    name: 'carriage-returns-over-the-error',
    tool: 'a progress bar over an error',
    exit_status: 1,
    wanted: 'ERROR: checksum mismatch for stock.tar.gz',
    log: () =>
      `${lines(many(20, (at) => `fetch ${name(at)}`))}${many(90, (at) => `\rdownloading ${at}%`).join('')}\r${red('ERROR: checksum mismatch for stock.tar.gz')}\rdownloading 100%\n${lines(many(70, (at) => `unpacked ${name(at)}`))}`,
  },
  {
    name: 'test-names-that-mislead',
    tool: 'a runner with misleading names',
    exit_status: 1,
    wanted: 'expected status 201 but got 500',
    log: () =>
      lines(
        many(200, (at) => `${green('✓')} fatal error: panic ${at} is reported as "Error: failed"`),
        '✗ creates an order',
        '    expected status 201 but got 500',
        many(200, (at) => `${green('✓')} error ${at} after FAILED payment is an Exception`),
        '400 passed, 1 failed',
      ),
  },
]
