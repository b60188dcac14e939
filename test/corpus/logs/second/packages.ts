import type { LogCase } from '../../case.js'
import {
  block,
  ESC,
  gray,
  job,
  random,
  red,
  repeat,
  stamped,
  terminal,
  text,
  yellow,
} from './filler.js'

const npm = (rest: string) => `${ESC}[1mnpm${ESC}[22m ${ESC}[31merror${ESC}[39m ${rest}`

export const cases: LogCase[] = [
  {
    name: 'npm-peer-conflict',
    tool: 'npm install',
    exit_status: 1,
    wanted: 'peer react@"^17.0.2" from @shop/charts@4.1.0',
    log: () =>
      job(
        'npm install',
        1,
        text(
          npm('code ERESOLVE'),
          npm('ERESOLVE unable to resolve dependency tree'),
          npm(''),
          npm('While resolving: web@1.0.0'),
          npm('Found: react@18.2.0'),
          npm('node_modules/react'),
          npm('  react@"^18.2.0" from the root project'),
          npm(''),
          npm('Could not resolve dependency:'),
          npm('peer react@"^17.0.2" from @shop/charts@4.1.0'),
          npm('node_modules/@shop/charts'),
          npm('  @shop/charts@"^4.1.0" from the root project'),
          npm(''),
          npm('Fix the upstream dependency conflict, or retry'),
          npm('this command with --force or --legacy-peer-deps'),
          npm('to accept an incorrect (and potentially broken) dependency resolution.'),
          npm(
            'A complete log of this run can be found in: ' +
              '/root/.npm/_logs/2026-03-04T09_12_07_114Z-debug-0.log',
          ),
        ),
      ),
  },
  {
    name: 'npm-ci-lock-file-lags',
    tool: 'npm ci',
    exit_status: 1,
    wanted: 'Missing: error-page@1.3.0 from lock file',
    log: () =>
      job(
        'npm ci',
        1,
        text(
          npm('code EUSAGE'),
          npm(''),
          npm(
            '`npm ci` can only install packages when your package.json and package-lock.json or ' +
              'npm-shrinkwrap.json are in sync.',
          ),
          npm(''),
          npm('Missing: error-page@1.3.0 from lock file'),
          npm(''),
          npm('Clean install a project'),
          npm(''),
          npm('Usage:'),
          npm('npm ci'),
          npm(''),
          npm('Options:'),
          repeat(9, (i) =>
            npm(`[--${random(i).word()}-${random(i + 9).word()} <all|error|failed>]`),
          ),
          npm(''),
          npm('aliases: clean-install, ic, install-clean, isntall-clean'),
          npm('Run "npm help ci" for more info'),
        ),
      ),
  },
  {
    name: 'npm-token-missing',
    tool: 'npm (authentication)',
    exit_status: 1,
    wanted: '401 Unauthorized - GET https://npm.example.com/@shop%2fui',
    log: () =>
      terminal(
        job(
          'npm ci',
          1,
          text(
            repeat(
              40,
              (i) =>
                `${ESC}[1mnpm${ESC}[22m ${ESC}[33mwarn${ESC}[39m deprecated ` +
                `${random(i).word()}-error@1.0.${i}: this version fails on new runtimes`,
            ),
            npm('code E401'),
            npm(
              '401 Unauthorized - GET https://npm.example.com/@shop%2fui - authentication token ' +
                'not provided',
            ),
            npm(
              'A complete log of this run can be found in: ' +
                '/root/.npm/_logs/2026-03-04T09_12_07_114Z-debug-0.log',
            ),
          ),
        ),
      ),
  },
  {
    name: 'yarn-lockfile-immutable',
    tool: 'yarn (berry)',
    exit_status: 1,
    wanted: 'The lockfile would have been modified by this install, which is explicitly forbidden',
    log: () =>
      job(
        'yarn install --immutable',
        1,
        text(
          `${gray('➤')} YN0000: ┌ Resolution step`,
          repeat(
            14,
            (i) =>
              `${yellow('➤')} YN0002: │ web@workspace:. doesn't provide ` +
              `${random(i).word()}-errors, requested by web`,
          ),
          `${gray('➤')} YN0000: └ Completed in 0s 412ms`,
          `${gray('➤')} YN0000: ┌ Post-resolution validation`,
          `${red('➤')} YN0028: │ ${ESC}[31m-  "error-page@npm:^1.2.0":${ESC}[39m`,
          `${red('➤')} YN0028: │ ${ESC}[32m+  "error-page@npm:^1.3.0":${ESC}[39m`,
          `${red('➤')} YN0028: │ The lockfile would have been modified by this install, which ` +
            'is explicitly forbidden.',
          `${gray('➤')} YN0000: └ Completed`,
          `${red('➤')} YN0000: Failed with errors in 0s 441ms`,
        ),
      ),
  },
  {
    name: 'pnpm-frozen-lockfile',
    tool: 'pnpm',
    exit_status: 1,
    wanted: 'Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date',
    log: () =>
      job(
        'pnpm install',
        1,
        text(
          'Scope: all 24 workspace projects',
          `${ESC}[41m${ESC}[30m ERR_PNPM_OUTDATED_LOCKFILE ${ESC}[39m${ESC}[49m ` +
            `${red('Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/packages/error/package.json')}`,
          '',
          'Note that in CI environments this setting is true by default. If you still need to ' +
            'run install in such cases, use "pnpm install --no-frozen-lockfile"',
          '',
          '  Failure reason:',
          "  specifiers in the lockfile don't match specifiers in package.json",
        ),
      ),
  },
  {
    name: 'pip-no-version',
    tool: 'pip',
    exit_status: 1,
    wanted: 'Could not find a version that satisfies the requirement ledger-client==4.2',
    log: () =>
      job(
        'pip install -r requirements.txt',
        1,
        text(
          repeat(
            20,
            (i) =>
              `Collecting ${random(i).word()}-errors==${i}.1\n  Downloading ` +
              `${random(i).word()}_errors-${i}.1-py3-none-any.whl (41 kB)\n\u001b[?25l     ` +
              `${ESC}[90m━━━━━━━━${ESC}[0m 0.0/41.4 kB ? eta -:--:--\r${ESC}[2K     ` +
              `${ESC}[90m━━━━━━━━${ESC}[0m 41.4/41.4 kB 3.1 MB/s eta 0:00:00`,
          ),
          `${ESC}[31mERROR: Could not find a version that satisfies the requirement ` +
            `ledger-client==4.2 (from versions: 3.9, 4.0, 4.1)${ESC}[0m${ESC}[31m`,
          `${ESC}[0m${ESC}[31mERROR: No matching distribution found for ` +
            `ledger-client==4.2${ESC}[0m${ESC}[31m`,
          `${ESC}[0m${ESC}[33mWARNING: You are using pip version 23.0.1; however, version ` +
            `24.0 is available.${ESC}[0m`,
        ),
      ),
  },
  {
    name: 'pip-wheel-header-missing',
    tool: 'pip (native wheel)',
    exit_status: 1,
    wanted: 'fatal error: libpq-fe.h: No such file or directory',
    log: () => {
      const r = random(211)
      return job(
        'pip install .',
        1,
        text(
          '  Building wheel for pgfast (pyproject.toml): started',
          "  Building wheel for pgfast (pyproject.toml): finished with status 'error'",
          `  ${ESC}[1;31merror${ESC}[0m: ${ESC}[1msubprocess-exited-with-error${ESC}[0m`,
          '  ',
          '  × Building wheel for pgfast (pyproject.toml) did not run successfully.',
          '  │ exit code: 1',
          '  ╰─> [112 lines of output]',
          repeat(
            104,
            () =>
              `      copying src/pgfast/${r.word()}_errors.py -> ` +
              'build/lib.linux-x86_64-cpython-312/pgfast',
          ),
          '      gcc -fno-strict-overflow -O3 -Wall -fPIC -c src/pgfast/error.c -o ' +
            'build/temp/error.o',
          '      src/pgfast/error.c:4:10: fatal error: libpq-fe.h: No such file or directory',
          '          4 | #include <libpq-fe.h>',
          '            |          ^~~~~~~~~~~~',
          '      compilation terminated.',
          "      error: command '/usr/bin/gcc' failed with exit code 1",
          '      [end of output]',
          '  ',
          '  note: This error originates from a subprocess, and is likely not a problem with pip.',
          '  ERROR: Failed building wheel for pgfast',
          'Failed to build pgfast',
          'ERROR: Could not build wheels for pgfast, which is required to install ' +
            'pyproject.toml-based projects',
        ),
      )
    },
  },
  {
    name: 'poetry-solving',
    tool: 'poetry',
    exit_status: 1,
    wanted:
      'Because shop depends on both tariff (^3.0) and ledger-client (^4.2) which depends ' +
      'on tariff (<3.0)',
    log: () =>
      text(
        'Updating dependencies',
        'Resolving dependencies... (4.1s)',
        '',
        'Because shop depends on both tariff (^3.0) and ledger-client (^4.2) which depends ' +
          'on tariff (<3.0), version solving failed.',
      ),
  },
  {
    name: 'apt-mirror-404-then-post-clean',
    tool: 'apt-get',
    exit_status: 100,
    wanted:
      'E: Failed to fetch http://mirror.example.org/debian/pool/main/c/curl/libcurl4_7.88.1-10+deb12u4_amd64.deb ' +
      ' 404  Not Found',
    log: () => {
      const r = random(212)
      return stamped(
        job(
          './scripts/prepare-machine',
          100,
          text(
            'The following NEW packages will be installed:',
            '  libcurl4 liberror-perl libgpg-error-l10n',
            repeat(
              60,
              (i) =>
                `Get:${i + 1} http://mirror.example.org/debian bookworm/main amd64 ` +
                `lib${r.word()}-error0 amd64 1.${i} [${r.int(10, 900)} kB]`,
            ),
            'Err:61 http://mirror.example.org/debian bookworm/main amd64 libcurl4 amd64 ' +
              '7.88.1-10+deb12u4',
            '  404  Not Found [IP: 192.0.2.4 80]',
            'Fetched 41.2 MB in 3s (13.1 MB/s)',
            'E: Failed to fetch http://mirror.example.org/debian/pool/main/c/curl/libcurl4_7.88.1-10+deb12u4_amd64.deb ' +
              ' 404  Not Found [IP: 192.0.2.4 80]',
            'E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?',
            repeat(70, () => `Unpublishing ${r.word()}-${r.hex(4)} from the local cache`),
          ),
        ),
        213,
        'agent',
      )
    },
  },
  {
    name: 'nix-hash-mismatch',
    tool: 'nix build',
    exit_status: 1,
    wanted:
      "error: hash mismatch in fixed-output derivation '/nix/store/4k2z-ledger-4.2.tar.gz.drv'",
    log: () =>
      job(
        'nix build .#shop',
        1,
        text(
          repeat(
            40,
            (i) =>
              `copying path '/nix/store/${random(i).hex(8)}-error-${i}' from ` +
              `'https://cache.example.org'...`,
          ),
          block(`
            ${red('error:')} hash mismatch in fixed-output derivation \\
            '/nix/store/4k2z-ledger-4.2.tar.gz.drv':
                     specified: sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
                        got:    sha256-${random(214).hex(43)}=
            ${red('error:')} 1 dependencies of derivation '/nix/store/9p1c-shop-2.4.0.drv' failed \\
            to build
          `),
        ),
      ),
  },
]
