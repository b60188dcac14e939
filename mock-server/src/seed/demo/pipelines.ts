import type { OrganizationRecord, PipelineRecord, Step } from '../../store/records.js'
import type { SeedContext } from '../context.js'
import { pipelineRecord } from '../parts.js'

const second = 1_000

const steps = {
  web: [
    { command: 'pnpm lint', key: 'lint', label: ':eslint: Lint', durationMs: 38 * second },
    { command: 'pnpm build', key: 'assets', label: ':package: Build assets', durationMs: 74 * second },
    {
      command: 'pnpm test --shard',
      key: 'unit',
      label: ':vitest: Unit tests',
      parallelism: 8,
      durationMs: 96 * second,
      retry: { automatic: 1 },
    },
    { block: '🚀 Deploy to production?', key: 'approve', blockedState: 'passed' },
    { command: './scripts/deploy production', key: 'deploy', label: ':rocket: Deploy', durationMs: 52 * second },
  ],
  api: [
    {
      command: 'cargo clippy --all-targets',
      key: 'lint',
      label: ':crab: Clippy',
      softFail: true,
      durationMs: 41 * second,
    },
    {
      command: 'cargo test',
      key: 'test',
      label: ':rust: Tests on {{matrix.database}}',
      matrix: { database: ['postgres-15', 'postgres-16'] },
      retry: { automatic: 2 },
      durationMs: 125 * second,
    },
    { wait: true },
    { command: './integration.sh', key: 'integration', label: ':whale: Integration', durationMs: 88 * second },
    { command: 'docker buildx build .', key: 'image', label: ':docker: Image', durationMs: 63 * second },
  ],
  mobile: [
    { command: 'bundle exec pod install', key: 'pods', label: ':coffee: Pods', queue: 'mac', durationMs: 33 * second },
    { wait: true },
    {
      group: ':iphone: iOS',
      key: 'ios',
      steps: [
        {
          command: 'xcodebuild test',
          key: 'ios-test',
          label: ':apple: iOS tests',
          queue: 'mac',
          durationMs: 210 * second,
        },
        {
          command: 'xcodebuild archive',
          key: 'ios-archive',
          label: ':package: Archive',
          queue: 'mac',
          durationMs: 160 * second,
        },
      ],
    },
    { command: './gradlew test', key: 'android-test', label: ':android: Android tests', durationMs: 170 * second },
  ],
  infra: [
    { command: 'terraform plan', key: 'plan', label: ':terraform: Plan', durationMs: 40 * second },
    { wait: true },
    { command: 'terraform apply -auto-approve', key: 'apply', label: ':terraform: Apply', durationMs: 55 * second },
    { wait: true },
    {
      trigger: 'web',
      key: 'smoke',
      label: ':globe_with_meridians: Smoke test the site',
      build: { branch: 'main', message: 'Smoke test after infrastructure change', env: { SUITE: 'smoke' } },
    },
    { wait: true },
    {
      trigger: 'web',
      key: 'warm',
      label: ':fire: Warm caches',
      async: true,
      build: { branch: 'main', message: 'Warm caches after infrastructure change' },
    },
  ],
  docs: [
    { command: 'vale docs', key: 'prose', label: ':pencil: Prose', branches: '!gh-pages', durationMs: 24 * second },
    { command: 'pnpm docs:build', key: 'site', label: ':book: Site', branches: '!gh-pages', durationMs: 47 * second },
    { wait: true, continueOnFailure: true },
    {
      command: './comment-preview',
      key: 'preview',
      label: ':link: Preview link',
      branches: '!gh-pages',
      durationMs: 11 * second,
    },
  ],
  nightly: [
    {
      command: 'make end-to-end',
      key: 'e2e',
      label: ':chrome: End to end on {{matrix.browser}}',
      matrix: { browser: ['chromium', 'firefox', 'webkit'] },
      durationMs: 540 * second,
    },
    { command: 'make load-test', key: 'load', label: ':chart_with_upwards_trend: Load test', durationMs: 900 * second },
    { wait: true },
    { command: 'make report', key: 'report', label: ':mailbox: Report', durationMs: 30 * second },
  ],
} as const satisfies Readonly<Record<string, readonly Step[]>>

export type PipelineSlug = keyof typeof steps

const names: Readonly<Record<PipelineSlug, string>> = {
  web: 'Web',
  api: 'API',
  mobile: 'Mobile',
  infra: 'Infrastructure',
  docs: 'Docs',
  nightly: 'Nightly',
}

/** Where the numbers of a pipeline stood before the seed's first build. */
export const lastNumbers: Readonly<Record<PipelineSlug, number>> = {
  web: 812,
  api: 641,
  mobile: 318,
  infra: 204,
  docs: 467,
  nightly: 365,
}

export const makePipelines = (
  context: SeedContext,
  organization: OrganizationRecord,
  created_at: string,
): Readonly<Record<PipelineSlug, PipelineRecord>> => {
  const make = (slug: PipelineSlug, more: Partial<PipelineRecord> = {}) =>
    pipelineRecord(context, organization, { slug, name: names[slug], steps: steps[slug], created_at, ...more })
  return {
    web: make('web'),
    api: make('api'),
    mobile: make('mobile'),
    infra: make('infra'),
    docs: make('docs', { skip_queued_branch_builds: true, skip_queued_branch_builds_filter: '!main' }),
    nightly: make('nightly'),
  }
}
