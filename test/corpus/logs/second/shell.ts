import type { LogCase } from '../../case.js'
import {
  composeDown,
  cyan,
  ESC,
  green,
  job,
  random,
  red,
  removed,
  repeat,
  stamped,
  terminal,
  text,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'bash-unbound-variable',
    tool: 'bash set -u',
    exit_status: 1,
    wanted: 'scripts/deploy.sh: line 41: DEPLOY_TOKEN: unbound variable',
    log: () =>
      job(
        'scripts/deploy.sh staging',
        1,
        text(
          'deploying 2.4.1 to staging, stops on the first error',
          'scripts/deploy.sh: line 41: DEPLOY_TOKEN: unbound variable',
          'trap: removing the temporary kubeconfig',
        ),
      ),
  },
  {
    name: 'bash-trap-clean-up-behind-unbound',
    tool: 'bash set -eux',
    exit_status: 1,
    wanted: './ci/release: line 19: RELEASE_CHANNEL: unbound variable',
    log: () => {
      const r = random(241)
      return job(
        './ci/release',
        1,
        text(
          '+ . ./ci/error-codes.sh',
          '++ export E_FAILED=3',
          './ci/release: line 19: RELEASE_CHANNEL: unbound variable',
          '+ cleanup',
          repeat(50, () => {
            const name = `${r.word()}-${r.hex(4)}`
            return `+ rm -rf /tmp/release/${name}\n+ [[ -e /tmp/release/${name}.error ]]`
          }),
        ),
      )
    },
  },
  {
    name: 'command-not-found',
    tool: 'bash (command not found)',
    exit_status: 127,
    wanted: '/tmp/agent-script-41203: line 3: just: command not found',
    log: () =>
      terminal(
        job('just test', 127, text('/tmp/agent-script-41203: line 3: just: command not found')),
      ),
  },
  {
    name: 'permission-denied',
    tool: 'bash (permission denied)',
    exit_status: 126,
    wanted: '/tmp/agent-script-7: line 2: ./scripts/release: Permission denied',
    log: () =>
      job(
        './scripts/release',
        126,
        text('/tmp/agent-script-7: line 2: ./scripts/release: Permission denied'),
      ),
  },
  {
    name: 'first-lines-then-five-thousand-of-clean-up',
    tool: 'trap EXIT clean-up',
    exit_status: 2,
    wanted: 'FATAL:  password authentication failed for user "ci_shop"',
    log: () =>
      job(
        './ci/integration',
        2,
        text(
          'starting the database of the test',
          'psql: error: connection to server at "db.test" (192.0.2.9), port 5432 failed: ' +
            'FATAL:  password authentication failed for user "ci_shop"',
          'cleaning up',
          removed(5000, 242, '/var/tmp/integration'),
          composeDown(['db', 'api']),
        ),
      ),
  },
  {
    name: 'check-fails-in-the-middle-silent-end',
    tool: 'shell script (silent end)',
    exit_status: 1,
    wanted: 'price list of CH differs from the signed one',
    log: () => {
      const r = random(243)
      const checked = (count: number) =>
        repeat(
          count,
          () =>
            `checked ${r.word()} of ${r.pick(['AT', 'BE', 'DE', 'FR', 'IT'])}: ${r.int(2, 90)} ` +
            'rows, 0 errors',
        )
      return job(
        './ci/check-prices',
        1,
        text(
          checked(60),
          'price list of CH differs from the signed one',
          checked(110),
          'report written to prices.html',
        ),
      )
    },
  },
  {
    name: 'groups-failure-in-an-early-one',
    tool: 'several log groups',
    exit_status: 1,
    wanted: "locales/fr.json: key 'checkout.error' is missing",
    log: () => {
      const r = random(244)
      const checks = (count: number) =>
        repeat(
          count,
          () => `${green('ok')} locales/${r.pick(['de', 'es', 'it', 'nl'])}.json ${r.word()}.error`,
        )
      return job(
        './ci/all',
        1,
        text(
          '--- :npm: Install',
          'added 912 packages in 14s',
          '--- :earth: Locales',
          checks(20),
          red("locales/fr.json: key 'checkout.error' is missing"),
          checks(20),
          '^^^ +++',
          '--- :lint: Lint',
          'Found 0 warnings and 0 errors.',
          '--- :jest: Tests',
          repeat(60, () => `${green('PASS')} src/${r.word()}-fails.test.ts`),
          'Tests:       412 passed, 412 total',
          '+++ Result',
          'install ok, locales failed, lint ok, tests ok',
        ),
      )
    },
  },
  {
    name: 'groups-opened-last-is-not-the-cause',
    tool: 'log groups with an annotation',
    exit_status: 1,
    wanted: "Error: ENOENT: no such file or directory, open 'config/rates.staging.json'",
    log: () => {
      const r = random(245)
      return stamped(
        job(
          './ci/smoke',
          1,
          text(
            '--- Build',
            repeat(30, () => `built ${r.word()}`),
            '+++ Smoke test',
            "Error: ENOENT: no such file or directory, open 'config/rates.staging.json'",
            '    at Object.openSync (node:fs:596:3)',
            '    at readRates (/build/src/rates.js:12:22)',
            '+++ Upload artifacts',
            repeat(
              66,
              () =>
                `Uploading artifact ${r.hex(8)} screenshots/error-${r.word()}.png ` +
                `(${r.int(2, 90)} KiB)`,
            ),
            'Artifact uploads completed successfully',
            '+++ Annotate',
            'warning: no annotation for context "errors", creating it',
          ),
          [
            '~~~ Running plugin cache post-command hook',
            '$ /etc/agent/plugins/cache/hooks/post-command',
            'error: cache key not found, saving a new one',
          ],
        ),
        246,
        'agent',
      )
    },
  },
  {
    name: 'parallel-scripts-prefix',
    tool: 'concurrently',
    exit_status: 1,
    wanted: "[types] src/error.ts(12,3): error TS2741: Property 'code' is missing in type",
    log: () => {
      const r = random(247)
      return job(
        'npm run check:all',
        1,
        text(
          repeat(30, () => `${cyan('[lint]')} ${r.word()}-error.ts clean`),
          `${ESC}[35m[types]${ESC}[39m src/error.ts(12,3): error TS2741: Property 'code' is ` +
            `missing in type '{}' but required in type 'Failure'.`,
          repeat(22, () => `${cyan('[lint]')} ${r.word()}-failed.ts clean`),
          `${ESC}[35m[types]${ESC}[39m npm run types exited with code 2`,
          '--> Sending SIGTERM to other processes..',
          `${cyan('[lint]')} npm run lint exited with code SIGTERM`,
        ),
      )
    },
  },
  {
    name: 'powershell-parameter',
    tool: 'powershell',
    exit_status: 1,
    wanted: "Cannot bind argument to parameter 'Path' because it is null",
    log: () => {
      const r = random(248)
      return terminal(
        job(
          'pwsh -File ci/pack.ps1',
          1,
          text(
            repeat(14, () => `Packed ${r.word()}.zip (errors: 0)`),
            `${ESC}[31;1mCompress-Archive: ${ESC}[0m/build/ci/pack.ps1:19${ESC}[0m`,
            `${ESC}[31;1m${ESC}[0m${ESC}[36;1mLine |${ESC}[0m`,
            `${ESC}[31;1m${ESC}[0m${ESC}[36;1m${ESC}[36;1m  19 | ${ESC}[0m Compress-Archive ` +
              `-Path ${ESC}[36;1m$env:OUT_DIR${ESC}[0m -DestinationPath out.zip${ESC}[0m`,
            `${ESC}[31;1m${ESC}[0m${ESC}[36;1m${ESC}[36;1m${ESC}[0m${ESC}[36;1m     | ` +
              `${ESC}[31;1m                        ~~~~~~~~~~~~${ESC}[0m`,
            `${ESC}[31;1m${ESC}[0m${ESC}[36;1m     | ${ESC}[31;1mCannot bind argument to ` +
              `parameter 'Path' because it is null.${ESC}[0m`,
          ),
        ),
      )
    },
  },
]
