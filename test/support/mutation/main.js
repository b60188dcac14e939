/**
 * `npm run mutation [-- token-cache scope …]`: changes the server's domain, the SDK's OAuth folder
 * and its summary in thousands of small ways and counts how many changes the nearest tests notice,
 * in `reports/mutation.md`. All files take hours; with words, only the rows that name one of them
 * run. `--check` only checks that each file has a row.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const domain = (...names) => names.map((name) => `mock-server/src/domain/${name}.ts`)
const oauth = (...names) => names.map((name) => `sdk/src/oauth/${name}.ts`)
const summary = readdirSync(`${root}/sdk/src/summary`).map((name) => `sdk/src/summary/${name}`)
const server = (...names) => names.map((name) => `test/mock-server/${name}.test.ts`)
const sdk = (...names) => names.map((name) => `test/sdk/oauth/${name}.test.ts`)

/** Files that are mutated together, and the tests that must notice. */
const rows = [
  [domain('scope', 'access-token'), server('oauth/authority', 'oauth/grant-decisions')],
  [domain('client-assertion'), server('oauth/assertion-decisions')],
  [domain('keys'), server('oauth/key-decisions')],
  [domain('jwks-cache'), server('oauth/jwks-decisions')],
  [domain('device-authorization'), server('oauth/device-decisions')],
  [
    domain('client', 'decision', 'refresh-token', 'token-exchange'),
    server('oauth/grant-decisions'),
  ],
  [domain('build-query', 'build-order'), server('build-order', 'build-query')],
  [domain('glob', 'plan-jobs'), server('lifecycle/plan-jobs')],
  [domain('test-labels'), server('lifecycle/read-bodies')],
  [domain('job-moves'), server('lifecycle/job-moves', 'lifecycle/builds')],
  [domain('job', 'barriers'), server('lifecycle/job-moves')],
  [domain('build'), server('lifecycle/build-state', 'lifecycle/builds')],
  [domain('create-build'), server('lifecycle/builds', 'lifecycle/triggers', 'lifecycle/rebuild')],
  [domain('timestamp', 'turn'), server('lifecycle/builds')],
  [domain('transition'), server('lifecycle/control-moves', 'lifecycle/jobs', 'lifecycle/triggers')],
  [
    domain('cancel', 'retry'),
    [
      'test/conformance/adapters.test.ts',
      ...server(
        'lifecycle/build-moves',
        'lifecycle/control-moves',
        'lifecycle/rebuild',
        'lifecycle/triggers',
      ),
    ],
  ],
  [domain('request-transition'), server('lifecycle/control-moves')],
  [domain('advance-build'), server('lifecycle/advance')],
  [domain('due'), server('lifecycle/due')],
  [
    domain('perform'),
    server(
      'lifecycle/driver',
      'lifecycle/build-moves',
      'lifecycle/control-moves',
      'lifecycle/triggers',
    ),
  ],
  [domain('page-login'), server('oauth/device')],
  [
    domain('order'),
    ['test/conformance/adapters.test.ts', ...server('control/records', 'lifecycle/due')],
  ],
  [domain('job-list', 'changed-jobs'), server('lifecycle/job-list', 'lifecycle/properties')],
  [domain('budget', 'json'), server('budget', 'lifecycle/read-bodies')],
  [domain('attachments'), ['test/conformance/adapters.test.ts']],
  [
    oauth('token-cache', 'shared-tokens'),
    sdk(
      'token-cache',
      'token-cache-edges',
      'token-life',
      'token-set',
      'shared-tokens',
      'shared-tokens-guard',
      'silent-store',
    ),
  ],
  [
    oauth('client-assertion', 'token-exchange', 'exchange-hints', 'exchange-params'),
    sdk(
      'token-exchange',
      'token-exchange-edges',
      'client-assertion',
      'token-cache',
      'shared-tokens',
    ),
  ],
  [oauth('ecdsa-der'), sdk('client-assertion')],
  [
    oauth('signing-keys', 'private-key', 'key-form', 'web-key'),
    sdk('key-refusals', 'signing-keys', 'web-key'),
  ],
  [
    oauth('device-authorization', 'device-poller', 'poll-schedule'),
    sdk('device-poller', 'device-outcomes', 'device-answers'),
  ],
  [oauth('refresh'), sdk('refresh', 'refresh-verdicts', 'token-cache')],
  [oauth('token-set'), sdk('token-set', 'token-exchange', 'device-answers', 'device-poller')],
  [
    oauth('oauth-answer', 'oauth-call'),
    sdk('device-answers', 'token-exchange', 'oauth-refusal', 'oauth-request'),
  ],
  [oauth('redis-token-store'), sdk('redis-protocol')],
  [summary, ['test/sdk/summarize-failure.test.ts']],
]

const named = new Set(rows.flat(2))
const mutated = ['mock-server/src/domain', 'sdk/src/oauth'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`).map((file) => `${folder}/${file}`),
)
const wrong = [
  ...[...named]
    .filter((path) => !existsSync(`${root}/${path}`))
    .map((path) => `${path} is not there`),
  ...mutated.filter((path) => !named.has(path)).map((path) => `no row names ${path}`),
]
if (wrong.length > 0) {
  console.error(wrong.map((line) => `mutation/main.js: ${line}`).join('\n'))
  process.exit(1)
}
if (process.argv.includes('--check')) process.exit(0)

const words = process.argv.slice(2)
const chosen = rows
  .map(([files, tests]) => [
    words.length === 0
      ? files
      : files.filter((file) => words.some((word) => file.endsWith(`/${word}.ts`))),
    tests,
  ])
  .filter(([files]) => files.length > 0)
if (chosen.length === 0) {
  console.error(`no row of mutation/main.js names ${words.join(', ')}`)
  process.exit(2)
}

const noticed = new Set(['Killed', 'Timeout'])
const missed = new Set(['Survived', 'NoCoverage'])
const scores = []
for (const [files, tests] of chosen) {
  const { status, error } = spawnSync(
    'stryker',
    ['run', 'test/support/mutation/stryker.config.js', '--mutate', files.join(',')],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_TESTS: JSON.stringify(tests) } },
  )
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  const { files: changed } = JSON.parse(readFileSync(`${root}/reports/mutation.json`, 'utf8'))
  for (const [file, { mutants }] of Object.entries(changed)) {
    const count = (states) => mutants.filter((mutant) => states.has(mutant.status)).length
    scores.push({ file, killed: count(noticed), missed: count(missed) })
  }
}

const percent = ({ killed, missed }) =>
  killed + missed === 0 ? 100 : (100 * killed) / (killed + missed)
const total = scores.reduce(
  (sum, row) => ({ killed: sum.killed + row.killed, missed: sum.missed + row.missed }),
  {
    killed: 0,
    missed: 0,
  },
)
const report = [
  '# Mutation check',
  '',
  'Small changes of the code, one at a time, and how many of them the nearest tests noticed.',
  '',
  '| file | noticed | score |',
  '| --- | --- | --- |',
  ...[...scores, { file: 'all of these', ...total }].map(
    (row) =>
      `| ${row.file} | ${row.killed} of ${row.killed + row.missed} | ${percent(row).toFixed(1)} % |`,
  ),
].join('\n')
writeFileSync(`${root}/reports/mutation.md`, `${report}\n`)
console.log(`\n${report}\nalso in reports/mutation.md`)
process.exitCode = percent(total) >= 80 ? 0 : 1
