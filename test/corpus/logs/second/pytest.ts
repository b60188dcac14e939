import type { LogCase } from '../../case.js'
import { block, bold, boldRed, ESC, green, job, random, red, repeat, text } from './filler.js'

function passed(count: number, seed: number, prefix = ''): string[] {
  const r = random(seed)
  return repeat(count, (i) => {
    const name = `tests/test_${r.word()}.py::test_${r.pick(['raises_error', 'failed_login', 'total', 'handles_exception'])}_${r.word()}`
    return (
      `${prefix}${name} ${green('PASSED')} ` +
      `${' '.repeat(6)}${green(`[${String(Math.min(99, i + 1)).padStart(3)}%]`)}`
    )
  })
}

function coverage(count: number, seed: number): string[] {
  const r = random(seed)
  return [
    '',
    '---------- coverage: platform linux, python 3.12.2-final-0 -----------',
    'Name                                   Stmts   Miss  Cover   Missing',
    '--------------------------------------------------------------------',
    ...repeat(count, () => {
      const file = `src/shop/${r.word()}/${r.pick(['errors', 'failure', 'models', 'views'])}.py`
      return (
        `${file.padEnd(38)} ${r.int(10, 400)}      ${r.int(0, 30)}    ${r.int(60, 99)}%   ` +
        `${r.int(1, 90)}-${r.int(91, 140)}`
      )
    }),
    '--------------------------------------------------------------------',
    'TOTAL                                  12044    801    93%',
  ]
}

const HEADER = block(`
  ${bold('============================= test session starts ==============================')}
  platform linux -- Python 3.12.2, pytest-8.1.1, pluggy-1.4.0 -- /build/.venv/bin/python
  rootdir: /build
  plugins: cov-5.0.0, xdist-3.5.0, timeout-2.3.1
`)

export const cases: LogCase[] = [
  {
    name: 'pytest-captured-log-and-coverage',
    tool: 'pytest -v --cov',
    exit_status: 1,
    wanted: 'AssertionError: total of basket 41 with voucher SPRING',
    log: () =>
      job(
        'pytest -v --cov=shop',
        1,
        text(
          HEADER,
          passed(80, 91),
          `tests/test_basket.py::test_total_with_voucher ${red('FAILED')}        ${red('[ 81%]')}`,
          passed(18, 92),
          '=================================== FAILURES ===================================',
          `${boldRed('___________________________ test_total_with_voucher ____________________________')}`,
          '',
          '    def test_total_with_voucher(basket):',
          '        basket.apply("SPRING")',
          '>       assert basket.total == Decimal("18.00"), f"total of basket {basket.id} ' +
            'with voucher SPRING"',
          `${boldRed('E       AssertionError: total of basket 41 with voucher SPRING')}`,
          `${boldRed("E       assert Decimal('17.99') == Decimal('18.00')")}`,
          '',
          `${boldRed('tests/test_basket.py')}:48: AssertionError`,
          '------------------------------ Captured log call -------------------------------',
          'ERROR    shop.rates:rates.py:31 rate service answered 503, taking the stored rates',
          'ERROR    shop.rates:rates.py:31 connection refused, taking the stored rates',
          'WARNING  shop.basket:basket.py:90 voucher SPRING ends today',
          coverage(90, 93),
          `${bold('=========================== short test summary info ============================')}`,
          `${red('FAILED')} tests/test_basket.py::${bold('test_total_with_voucher')} - ` +
            'AssertionError: total of...',
          red('================== 1 failed, 98 passed, 3 warnings in 41.20s ==================='),
        ),
      ),
  },
  {
    name: 'pytest-xdist-fixture-missing',
    tool: 'pytest -n (xdist)',
    exit_status: 1,
    wanted: "E       fixture 'ledger_db' not found",
    log: () =>
      job(
        'pytest -n 8 -v',
        1,
        text(
          HEADER,
          'created: 8/8 workers',
          '8 workers [212 items]',
          passed(150, 94, '[gw3] [ 42%] '),
          '[gw5] [ 71%] ERROR tests/test_ledger.py::test_posts_entry ',
          passed(61, 95, '[gw1] [ 88%] '),
          block(`
            ==================================== ERRORS ====================================
            ______________________ ERROR at setup of test_posts_entry ______________________
            [gw5] linux -- Python 3.12.2 /build/.venv/bin/python
            file /build/tests/test_ledger.py, line 12
              def test_posts_entry(ledger_db):
            E       fixture 'ledger_db' not found
            >       available fixtures: basket, cache, capfd, caplog, capsys, cov, monkeypatch, \\
            no_cover, pytestconfig, recwarn, tmp_path, worker_id
            >       use 'pytest --fixtures [testpath]' for help on them.

            /build/tests/test_ledger.py:12
            =========================== short test summary info ============================
            ERROR tests/test_ledger.py::test_posts_entry
            =================== 211 passed, 1 error in 38.07s ==============================
          `),
        ),
      ),
  },
  {
    name: 'pytest-collection-import',
    tool: 'pytest (collection)',
    exit_status: 2,
    wanted: "E   ModuleNotFoundError: No module named 'redis_lock'",
    log: () =>
      job(
        'pytest -q && ./scripts/stop-services',
        2,
        text(
          block(`

            ==================================== ERRORS ====================================
            ____________________ ERROR collecting tests/test_queue.py _____________________
            ImportError while importing test module '/build/tests/test_queue.py'.
            Hint: make sure your test modules/packages have valid Python names.
            Traceback:
            /usr/lib/python3.12/importlib/__init__.py:90: in import_module
                return _bootstrap._gcd_import(name[level:], package, level)
            tests/test_queue.py:4: in <module>
                from shop.queue import Queue, QueueError
            src/shop/queue/__init__.py:2: in <module>
                import redis_lock
            E   ModuleNotFoundError: No module named 'redis_lock'
            =========================== short test summary info ============================
            ERROR tests/test_queue.py
            !!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
            1 error in 0.92s
          `),
        ),
      ),
  },
  {
    name: 'coverage-below-threshold',
    tool: 'pytest-cov (threshold)',
    exit_status: 1,
    wanted: 'Required test coverage of 90% not reached. Total coverage: 89.63%',
    log: () =>
      job(
        'pytest -q --cov=shop --cov-fail-under=90',
        1,
        text(
          repeat(9, (i) => `${'.'.repeat(72)} [${String((i + 1) * 11).padStart(3)}%]`),
          coverage(70, 101),
          `${ESC}[31m${ESC}[1mFAIL Required test coverage of 90% not reached. Total coverage: ` +
            `89.63%${ESC}[0m`,
          '648 passed in 61.03s (0:01:01)',
        ),
      ),
  },
]
