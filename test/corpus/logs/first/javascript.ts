import type { LogCase } from '../../case.js'
import { green, lines, many, name, red, time, varied } from '../../filler.js'

const passing = (count: number) =>
  many(
    count,
    (at) =>
      `${green('✓')} src/${name(at)}.test.ts > ${name(at)} handles error ${at} (${varied(at, 40)} ms)`,
  )

export const javascript: readonly LogCase[] = [
  {
    name: 'jest-with-coverage-behind',
    tool: 'jest',
    exit_status: 1,
    wanted: 'Expected: 107.1',
    log: () =>
      lines(
        many(30, (at) => `${green('PASS')} src/${name(at)}/error.test.ts`),
        `${red('FAIL')} src/cart/total.test.ts`,
        `  ${red('● cart total › adds the shipping')}`,
        '',
        '    expect(received).toBe(expected) // Object.is equality',
        '',
        '    Expected: 107.1',
        '    Received: 100',
        '',
        '      12 |   const cart = new Cart()',
        '    > 13 |   expect(cart.total()).toBe(107.1)',
        '      at Object.<anonymous> (src/cart/total.test.ts:13:24)',
        '',
        '----------|---------|----------|---------|---------|-------------------',
        'File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s',
        '----------|---------|----------|---------|---------|-------------------',
        many(
          90,
          (at) =>
            ` ${name(at)}-error.ts |   ${varied(at, 100)} |    ${varied(at, 90)} |     100 |   98.2 | 14-${at + 15}`,
        ),
        'Test Suites: 1 failed, 30 passed, 31 total',
        'Tests:       1 failed, 208 passed, 209 total',
        'Ran all test suites.',
      ),
  },
  {
    name: 'vitest-short',
    tool: 'vitest',
    exit_status: 1,
    wanted: 'AssertionError: expected 3 to be 4',
    log: () =>
      lines(
        passing(120),
        red(' ❯ src/stock.test.ts (12 tests | 1 failed) 80ms'),
        red('   × stock > counts what is reserved'),
        `${red(' FAIL ')} src/stock.test.ts > stock > counts what is reserved`,
        red('AssertionError: expected 3 to be 4 // Object.is equality'),
        '',
        green('- Expected'),
        red('+ Received'),
        '',
        '- 4',
        '+ 3',
        '',
        ' ❯ src/stock.test.ts:44:19',
        ' Test Files  1 failed | 40 passed (41)',
        '      Tests  1 failed | 320 passed (321)',
      ),
  },
  {
    name: 'mocha-with-teardown',
    tool: 'mocha',
    exit_status: 1,
    wanted: 'AssertionError: expected 12 to equal 11',
    log: () =>
      lines(
        many(60, (at) => `    ${green('✓')} returns an error when ${name(at)} is missing`),
        '    1) rounds down',
        '',
        '  60 passing (2s)',
        red('  1 failing'),
        '',
        '  1) Price',
        '       rounds down:',
        '',
        '      AssertionError: expected 12 to equal 11',
        '      + expected - actual',
        '',
        '      -12',
        '      +11',
        '      at Context.<anonymous> (test/price.js:31:14)',
        '',
        many(90, (at) => `Stopping container ${name(at)}-${at} ... done`),
      ),
  },
  {
    name: 'node-test-runner-tap',
    tool: 'node --test, TAP',
    exit_status: 1,
    wanted: 'not ok 71 - refunds only what was paid',
    log: () =>
      lines(
        'TAP version 13',
        many(70, (at) =>
          [
            `# Subtest: ${name(at)} throws an error`,
            `ok ${at + 1} - ${name(at)} throws an error`,
          ].join('\n'),
        ),
        '# Subtest: refunds only what was paid',
        'not ok 71 - refunds only what was paid',
        '  ---',
        "  location: '/srv/test/refund.test.js:18:1'",
        "  failureType: 'testCodeFailure'",
        '  error: |-',
        '    Expected values to be strictly equal:',
        '    ',
        '    50 !== 40',
        '    ',
        "  code: 'ERR_ASSERTION'",
        '  ...',
        many(60, (at) =>
          [
            `# Subtest: ${name(at + 99)} fails fast`,
            `ok ${at + 72} - ${name(at + 99)} fails fast`,
          ].join('\n'),
        ),
        '# tests 131',
        '# pass 130',
        '# fail 1',
      ),
  },
  {
    name: 'playwright-timeout',
    tool: 'playwright',
    exit_status: 1,
    wanted: 'Error: expect(locator).toBeVisible() failed',
    log: () =>
      lines(
        many(
          90,
          (at) =>
            `  ${green('✓')}  ${at + 1} [chromium] › ${name(at)}.spec.ts:${at + 3}:1 › shows an error (${varied(at, 9)}.1s)`,
        ),
        red('  ✘  91 [chromium] › checkout.spec.ts:8:1 › pays with a card (30.2s)'),
        '',
        '  1) [chromium] › checkout.spec.ts:8:1 › pays with a card ────────────',
        '',
        '    Error: expect(locator).toBeVisible() failed',
        '',
        "    Locator: getByRole('button', { name: 'Pay' })",
        '    Expected: visible',
        '    Timeout: 5000ms',
        '',
        '      10 |   await page.goto("/checkout")',
        '    > 11 |   await expect(page.getByRole("button")).toBeVisible()',
        '',
        '    attachment #1: screenshot (image/png) ──────────',
        '    test-results/checkout/test-failed-1.png',
        '  1 failed',
        '    [chromium] › checkout.spec.ts:8:1 › pays with a card',
        '  90 passed (2.1m)',
      ),
  },
  {
    name: 'cypress-then-screenshots',
    tool: 'cypress',
    exit_status: 1,
    wanted: 'AssertionError: Timed out retrying after 4000ms: Expected to find element: `#pay`',
    log: () =>
      lines(
        many(20, (at) => `    ✓ opens ${name(at)} (${at + 80}ms)`),
        '  1 failing',
        '',
        '  1) checkout',
        '       pays with a card:',
        '     AssertionError: Timed out retrying after 4000ms: Expected to find element: `#pay`, but never found it.',
        '      at Context.eval (webpack:///./cypress/e2e/checkout.cy.js:14:8)',
        '',
        '  (Screenshots)',
        many(
          70,
          (at) =>
            `  -  /srv/cypress/screenshots/${name(at)} -- error page (failed).png   (1280x720)`,
        ),
      ),
  },
  {
    name: 'eslint-in-a-monorepo',
    tool: 'eslint',
    exit_status: 1,
    wanted: "'discount' is assigned a value but never used",
    log: () =>
      lines(
        many(60, (at) =>
          [
            `/srv/packages/${name(at)}/index.ts`,
            `  ${at + 1}:7  warning  Unexpected any. Specify a different type  no-explicit-any`,
            '',
          ].join('\n'),
        ),
        '/srv/packages/web/price.ts',
        "  31:9  error  'discount' is assigned a value but never used  no-unused-vars",
        '',
        many(40, (at) =>
          [
            `/srv/packages/x${name(at)}/index.ts`,
            `  ${at + 1}:7  warning  Unexpected any. Specify a different type  no-explicit-any`,
            '',
          ].join('\n'),
        ),
        red('✖ 101 problems (1 error, 100 warnings)'),
      ),
  },
  {
    name: 'turbo-interleaved',
    tool: 'turbo',
    exit_status: 1,
    wanted: 'src/pay.ts(9,3): error TS2554: Expected 2 arguments, but got 1',
    log: () =>
      lines(
        many(40, (at) => `@shop/${name(at)}:build: cache hit, replaying logs ${varied(at, 9_000)}`),
        '@shop/pay:build: src/pay.ts(9,3): error TS2554: Expected 2 arguments, but got 1.',
        '@shop/pay:build:  ELIFECYCLE  Command failed with exit code 2.',
        many(80, (at) => `@shop/${name(at)}:build: vite v5.0.0 building for production...`),
        '@shop/pay#build: command (/srv/packages/pay) exited (2)',
        ' Tasks:    40 successful, 41 total',
        ' Failed:    @shop/pay#build',
        ' ERROR  run failed: command  exited (2)',
      ),
  },
  {
    name: 'npm-peer-dependencies',
    tool: 'npm install',
    exit_status: 1,
    wanted: 'peer react@"^17.0.0" from old-widgets@2.1.0',
    log: () =>
      lines(
        many(
          70,
          (at) =>
            `npm warn deprecated ${name(at)}@1.0.${at}: this version fails with an error on new Node`,
        ),
        'npm error code ERESOLVE',
        'npm error ERESOLVE unable to resolve dependency tree',
        'npm error',
        'npm error While resolving: shop@1.0.0',
        'npm error Found: react@18.2.0',
        'npm error node_modules/react',
        'npm error   react@"^18.2.0" from the root project',
        'npm error',
        'npm error Could not resolve dependency:',
        'npm error peer react@"^17.0.0" from old-widgets@2.1.0',
        'npm error node_modules/old-widgets',
        'npm error',
        'npm error Fix the upstream dependency conflict, or retry',
        'npm error this command with --force or --legacy-peer-deps',
        'npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log',
      ),
  },
  {
    name: 'pnpm-lockfile',
    tool: 'pnpm',
    exit_status: 1,
    wanted: 'ERR_PNPM_OUTDATED_LOCKFILE',
    log: () =>
      lines(
        many(12, (at) => `Scope: all ${at + 40} workspace projects`),
        ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json',
        '',
        many(70, (at) => `    * ${at + 1} dependencies were added: ${name(at)}@^${at}.0.0`),
      ),
  },
  {
    name: 'node-heap',
    tool: 'node out of memory',
    exit_status: 134,
    wanted: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    log: () =>
      lines(
        many(100, (at) => `asset ${name(at)}.js ${varied(at, 900)} KiB [emitted]`),
        '<--- Last few GCs --->',
        '[17:0x5a1]    41210 ms: Mark-Compact 2046.8 (2083.0) -> 2046.1 MB, 812.4 ms',
        'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
        '----- Native stack trace -----',
        many(
          65,
          (at) =>
            ` ${at + 1}: 0x${(0xb00000 + at * 4_096).toString(16)} v8::internal::Heap::Step${at}(v8::Isolate*) [node]`,
        ),
        'Aborted (core dumped)',
      ),
  },
  {
    name: 'logs-of-the-program-under-test',
    tool: 'vitest with the logs of the program',
    exit_status: 1,
    wanted: "AssertionError: expected 'open' to deeply equal 'paid'",
    log: () =>
      lines(
        many(
          150,
          (at) => `${time(at)} ERROR [pool] connection ${at} refused, the test wants it so`,
        ),
        ' FAIL  test/invoice.test.ts > invoice > is paid at once',
        "AssertionError: expected 'open' to deeply equal 'paid'",
        ' ❯ test/invoice.test.ts:20:8',
        many(150, (at) => `${time(at + 500)} ERROR [mailer] could not send mail ${at}: timeout`),
        ' Test Files  1 failed | 8 passed (9)',
      ),
  },
  {
    name: 'json-lines',
    tool: 'JSON lines',
    exit_status: 1,
    wanted: 'relation \\"orders\\" does not exist',
    log: () =>
      lines(
        many(
          80,
          (at) =>
            `{"level":"info","time":"${time(at)}","msg":"request done","error":null,"status":200,"id":${at}}`,
        ),
        `{"level":"error","time":"${time(99)}","msg":"migration failed","err":"relation \\"orders\\" does not exist"}`,
        many(
          80,
          (at) =>
            `{"level":"info","time":"${time(at + 200)}","msg":"closing error reporter","id":${at}}`,
        ),
      ),
  },
  {
    name: 'prettier-check',
    tool: 'prettier',
    exit_status: 1,
    wanted: '[warn] src/price.ts',
    log: () =>
      lines(
        many(8, (at) => `> shop@1.0.${at} pre`),
        'Checking formatting...',
        '[warn] src/price.ts',
        '[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
      ),
  },
]
