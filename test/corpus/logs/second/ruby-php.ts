import type { LogCase } from '../../case.js'
import {
  block,
  cap,
  cyan,
  ESC,
  green,
  job,
  random,
  red,
  repeat,
  stamped,
  terminal,
  text,
  yellow,
} from './filler.js'

function backtrace(count: number, seed: number): string[] {
  const r = random(seed)
  return repeat(
    count,
    () =>
      `/usr/local/bundle/gems/active${r.pick(['record', 'support', 'model'])}-7.1.3/lib/${r.word()}/errors.rb:${r.int(9, 900)}:in ` +
      `\`${r.word()}'`,
  )
}

export const cases: LogCase[] = [
  {
    name: 'rspec-invalid-record-before-slowest',
    tool: 'rspec --profile',
    exit_status: 1,
    wanted: "expected #<Order id: nil> to be valid, but got errors: Email can't be blank",
    log: () => {
      const r = random(151)
      return job(
        'bundle exec rspec --profile 20',
        1,
        text(
          repeat(40, () => green(`  raises an error when ${r.word()} is missing`)),
          block(`

            Pending: (Failures listed here are expected and do not affect your suite's status)

              1) Printer prints the receipt
                 ${cyan('# no printer on the agent')}
                 Failure/Error: expect(printer).to be_ready
                   expected \`#<Printer>.ready?\` to be truthy, got false

            Failures:

              1) Order is valid with an address only
                 ${red('Failure/Error: expect(order).to be_valid')}
                   ${red("expected #<Order id: nil> to be valid, but got errors: Email can't be blank")}
                 ${cyan("# ./spec/models/order_spec.rb:31:in `block (3 levels) in <top (required)>'")}

            Top 20 slowest examples (9.2 seconds, 41.0% of total time):
          `),
          repeat(20, () =>
            [
              `  ${cap(r.word())} fails without ${r.word()}`,
              `    ${ESC}[1m0.${r.int(100, 900)} seconds${ESC}[0m ` +
                `./spec/models/${r.word()}_spec.rb:${r.int(4, 90)}`,
            ].join('\n'),
          ),
          '',
          'Top 20 slowest example groups:',
          repeat(
            20,
            () =>
              `  ${cap(r.word())}Error\n    0.${r.int(10, 99)} seconds average ` +
              `./spec/${r.word()}_error_spec.rb:3`,
          ),
          '',
          'Finished in 22.4 seconds (files took 4.1 seconds to load)',
          red('412 examples, 1 failure, 1 pending'),
          '',
          'Failed examples:',
          '',
          `${red('rspec ./spec/models/order_spec.rb:29')} ` +
            `${cyan('# Order is valid with an address only')}`,
        ),
      )
    },
  },
  {
    name: 'minitest-nil',
    tool: 'rails test / minitest',
    exit_status: 1,
    wanted: "NoMethodError: undefined method `cents' for nil",
    log: () =>
      job(
        'bin/rails test',
        1,
        text(
          'Run options: --seed 41203',
          '',
          '# Running:',
          '',
          `${green('.').repeat(60)}${red('E')}`,
          '',
          red('Error:'),
          red('BasketTest#test_total_handles_error:'),
          red("NoMethodError: undefined method `cents' for nil"),
          "    app/models/basket.rb:41:in `sum'",
          "    test/models/basket_test.rb:12:in `block in <class:BasketTest>'",
          '',
          'bin/rails test test/models/basket_test.rb:10',
          '',
          repeat(4, () => green('.').repeat(60)),
          '',
          'Finished in 4.120411s, 73.0 runs/s, 141.1 assertions/s.',
          '301 runs, 581 assertions, 0 failures, 1 errors, 0 skips',
        ),
      ),
  },
  {
    name: 'rails-migration-trace',
    tool: 'rake db:migrate --trace',
    exit_status: 1,
    wanted: 'PG::UndefinedColumn: ERROR:  column "legacy_id" does not exist',
    log: () =>
      stamped(
        text(
          '** Invoke db:migrate (first_time)',
          '** Execute db:migrate',
          repeat(
            9,
            (i) =>
              `== 2026030${i} Add${cap(random(i).word())}ErrorToOrders: migrated (0.00${i}1s) ` +
              '========',
          ),
          '== 20260310 FillOrderKeys: migrating =========================================',
          'bin/rails aborted!',
          'StandardError: An error has occurred, this and all later migrations canceled:',
          '',
          'PG::UndefinedColumn: ERROR:  column "legacy_id" does not exist',
          'LINE 1: UPDATE orders SET key = legacy_id',
          '                                ^',
          backtrace(64, 152),
          '',
          'Caused by:',
          'ActiveRecord::StatementInvalid: PG::UndefinedColumn: ERROR:  column "legacy_id" ' +
            'does not exist',
          'LINE 1: UPDATE orders SET key = legacy_id',
          '                                ^',
          backtrace(72, 153),
          'Tasks: TOP => db:migrate',
        ),
        154,
        'iso',
      ),
  },
  {
    name: 'rubocop-useless-assignment',
    tool: 'rubocop',
    exit_status: 1,
    wanted: 'W: [Correctable] Lint/UselessAssignment: Useless assignment to variable - total',
    log: () =>
      job(
        'bundle exec rubocop',
        1,
        text(
          'Inspecting 301 files',
          `${green('.').repeat(120)}${ESC}[35mW${ESC}[0m${green('.').repeat(180)}`,
          '',
          'Offenses:',
          '',
          `${cyan('app/models/error_report.rb')}:14:5: ${ESC}[35mW${ESC}[0m: [Correctable] ` +
            `Lint/UselessAssignment: Useless assignment to variable - ${yellow('total')}.`,
          '    total = lines.sum(&:cents)',
          '    ^^^^^',
          '',
          '301 files inspected, 1 offense detected, 1 offense autocorrectable',
        ),
      ),
  },
  {
    name: 'bundler-gem-missing',
    tool: 'bundler',
    exit_status: 7,
    wanted: "Could not find gem 'ledger (~> 3.1)' in rubygems repository https://gems.example.com/",
    log: () =>
      job(
        'bundle install --jobs 4',
        7,
        text(
          'Fetching gem metadata from https://gems.example.com/.......',
          'Resolving dependencies...',
          block(`
            ${ESC}[31mCould not find gem 'ledger (~> 3.1)' in rubygems repository \\
            https://gems.example.com/ or \\
            installed locally.${ESC}[0m

            The source contains the following gems matching 'ledger':
              * ledger-3.0.4
              * ledger-3.0.3
          `),
        ),
      ),
  },
  {
    name: 'phpunit-before-coverage-report',
    tool: 'phpunit --coverage-text',
    exit_status: 1,
    wanted: 'Failed asserting that 404 matches expected 200',
    log: () => {
      const r = random(155)
      return job(
        'vendor/bin/phpunit --coverage-text',
        1,
        text(
          'PHPUnit 10.5.15 by the maintainers and contributors.',
          '',
          `${'.'.repeat(52)} 52 / 98 ( 53%)`,
          `${'.'.repeat(20)}${ESC}[41;37mF${ESC}[0m${'.'.repeat(25)} 98 / 98 (100%)`,
          '',
          'Time: 00:04.210, Memory: 38.00 MB',
          '',
          'There was 1 failure:',
          '',
          '1) Tests\\OrderErrorTest::testFindsOrder',
          'Failed asserting that 404 matches expected 200.',
          '',
          '/build/tests/OrderErrorTest.php:31',
          '',
          `${ESC}[37;41mFAILURES!${ESC}[0m`,
          `${ESC}[37;41mTests: 98, Assertions: 214, Failures: 1.${ESC}[0m`,
          '',
          'Code Coverage Report:',
          '  2026-03-04 09:12:07',
          '',
          ' Summary:',
          '  Classes: 71.20% (89/125)',
          '',
          repeat(
            60,
            () =>
              `App\\${cap(r.word())}\\${cap(r.word())}Error\n  Methods:  ${r.int(40, 99)}.00% ( ` +
              `4/ 6)   Lines:  ${r.int(40, 99)}.12% ( 41/ 60)`,
          ),
        ),
      )
    },
  },
  {
    name: 'phpstan-return-type',
    tool: 'phpstan',
    exit_status: 1,
    wanted: 'Method App\\Cart::total() should return int but returns float',
    log: () =>
      terminal(
        text(
          'Note: Using configuration file /build/phpstan.neon.',
          repeat(
            12,
            (i) =>
              `\r ${String(i * 30).padStart(3)}/330 [${'▓'.repeat(i * 2).padEnd(24, '░')}]  ` +
              `${i * 9}%`,
          ).join(''),
          '',
          ' ------ ----------------------------------------------------------------- ',
          '  Line   src/Cart.php',
          ' ------ ----------------------------------------------------------------- ',
          '  41     Method App\\Cart::total() should return int but returns float.',
          '         🪪  return.type',
          ' ------ ----------------------------------------------------------------- ',
          '',
          `${ESC}[41m [ERROR] Found 1 error ${ESC}[49m`,
        ),
      ),
  },
  {
    name: 'composer-php-version',
    tool: 'composer',
    exit_status: 2,
    wanted: 'Root composer.json requires php ^8.3 but your php version (8.1.27) does not satisfy',
    log: () =>
      job(
        'composer install --no-interaction',
        2,
        text(
          'Installing dependencies from lock file (including require-dev)',
          'Verifying lock file contents can be installed on current platform.',
          'Your lock file does not contain a compatible set of packages. Please run composer ' +
            'update.',
          '',
          '  Problem 1',
          '    - Root composer.json requires php ^8.3 but your php version (8.1.27) does not ' +
            'satisfy that requirement.',
          '',
        ),
      ),
  },
]
