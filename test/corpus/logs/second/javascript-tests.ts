import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  boldRed,
  cyan,
  dim,
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

function coverage(count: number, seed: number): string[] {
  const r = random(seed)
  const line =
    '-----------------------------|---------|----------|---------|---------|-------------------'
  return [
    line,
    'File                         | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s ',
    line,
    ...repeat(count, () => {
      const cells = repeat(4, () => `${r.int(40, 99)}.${r.int(10, 99)}`.padStart(7)).join(' | ')
      return (
        yellow(` ${`${r.word()}-${r.pick(['error', 'failed', 'view'])}.ts`.padEnd(27)}`) +
        ` | ${cells} | ${r.int(3, 400)}`
      )
    }),
    line,
  ]
}

function suites(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    () =>
      `${ESC}[0m${ESC}[7m${ESC}[32m PASS ${ESC}[39m${ESC}[27m${ESC}[0m ` +
      `${dim('src/')}${bold(`${r.word()}-error.test.ts`)} (${r.int(5, 20)} s)`,
  )
}

function dom(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    (i) =>
      `    ${' '.repeat(2 + (i % 9) * 2)}${cyan('<div')} ` +
      `${yellow('class')}=${green(`"${r.word()}-error"`)}${cyan('>')}`,
  )
}

export const cases: LogCase[] = [
  {
    name: 'jest-type-error-before-coverage',
    tool: 'jest --coverage',
    exit_status: 1,
    wanted: "TypeError: Cannot read properties of undefined (reading 'rates')",
    log: () =>
      job(
        'npx jest --ci --coverage',
        1,
        text(
          suites(40, 111),
          `${ESC}[7m${ESC}[31m FAIL ${ESC}[39m${ESC}[27m ${dim('src/')}${bold('cart.test.ts')}`,
          `  cart`,
          `    ${green('✓')} ${dim('handles error from the rate service (4 ms)')}`,
          `    ${red('✕')} ${dim('adds tax (2 ms)')}`,
          '',
          `${boldRed('  ● cart › adds tax')}`,
          '',
          "    TypeError: Cannot read properties of undefined (reading 'rates')",
          '',
          `      ${gray('39 |')} export function addTax(cart: Cart): Cents {`,
          `    ${boldRed('>')} ${gray('40 |')}   return cart.country.rates.at(0)`,
          `      ${gray('   |')}                       ${boldRed('^')}`,
          '',
          `      at addTax (src/cart.ts:40:23)`,
          `      at Object.<anonymous> (src/cart.test.ts:18:12)`,
          '',
          suites(8, 112),
          coverage(76, 113),
          `${bold('Test Suites: ')}${boldRed('1 failed')}, 48 passed, 49 total`,
          `${bold('Tests:       ')}${boldRed('1 failed')}, 411 passed, 412 total`,
          `${bold('Snapshots:   ')}0 total`,
          `${bold('Time:')}        41.2 s`,
          dim('Ran all test suites.'),
        ),
      ),
  },
  {
    name: 'jest-element-not-found-with-dom-dump',
    tool: 'jest / testing-library',
    exit_status: 1,
    wanted: 'TestingLibraryElementError: Unable to find an element with the text: Pay now',
    log: () =>
      job(
        'yarn test --ci',
        1,
        text(
          suites(12, 114),
          `${ESC}[7m${ESC}[31m FAIL ${ESC}[39m${ESC}[27m ` +
            `${dim('src/')}${bold('checkout.test.tsx')}`,
          boldRed('  ● checkout › offers to pay'),
          '',
          '    TestingLibraryElementError: Unable to find an element with the text: Pay now. ' +
            'This could be because the text is broken up by multiple elements.',
          '',
          `    ${ESC}[36m<body>${ESC}[39m`,
          dom(140, 115),
          `    ${ESC}[36m</body>${ESC}[39m`,
          '',
          `      ${gray('21 |')}   render(<Checkout errors={[]} />)`,
          `    ${boldRed('>')} ${gray('22 |')}   screen.getByText('Pay now')`,
          '',
          '      at Object.getElementError ' +
            '(node_modules/@testing-library/dom/dist/config.js:37:19)',
          '      at Object.<anonymous> (src/checkout.test.tsx:22:10)',
          '',
          'Tests:       1 failed, 90 passed, 91 total',
        ),
      ),
  },
  {
    name: 'jest-coverage-threshold',
    tool: 'jest (coverage threshold)',
    exit_status: 1,
    wanted: 'coverage threshold for branches (80%) not met: 79.41%',
    log: () =>
      job(
        'npx jest --coverage',
        1,
        text(
          suites(30, 116),
          coverage(48, 117),
          red('Jest: "global" coverage threshold for branches (80%) not met: 79.41%'),
          'Test Suites: 30 passed, 30 total',
          'Tests:       2 todo, 318 passed, 320 total',
          'Ran all test suites.',
        ),
      ),
  },
  {
    name: 'vitest-assertion-before-coverage',
    tool: 'vitest --coverage',
    exit_status: 1,
    wanted: 'AssertionError: expected 1799 to be 1800',
    log: () => {
      const r = random(118)
      return job(
        'npx vitest run --coverage',
        1,
        text(
          repeat(
            44,
            () =>
              ` ${green('✓')} src/${r.word()}-error.test.ts  (${r.int(2, 30)} tests) ` +
              `${r.int(4, 90)}ms`,
          ),
          'stderr | src/mail.test.ts > throws exception when the server is away',
          'Error: connect ECONNREFUSED 127.0.0.1:2525',
          '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)',
          '',
          ` ${red('❯')} src/cart.test.ts  (14 tests | ${red('1 failed')}) 41ms`,
          '',
          red('⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯'),
          '',
          `${ESC}[41m${ESC}[1m FAIL ${ESC}[22m${ESC}[49m src/cart.test.ts > cart > adds tax`,
          red('AssertionError: expected 1799 to be 1800 // Object.is equality'),
          '',
          `${green('- Expected')}`,
          `${red('+ Received')}`,
          '',
          green('- 1800'),
          red('+ 1799'),
          '',
          ` ${cyan('❯')} src/cart.test.ts:31:22`,
          `     ${gray('29|')}   const cart = cartOf(item)`,
          `     ${gray('31|')}   expect(total(cart)).toBe(1800)`,
          '',
          ' Test Files  1 failed | 44 passed (45)',
          '      Tests  1 failed | 511 passed (512)',
          '   Duration  9.31s',
          '',
          ` ${ESC}[34m% ${ESC}[39m${dim('Coverage report from ')}${yellow('v8')}`,
          coverage(81, 119),
        ),
      )
    },
  },
  {
    name: 'mocha-status-code',
    tool: 'mocha / chai',
    exit_status: 1,
    wanted: 'AssertionError: expected 404 to equal 200',
    log: () => {
      const r = random(120)
      return job(
        'npm test',
        1,
        text(
          '',
          '> shop@2.4.0 test',
          '> mocha --recursive',
          '',
          repeat(
            66,
            () =>
              `    ${green('✔')}${gray(` throws an error without ${r.word()} (${r.int(20, 90)}ms)`)}`,
          ),
          `    ${red('1) finds the order')}`,
          '',
          green('  66 passing (2s)'),
          red('  1 failing'),
          '',
          '  1) orders',
          '       finds the order:',
          '',
          red('      AssertionError: expected 404 to equal 200'),
          green('      + expected'),
          red('      -404'),
          green('      +200'),
          '',
          gray('      at Context.<anonymous> (test/orders.js:31:28)'),
          gray(
            '      at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
          ),
          '',
          'npm error Lifecycle script `test` failed with error:',
          'npm error code 1',
          'npm error path /build',
          'npm error command failed',
        ),
      )
    },
  },
  {
    name: 'tap-not-ok-between-todo',
    tool: 'TAP (tape)',
    exit_status: 1,
    wanted: 'not ok 212 rounds half cents up',
    log: () => {
      const r = random(121)
      const ok = (from: number, count: number) =>
        repeat(count, (i) => `ok ${from + i} rejects ${r.word()} with an error`)
      return text(
        'TAP version 13',
        ok(1, 30),
        // A directive of the protocol: this test may fail, so its line is not the wanted one.
        'not ok 31 sorts by supplier # TODO waits for the new index',
        ok(32, 180),
        '# round',
        'not ok 212 rounds half cents up',
        '  ---',
        '    operator: equal',
        '    expected: 13',
        '    actual:   12',
        '    at: Test.<anonymous> (/build/test/round.js:19:5)',
        '  ...',
        ok(213, 160),
        // The same directive behind the wanted line.
        'not ok 373 prints the receipt # TODO no printer here',
        ok(374, 20),
        '',
        '1..393',
        '# tests 393',
        '# pass  390',
        '# fail  1',
      )
    },
  },
  {
    name: 'node-test-deep-equal',
    tool: 'node --test',
    exit_status: 1,
    wanted: 'AssertionError [ERR_ASSERTION]: the list of carriers must be sorted',
    log: () => {
      const r = random(122)
      return job(
        'node --test',
        1,
        text(
          repeat(
            80,
            () =>
              `${green(`✔ handles error of ${r.word()}`)} ` +
              `${gray(`(${r.int(0, 9)}.${r.int(100, 999)}ms)`)}`,
          ),
          red('✖ lists carriers (1.204ms)'),
          'ℹ tests 81',
          'ℹ pass 80',
          'ℹ fail 1',
          '',
          red('✖ failing tests:'),
          '',
          'test at test/carriers.test.js:9:1',
          red('✖ lists carriers (1.204ms)'),
          block(`
              AssertionError [ERR_ASSERTION]: the list of carriers must be sorted
                  at TestContext.<anonymous> (file:///build/test/carriers.test.js:12:10)
                  at Test.runInAsyncScope (node:async_hooks:203:9) {
                generatedMessage: false,
                code: 'ERR_ASSERTION',
                operator: 'deepStrictEqual'
              }
          `),
        ),
      )
    },
  },
]
