import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  boldRed,
  cyan,
  dim,
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

function eslintWarnings(files: number, seed: number): string[] {
  const r = random(seed)
  return repeat(files, () =>
    text(
      `${ESC}[4m/build/src/${r.word()}/${r.word()}-error.ts${ESC}[24m`,
      repeat(
        3,
        (i) =>
          `  ${dim(`${i * 30 + r.int(4, 30)}:${r.int(3, 40)}`)}  ${yellow('warning')}  Unexpected any. ` +
          `Specify a different type  ${dim('@typescript-eslint/no-explicit-any')}`,
      ),
    ),
  )
}

export const cases: LogCase[] = [
  {
    name: 'eslint-one-error-in-warnings',
    tool: 'eslint',
    exit_status: 1,
    wanted: "'total' is never reassigned. Use 'const' instead",
    log: () =>
      job(
        'npx eslint .',
        1,
        text(
          '',
          eslintWarnings(30, 181),
          `${ESC}[4m/build/src/cart/sum.ts${ESC}[24m`,
          `  ${dim('12:3')}  ${yellow('warning')}  Unexpected console statement  ` +
            `${dim('no-console')}`,
          `  ${dim('41:7')}  ${red('error')}    'total' is never reassigned. Use 'const' ` +
            `instead  ${dim('prefer-const')}`,
          '',
          eslintWarnings(40, 182),
          boldRed('✖ 212 problems (1 error, 211 warnings)'),
          boldRed('  1 error and 0 warnings potentially fixable with the `--fix` option.'),
          '',
        ),
      ),
  },
  {
    name: 'eslint-configuration',
    tool: 'eslint (configuration)',
    exit_status: 2,
    wanted: 'ESLint couldn\'t find the plugin "eslint-plugin-import"',
    log: () =>
      job(
        'npx eslint .',
        2,
        text(
          block(`

            Oops! Something went wrong! :(

            ESLint: 8.57.0

            ESLint couldn't find the plugin "eslint-plugin-import".

            (The package "eslint-plugin-import" was not found when loaded as a Node module from \\
            the \\
            directory "/build".)

            It's likely that the plugin isn't installed correctly. Try reinstalling by running \\
            the following:

                npm install eslint-plugin-import@latest --save-dev

            The plugin "eslint-plugin-import" was referenced from the config file in \\
            ".eslintrc.cjs".

          `),
        ),
      ),
  },
  {
    name: 'prettier-one-file',
    tool: 'prettier --check',
    exit_status: 1,
    wanted: 'src/cart/basket.ts',
    log: () =>
      job(
        'npx prettier --check .',
        1,
        text(
          'Checking formatting...',
          `[${yellow('warn')}] src/cart/basket.ts`,
          `[${yellow('warn')}] Code style issues found in the above file. Run Prettier with ` +
            '--write to fix.',
        ),
      ),
  },
  {
    name: 'ruff-unused-local',
    tool: 'ruff',
    exit_status: 1,
    wanted: 'F841 [*] Local variable `total` is assigned to but never used',
    log: () =>
      job(
        'ruff check .',
        1,
        text(
          `${bold('src/shop/errors.py')}${cyan(':')}41${cyan(':')}5${cyan(':')} ` +
            `${boldRed('F841')} [${cyan('*')}] Local variable \`total\` is assigned to but ` +
            'never used',
          `   ${cyan('|')}`,
          `41 ${cyan('|')}     total = sum(lines)`,
          `   ${cyan('|')}     ${boldRed('^^^^^')} ${boldRed('F841')}`,
          `   ${cyan('|')}`,
          `   ${cyan('=')} ${cyan('help')}: Remove assignment to unused variable`,
          '',
          'Found 1 error.',
          '[*] 1 fixable with the `--fix` option.',
        ),
      ),
  },
  {
    name: 'mypy-return-value-among-notes',
    tool: 'mypy',
    exit_status: 1,
    wanted:
      'src/shop/cart.py:41: error: Incompatible return value type (got "str", expected "int")',
    log: () => {
      const r = random(183)
      return stamped(
        text(
          repeat(
            3,
            () =>
              `src/shop/${r.word()}_error.py:${r.int(5, 200)}: note: unused section(s) in the ` +
              'configuration: module = shop.errors',
          ),
          'src/shop/cart.py:41: error: Incompatible return value type (got "str", expected ' +
            '"int")  [return-value]',
          repeat(
            74,
            () =>
              `src/shop/${r.word()}.py:${r.int(5, 200)}: note: By default the bodies of untyped ` +
              'functions are not checked, consider using --check-untyped-defs  ' +
              '[annotation-unchecked]',
          ),
          'Found 1 error in 1 file (checked 212 source files)',
        ),
        184,
        'iso',
      )
    },
  },
  {
    name: 'shellcheck-empty-variable',
    tool: 'shellcheck',
    exit_status: 1,
    wanted: 'SC2115 (warning): Use "${var:?}" to ensure this never expands to /* .',
    log: () =>
      job(
        'shellcheck scripts/*.sh',
        1,
        text(
          block(`

            ${bold('In scripts/on-error.sh line 41:')}
            rm -rf "$TARGET/"*
                   ${yellow('^---------^ SC2115 (warning): Use "${var:?}" to ensure this never expands to /* .')}

            ${bold('For more information:')}
              https://shellcheck.example.org/wiki/SC2115 -- Use "$\{var:?}" to ensure this nev...
          `),
        ),
      ),
  },
  {
    name: 'gofmt-diff-fails',
    tool: 'gofmt -d',
    exit_status: 1,
    wanted: 'diff internal/errors/errors.go.orig internal/errors/errors.go',
    log: () =>
      job(
        'test -z "$(gofmt -d . | tee /dev/stderr)"',
        1,
        text(
          block(`
            diff internal/errors/errors.go.orig internal/errors/errors.go
            --- internal/errors/errors.go.orig
            +++ internal/errors/errors.go
            @@ -9,6 +9,6 @@
             // Failed says which step failed.
             type Failed struct {
            -	Step string
            -	Code int
            +	Step  string
            +	Code  int
             	Cause error
             }
          `),
        ),
      ),
  },
  {
    name: 'sphinx-warning-is-fatal',
    tool: 'sphinx -W',
    exit_status: 1,
    wanted: "docs/guide.rst:41: WARNING: undefined label: 'install-offline'",
    log: () => {
      const r = random(185)
      return terminal(
        text(
          `${bold('building [html]: ')}targets for 141 source files that are out of date`,
          repeat(
            40,
            (i) =>
              `\r${ESC}[2K${bold('reading sources... ')}[${String(i * 2 + 10).padStart(3)}%] ` +
              `${ESC}[35merrors/${r.word()}${ESC}[0m`,
          ),
          red("/build/docs/guide.rst:41: WARNING: undefined label: 'install-offline' [ref.ref]"),
          repeat(
            70,
            (i) =>
              `\r${ESC}[2K${bold('writing output... ')}[${String(i + 20).padStart(3)}%] ` +
              `${green(`failures/${r.word()}`)}`,
          ),
          `${bold('dumping object inventory... ')}done`,
          red('build finished with problems, 1 warning (with warnings treated as errors).'),
        ),
      )
    },
  },
  {
    name: 'image-scan-one-high',
    tool: 'image scanner',
    exit_status: 1,
    wanted: 'CVE-2099-41203',
    log: () => {
      const r = random(186)
      const row = (level: string, id: string, name: string) =>
        `│ ${name.padEnd(20)} │ ${id.padEnd(15)} │ ${level} │ affected │ ` +
        `1.${r.int(0, 9)}.${r.int(0, 9)}     │               │`
      const low = (count: number) =>
        repeat(count, () =>
          row(
            r.pick(['LOW     ', 'UNKNOWN ']),
            `CVE-2098-${r.int(1000, 9999)}`,
            `lib${r.word()}-error`,
          ),
        )
      return job(
        './scripts/scan --fail-on high image.tar',
        1,
        text(
          `2026-03-04T09:12:07.114Z\t${ESC}[34mINFO${ESC}[0m\tDetected OS: debian`,
          'image.tar (debian 12.5)',
          'Total: 131 (UNKNOWN: 21, LOW: 109, HIGH: 1)',
          '┌──────────────────────┬─────────────────┬──────────┬──────────┬───────────┬───────────────┐',
          low(60),
          row(red('HIGH    '), 'CVE-2099-41203', 'libarchive-tools'),
          low(70),
          '└──────────────────────┴─────────────────┴──────────┴──────────┴───────────┴───────────────┘',
        ),
      )
    },
  },
]
