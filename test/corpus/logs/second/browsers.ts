import type { LogCase } from '../../case.js'
import {
  block,
  cap,
  composeDown,
  cyan,
  ESC,
  gray,
  green,
  job,
  random,
  red,
  repeat,
  text,
  yellow,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'playwright-after-retries',
    tool: 'playwright',
    exit_status: 1,
    wanted: 'Error: Timed out 5000ms waiting for expect(locator).toHaveText(expected)',
    log: () => {
      const r = random(141)
      const attempt = (head: string) => [
        ...(head === ''
          ? []
          : [gray(`    ${head} ───────────────────────────────────────────────`), '']),
        ...block(`
              ${red('Error: Timed out 5000ms waiting for expect(locator).toHaveText(expected)')}

              Locator: getByTestId('total')
              Expected string: ${green('"18.00 €"')}
              Received string: ${red('"NaN €"')}
              Call log:
                - expect.toHaveText with timeout 5000ms
                - waiting for getByTestId('total')
                ${gray('-   locator resolved to <span data-testid="total">NaN €</span>')}

                at /build/e2e/checkout.spec.ts:31:42
        `),
      ]
      return job(
        'npx playwright test',
        1,
        text(
          'Running 84 tests using 4 workers',
          '',
          repeat(
            40,
            (i) =>
              `  ${green('✓')}  ${i + 1} [chromium] › error-page.spec.ts:${r.int(4, 90)}:5 › ` +
              `shows error for ${r.word()} (${r.int(1, 9)}.2s)`,
          ),
          red('  ✘  41 [chromium] › checkout.spec.ts:22:5 › shows the total (6.1s)'),
          red('  ✘  42 [chromium] › checkout.spec.ts:22:5 › shows the total (retry #1) (6.4s)'),
          red('  ✘  43 [chromium] › checkout.spec.ts:22:5 › shows the total (retry #2) (6.2s)'),
          repeat(
            43,
            (i) =>
              `  ${green('✓')}  ${i + 44} [webkit] › ${r.word()}.spec.ts:${r.int(4, 90)}:5 › ` +
              `works (${r.int(1, 9)}.2s)`,
          ),
          '',
          red('  1) [chromium] › checkout.spec.ts:22:5 › shows the total ──────────────'),
          '',
          attempt(''),
          attempt('Retry #1'),
          attempt('Retry #2'),
          '',
          '    attachment #1: trace (application/zip) ─────────────────────────────────',
          '    test-results/checkout-shows-the-total-chromium-retry1/trace.zip',
          '',
          red('  1 failed'),
          '    [chromium] › checkout.spec.ts:22:5 › shows the total ──────────────────',
          green('  83 passed (2.1m)'),
        ),
      )
    },
  },
  {
    name: 'cypress-before-spec-table',
    tool: 'cypress',
    exit_status: 1,
    wanted:
      'AssertionError: Timed out retrying after 4000ms: Expected to find element: `[data-cy=pay]`',
    log: () => {
      const r = random(142)
      const spec = (name: string, fails: string) =>
        `  │ ${fails === '-' ? green('✔') : red('✖')}  ${name.padEnd(40)} ` +
        `00:${r.int(10, 59)}        ${r.int(3, 20)}        ${fails}        -        -  │`
      return job(
        'npx cypress run',
        1,
        text(
          '  (Run Starting)',
          repeat(
            30,
            () => `    ${green('✓')} shows the error of ${r.word()} (${r.int(100, 900)}ms)`,
          ),
          `    ${red('1) offers to pay')}`,
          '',
          '  3 passing (14s)',
          red('  1 failing'),
          '',
          '  1) checkout',
          '       offers to pay:',
          red(
            '     AssertionError: Timed out retrying after 4000ms: Expected to find element: ' +
              '`[data-cy=pay]`, but never found it.',
          ),
          gray('      at Context.eval (webpack://web/./cypress/e2e/checkout.cy.ts:12:7)'),
          '',
          '  (Results)',
          '',
          '  (Screenshots)',
          '',
          '  -  /build/cypress/screenshots/checkout.cy.ts/checkout -- offers to pay ' +
            '(failed).png  (1280x720)',
          '',
          '  (Run Finished)',
          '',
          '       Spec                                              Tests  Passing  Failing  ' +
            'Pending  Skipped',
          spec('checkout.cy.ts', '1'),
          repeat(34, () =>
            [`  ├${'─'.repeat(96)}┤`, spec(`${r.word()}-error.cy.ts`, '-')].join('\n'),
          ),
          '    ✖  1 of 35 failed (3%)                      12:41      301      300        1   ' +
            '     -        -',
        ),
      )
    },
  },
  {
    name: 'load-test-threshold',
    tool: 'k6',
    exit_status: 99,
    wanted: "thresholds on metrics 'http_req_duration' have been crossed",
    log: () =>
      job(
        'k6 run load.js',
        99,
        text(
          repeat(
            60,
            (i) =>
              `\rrunning (0m${i}.0s), 50/50 VUs, ${i * 41} complete and 0 interrupted iterations`,
          ),
          block(`

                 ✓ no error page
                 ✓ status is 200

                 checks.........................: ${green('100.00%')} ✓ 4980      ✗ 0
                 http_req_blocked...............: avg=${cyan('31.2µs')}  min=1µs    p(95)=6µs
               ${red('✗')} http_req_duration..............: avg=${cyan('412ms')}  min=80ms   \\
               p(95)=911ms
                 http_req_failed................: ${green('0.00%')}   ✓ 0         ✗ 4980

            ${red('ERRO')}[0061] thresholds on metrics 'http_req_duration' have been crossed
          `),
        ),
      ),
  },
  {
    name: 'selenium-no-browser-with-teardown',
    tool: 'selenium / webdriver',
    exit_status: 1,
    wanted: 'WebDriverError: unknown error: cannot find Chrome binary',
    log: () => {
      const r = random(143)
      return job(
        './e2e/run',
        1,
        text(
          repeat(20, () => `[e2e] seeded ${r.word()} (${r.int(3, 400)} rows, 0 errors)`),
          'WebDriverError: unknown error: cannot find Chrome binary',
          '  (Driver info: chromedriver=121.0.6167.85,platform=Linux 6.1.0 x86_64)',
          repeat(
            6,
            () =>
              `    at ${cap(r.word())}.${r.word()} ` +
              `(/build/node_modules/selenium-webdriver/lib/${r.word()}.js:${r.int(20, 500)}:11)`,
          ),
          repeat(60, () => `[e2e] ${yellow('teardown')} truncate table ${r.word()}_errors`),
          composeDown(['api', 'db', 'mail', 'web']),
          `[e2e] ${ESC}[1mdone${ESC}[0m, failed: 1`,
        ),
      )
    },
  },
]
