import type { LogCase } from '../../case.js'
import { green, lines, many, name, red, time, varied } from '../../filler.js'

export const situations: readonly LogCase[] = [
  {
    name: 'first-group-is-open',
    tool: 'an environment in an open group',
    exit_status: 1,
    wanted: 'rake aborted! Shop::TaxTableMissing',
    log: () =>
      lines(
        '+++ :gear: Environment',
        many(70, (at) => `SHOP_${name(at).toUpperCase()}_ERRORS=${at}`),
        '--- Prepare',
        many(30, (at) => `prepared ${name(at)}`),
        '--- Load',
        'rake aborted! Shop::TaxTableMissing',
        many(70, (at) => `/srv/lib/${name(at)}.rb:${at + 1}:in \`load'`),
      ),
  },
  {
    name: 'marked-group-and-long-hooks',
    tool: 'an agent with hooks',
    exit_status: 1,
    wanted: 'tax table 2026 has 3 rows, 27 were announced',
    log: () =>
      lines(
        '--- Install',
        many(30, (at) => `installed ${name(at)}`),
        '--- Verify',
        many(20, (at) => `verified ${name(at)}`),
        'tax table 2026 has 3 rows, 27 were announced',
        '^^^ +++',
        '~~~ Running post-command hook',
        many(90, (at) => `Error: no annotation for ${name(at)}, nothing to do`),
      ),
  },
  {
    name: 'diff-of-generated-files',
    tool: 'git diff --exit-code',
    exit_status: 1,
    wanted: '+  "vatRate": 0.21',
    log: () =>
      lines(
        many(80, (at) => `generated src/errors/${name(at)}.json`),
        'diff --git a/src/tax.json b/src/tax.json',
        'index 83db48f..bf2ab3c 100644',
        '--- a/src/tax.json',
        '+++ b/src/tax.json',
        '@@ -1,3 +1,3 @@',
        ' {',
        '-  "vatRate": 0.19',
        '+  "vatRate": 0.21',
        ' }',
        'Generated files differ from what is committed: run npm run generate',
        many(12, (at) => `freed ${name(at)}`),
      ),
  },
  {
    name: 'only-red-tells',
    tool: 'a tool that only colours',
    exit_status: 1,
    wanted: 'tax.rates.de: 19 -> 21',
    log: () =>
      lines(
        many(80, (at) => green(`tax.rates.${name(at)}: as agreed`)),
        red('tax.rates.de: 19 -> 21'),
        many(80, (at) => green(`tax.rates.x${name(at)}: as agreed`)),
      ),
  },
  {
    name: 'retries-then-the-last-try',
    tool: 'a deploy with retries',
    exit_status: 1,
    wanted: 'giving up after 5 attempts: 403 Forbidden',
    log: () =>
      lines(
        many(200, (at) => `attempt ${at % 4}/5 failed: connection reset, retrying in ${at}s`),
        'giving up after 5 attempts: 403 Forbidden',
        many(70, (at) => `released lock ${name(at)}`),
      ),
  },
  {
    name: 'one-error-said-a-thousand-times',
    tool: 'a repeated message',
    exit_status: 1,
    wanted: 'Error: tax service answered 500 for customer',
    log: () =>
      lines(
        many(20, (at) => `started ${name(at)}`),
        many(1_000, (at) => `Error: tax service answered 500 for customer ${at}`),
        many(80, (at) => `flushed ${name(at)}`),
      ),
  },
  {
    name: 'middle-of-a-large-log',
    tool: 'a log of which the end is read first',
    exit_status: 1,
    wanted: 'AssertionError: basket 77123 has no owner',
    log: () =>
      lines(
        many(
          7_500,
          (at) => `checked basket ${at} of the archive of the year 2026: ${varied(at, 900)} items`,
        ),
        'AssertionError: basket 77123 has no owner',
        many(
          7_500,
          (at) => `wrote archive part ${at} with ${varied(at, 900)} items to the bucket of 2026`,
        ),
      ),
  },
  {
    name: 'coverage-threshold',
    tool: 'coverage',
    exit_status: 2,
    wanted: 'Coverage failure: total of 78 is less than fail-under=80',
    log: () =>
      lines(
        many(
          50,
          (at) => `src/${name(at)}_errors.py ${at + 40} ${varied(at, 30)} ${varied(at, 100)}%`,
        ),
        'TOTAL 2210 480 78%',
        'Coverage failure: total of 78 is less than fail-under=80',
        many(64, (at) => `report of ${name(at)} written`),
      ),
  },
  {
    name: 'security-audit',
    tool: 'npm audit',
    exit_status: 1,
    wanted: 'Severity: critical',
    log: () =>
      lines(
        many(30, (at) => `added ${at} packages`),
        '# npm audit report',
        '',
        'tiny-parse  <2.1.4',
        'Severity: critical',
        'Prototype pollution in tiny-parse',
        'fix available via `npm audit fix`',
        '',
        '1 critical severity vulnerability',
        many(58, (at) => `audited ${at} packages in ${at}s`),
      ),
  },
  {
    name: 'bundle-budget',
    tool: 'a size limit',
    exit_status: 1,
    wanted: 'dist/cart.js: 312 kB exceeds the budget of 300 kB',
    log: () =>
      lines(
        many(70, (at) => `dist/${name(at)}-error.js: ${varied(at, 200)} kB of 300 kB`),
        'dist/cart.js: 312 kB exceeds the budget of 300 kB',
        many(70, (at) => `dist/x${name(at)}.js: ${varied(at, 200)} kB of 300 kB`),
      ),
  },
  {
    name: 'segmentation-fault',
    tool: 'a native test',
    exit_status: 139,
    wanted: 'Segmentation fault (core dumped)',
    log: () =>
      lines(
        many(80, (at) => `case ${name(at)} error path: fine`),
        './run-tests.sh: line 3:    88 Segmentation fault (core dumped) ./tests',
        many(70, (at) => `archived ${name(at)}`),
      ),
  },
  {
    name: 'french-shell',
    tool: 'a shell in French',
    exit_status: 1,
    wanted: 'cat: tarifs.csv: Aucun fichier ou dossier de ce nom',
    log: () =>
      lines(
        many(40, (at) => `copie de ${name(at)}`),
        'cat: tarifs.csv: Aucun fichier ou dossier de ce nom',
        many(80, (at) => `nettoyage de ${name(at)}`),
      ),
  },
  {
    name: 'japanese-build',
    tool: 'a build in Japanese',
    exit_status: 1,
    wanted: 'エラー: 設定ファイル tax.yml が見つかりません',
    log: () =>
      lines(
        many(40, (at) => `処理中 ${name(at)}`),
        'エラー: 設定ファイル tax.yml が見つかりません',
        many(80, (at) => `削除 ${name(at)}`),
      ),
  },
  {
    name: 'bazel',
    tool: 'bazel',
    exit_status: 1,
    wanted: "tax.cc:8:10: fatal error: 'rates.h' file not found",
    log: () =>
      lines(
        many(80, (at) => `[${at} / 900] Compiling ${name(at)}/errors.cc; ${at}s linux-sandbox`),
        'ERROR: /srv/tax/BUILD:4:11: Compiling tax/tax.cc failed: (Exit 1): clang failed: error executing command',
        "tax/tax.cc:8:10: fatal error: 'rates.h' file not found",
        '    8 | #include "rates.h"',
        many(64, (at) => `INFO: From Linking ${name(at)}`),
        'Target //tax:tax failed to build',
        'ERROR: Build did NOT complete successfully',
      ),
  },
  {
    name: 'android-resources',
    tool: 'gradle for Android',
    exit_status: 1,
    wanted: 'AAPT: error: resource string/pay_now (aka shop.app:string/pay_now) not found.',
    log: () =>
      lines(
        many(80, (at) => `> Task :app:merge${name(at)}ErrorResources UP-TO-DATE`),
        '> Task :app:processReleaseResources FAILED',
        'ERROR: /srv/app/src/main/res/layout/cart.xml:12: AAPT: error: resource string/pay_now (aka shop.app:string/pay_now) not found.',
        many(66, (at) => `> Task :app:lint${name(at)} SKIPPED`),
        'BUILD FAILED in 1m 31s',
      ),
  },
  {
    name: 'code-signing',
    tool: 'fastlane',
    exit_status: 1,
    wanted: "No profiles for 'example.shop.app' were found",
    log: () =>
      lines(
        many(60, (at) => `[09:00:${at % 60}]: ▸ Compiling ${name(at)}Errors.swift`),
        "error: No profiles for 'example.shop.app' were found: Xcode couldn't find any matching profiles. (in target 'Shop')",
        many(70, (at) => `[09:01:${at % 60}]: ▸ Touching ${name(at)}.app`),
        '[09:02:00]: Exit status: 65',
        red('[!] Error building the application - see the log above'),
      ),
  },
  {
    name: 'tabs-in-a-stack',
    tool: 'a java program',
    exit_status: 1,
    wanted: 'Caused by: java.net.ConnectException: Connection refused (tax:443)',
    log: () =>
      lines(
        many(60, (at) => `${time(at)} INFO shop.Main - loaded ${name(at)}`),
        'Exception in thread "main" java.lang.IllegalStateException: cannot start',
        many(70, (at) => `\tat shop.boot.${name(at)}.start(${name(at)}.java:${at + 1})`),
        'Caused by: java.net.ConnectException: Connection refused (tax:443)',
        many(70, (at) => `\tat java.base/sun.nio.${name(at)}.connect(${name(at)}.java:${at + 1})`),
      ),
  },
  {
    name: 'nothing-tells-but-the-end',
    tool: 'a quiet script',
    exit_status: 1,
    wanted: 'rates of 2026: 26 rows instead of 27',
    log: () =>
      lines(
        many(200, (at) => `row ${at}`),
        'rates of 2026: 26 rows instead of 27',
      ),
  },
]
