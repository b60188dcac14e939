import type { LogCase } from '../../case.js'
import {
  block,
  composeDown,
  green,
  job,
  random,
  repeat,
  stamped,
  terminal,
  text,
} from './filler.js'

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

export const cases: LogCase[] = [
  {
    name: 'unittest-umlaut',
    tool: 'unittest',
    exit_status: 1,
    wanted: "AssertionError: 'Gruesse' != 'Grüße'",
    log: () => {
      const r = random(96)
      return terminal(
        text(
          repeat(
            60,
            () =>
              `test_${r.word()}_raises_error ` +
              `(tests.test_${r.word()}.ErrorTest.test_${r.word()}) ... ok`,
          ),
          'test_slug (tests.test_text.SlugTest.test_slug) ... FAIL',
          repeat(
            30,
            () =>
              `test_${r.word()}_fails_late ` +
              `(tests.test_${r.word()}.FailTest.test_${r.word()}) ... ok`,
          ),
          block(`

            ======================================================================
            FAIL: test_slug (tests.test_text.SlugTest.test_slug)
            ----------------------------------------------------------------------
            Traceback (most recent call last):
              File "/build/tests/test_text.py", line 41, in test_slug
                self.assertEqual(greeting('de'), 'Grüße')
            AssertionError: 'Gruesse' != 'Grüße'
            - Gruesse
            + Grüße


            ----------------------------------------------------------------------
            Ran 91 tests in 1.204s

            FAILED (failures=1)
          `),
        ),
      )
    },
  },
  {
    name: 'tox-first-environment-fails',
    tool: 'tox',
    exit_status: 1,
    wanted: "TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'",
    log: () =>
      job(
        'tox',
        1,
        text(
          'py39: install_deps> python -I -m pip install -r requirements-test.txt',
          'py39: commands[0]> python -m unittest -q',
          block(`
            Traceback (most recent call last):
              File "/build/.tox/py39/lib/python3.9/runpy.py", line 197, in _run_module_as_main
                return _run_code(code, main_globals, None,
              File "/build/src/shop/errors.py", line 12, in <module>
                def describe(code: int | None) -> str:
            TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'
          `),
          'py39: exit 1 (0.61 seconds) /build> python -m unittest -q pid=4121',
          'py39: FAIL ✖ in 14.02 seconds',
          ['py310', 'py311', 'py312'].flatMap((env, i) => [
            `${env}: install_deps> python -I -m pip install -r requirements-test.txt`,
            `${env}: commands[0]> pytest -v`,
            ...passed(40, 97 + i),
            green(
              '============================== 40 passed in 9.14s ==============================',
            ),
            `${env}: OK ✔ in 31.77 seconds`,
          ]),
          '  py39: FAIL code 1 (14.02=setup[13.41]+cmd[0.61] seconds)',
          '  py310: OK (31.77=setup[20.11]+cmd[11.66] seconds)',
          '  py311: OK (31.77=setup[20.11]+cmd[11.66] seconds)',
          '  py312: OK (31.77=setup[20.11]+cmd[11.66] seconds)',
          '  evaluation failed :( (110.21 seconds)',
        ),
      ),
  },
  {
    name: 'django-migration-null-values',
    tool: 'django migrate',
    exit_status: 1,
    wanted: 'column "tax_rate" of relation "shop_order" contains null values',
    log: () => {
      const r = random(102)
      const frames = () =>
        repeat(
          14,
          () =>
            `  File "/build/.venv/lib/python3.12/site-packages/django/db/${r.word()}/${r.word()}.py", ` +
            `line ${r.int(20, 900)}, in ${r.word()}\n    return self.${r.word()}(*args, ` +
            '**kwargs)',
        )
      return job(
        './scripts/migrate-in-container',
        1,
        text(
          'Operations to perform:',
          '  Apply all migrations: admin, auth, contenttypes, shop',
          'Running migrations:',
          repeat(41, (i) => `  Applying shop.00${10 + i}_${r.word()}_${r.word()}_error... OK`),
          '  Applying shop.0052_order_tax_rate...Traceback (most recent call last):',
          frames(),
          'psycopg.errors.NotNullViolation: column "tax_rate" of relation "shop_order" ' +
            'contains null values',
          '',
          'The above exception was the direct cause of the following exception:',
          '',
          'Traceback (most recent call last):',
          frames(),
          'django.db.utils.IntegrityError: column "tax_rate" of relation "shop_order" ' +
            'contains null values',
          composeDown(['db', 'api', 'worker', 'mail', 'cache', 'proxy']),
        ),
      )
    },
  },
  {
    name: 'python-missing-setting-chained',
    tool: 'python traceback',
    exit_status: 1,
    wanted: 'shop.config.ConfigError: PAYMENT_URL is not set and no default exists for "staging"',
    log: () =>
      stamped(
        text(
          repeat(20, (i) => `INFO:shop.config:read config/errors/${random(i).word()}.toml`),
          block(`
            Traceback (most recent call last):
              File "/build/src/shop/config.py", line 31, in lookup
                return os.environ[name]
                       ~~~~~~~~~~^^^^^^
              File "<frozen os>", line 685, in __getitem__
            KeyError: 'PAYMENT_URL'

            During handling of the above exception, another exception occurred:

            Traceback (most recent call last):
              File "/build/scripts/publish.py", line 88, in <module>
                main()
              File "/build/src/shop/config.py", line 34, in lookup
                raise ConfigError(f'{name} is not set and no default exists for "{stage}"')
            shop.config.ConfigError: PAYMENT_URL is not set and no default exists for "staging"
          `),
        ),
        103,
        'clock',
      ),
  },
]
