/**
 * `npm run check`, which puts the tools on PATH: checks the tree without running the product. It
 * checks format, lint and import rules, types, generated files, unused code, the length of files,
 * and the packages in the form that npm publishes. Prints each step and its result.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = ['sdk', 'mock-server', 'cli']

/** Entries that are ES modules only: tests in vitest, and what the command line imports. */
const esmOnly = (name) =>
  name === 'mock-server'
    ? ['--exclude-entrypoints', 'vitest', 'main', 'owner', 'patience', 'programs']
    : []

const steps = [
  ['format, lint and import rules', 'biome', 'check', '--error-on-warnings', '.'],
  ['types of the packages', 'tsc', '-b'],
  ['types of the tests', 'tsc', '-p', 'test/tsconfig.json'],
  ['generated contract is up to date', 'tsx', 'sdk/tools/generate.ts', '--check'],
  ['contract lints', 'redocly', 'lint', '--config', 'sdk/redocly.yaml', 'sdk/openapi.yaml'],
  ['generated pages of the command line are up to date', 'node', 'cli/tools/docs.js', '--check'],
  ['no unused files, exports or dependencies', 'knip'],
  [
    'mutation rows name the files that are there',
    'node',
    'test/support/mutation/main.js',
    '--check',
  ],
  ['regular expressions take linear time', 'node', 'test/support/check/regexps.js'],
  [
    'npm run consumers has a row for what the docs name',
    'node',
    'test/consumers/main.js',
    '--check',
  ],
  ['no file is too long to hold', 'node', 'test/support/size.js', '--check'],
  ...packages.map((name) => [`${name} publishes cleanly`, 'publint', '--strict', name]),
  ...['sdk', 'mock-server'].map((name) => [
    `${name}'s types resolve everywhere`,
    'attw',
    '--pack',
    name,
    '--profile',
    'node16',
    ...esmOnly(name),
  ]),
]

let failed = 0
for (const [what, command, ...args] of steps) {
  const run = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const ok = run.status === 0
  console.log(`${ok ? '✓' : '✗'} ${what}`)
  if (!ok) {
    failed += 1
    console.log(
      [run.error?.message, run.stdout, run.stderr].join('\n').trim().replaceAll(/^/gm, '    '),
    )
  }
}
console.log(`checks: ${steps.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
