import { SCOPES } from '@buildwire/sdk/contract'
import { newJob } from '../domain/job.js'
import { timestamp } from '../domain/timestamp.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import { commitOf } from './build-request.js'
import type { SeedContext } from './loading.js'
import type { SeedDocument } from './tables.js'

const organization = 'acme'
const branchCount = 2_000
const day = 86_400_000
const since = { created_at: '-400d' } as const

const steps = [
  { command: 'make lint', key: 'lint', label: ':lint-roller: Lint' },
  { command: 'make test', key: 'test', label: ':test_tube: Test' },
  { command: 'make package', key: 'package', label: ':package: Package' },
]

const emails = Array.from({ length: 12 }, (_, index) => `engineer-${index + 1}@acme.example`)
const slugs = Array.from(
  { length: 50 },
  (_, index) => `service-${String(index + 1).padStart(2, '0')}`,
)
const access = { user: emails[0], organizations: [organization], ...since }

/** The document of `large:N`, without its builds. */
export const largeDocument: SeedDocument = {
  users: emails.map((email, index) => ({ email, name: `Engineer ${index + 1}`, ...since })),
  organizations: [
    {
      slug: organization,
      name: 'Acme Rockets',
      members: emails.map((user, index) => ({ user, role: index === 0 ? 'admin' : 'member' })),
      pipelines: slugs.map((slug, index) => ({
        slug,
        name: `Service ${index + 1}`,
        steps,
        ...since,
      })),
      ...since,
    },
  ],
  accessTokens: [
    {
      name: 'admin',
      scopes: SCOPES.filter((scope) => !/suites|write_pipelines/.test(scope)),
      ...access,
    },
    { name: 'reader', scopes: ['read_builds', 'read_suites'], ...access },
  ],
}

const outcomes = [
  { state: 'passed', jobs: ['passed', 'passed', 'passed'] },
  { state: 'failed', jobs: ['passed', 'failed', 'passed'] },
  { state: 'canceled', jobs: ['passed', 'canceled', 'canceled'] },
] as const

const exitStatuses = { passed: 0, failed: 1, canceled: null } as const

/** 77 % passed, 15 % failed, 8 % canceled, in mixed order. */
function outcomeOf(index: number) {
  const percentile = (index * 37) % 100
  if (percentile < 77) return outcomes[0]
  return percentile < 92 ? outcomes[1] : outcomes[2]
}

/** Three of five builds are on main; the others use the remaining branches in turn. */
function branchOf(index: number): string {
  const offset = index % 5
  if (offset < 3) return 'main'
  const nth = Math.floor(index / 5) * 2 + offset - 3
  return `feature/${(nth % (branchCount - 1)) + 1}`
}

/**
 * Makes N ended builds with 3 jobs each, in 50 pipelines, to measure the costs of pages and writes.
 */
export function* largeBuilds(
  count: number,
  state: ReadonlyState,
  context: SeedContext,
): Generator<BuildRecord> {
  const organizationId = state.find('organizationBySlug', organization)?.id ?? ''
  const pipelineIds = slugs.map(
    (slug) => state.find('pipelineBySlug', organizationId, slug)?.id ?? '',
  )
  const users = emails.flatMap((email) => state.find('userByEmail', email) ?? [])
  // Complete jobs: changing a key of a copy needs less memory than adding one.
  const shapes = steps.map((step): JobRecord => {
    const job = newJob({
      id: '',
      type: 'script',
      stepId: context.uuid('step'),
      created_at: '',
      scheduled_at: '',
    })
    return { ...job, name: step.label, step_key: step.key, command: step.command, step }
  })
  const gap = Math.min(60_000, (365 * day) / Math.max(count, 1))
  for (let index = 0; index < count; index += 1) {
    const at = Math.floor(context.now - (count - index) * gap)
    const outcome = outcomeOf(index)
    const id = context.uuid('build')
    const created_at = timestamp(at)
    const started_at = timestamp(at + 1_000)
    const ends = shapes.map((_, position) => timestamp(at + 11_000 + position * 10_000))
    const user = users[(index * 7) % users.length]
    yield {
      id,
      organizationId,
      pipelineId: pipelineIds[index % pipelineIds.length] ?? '',
      number: Math.floor(index / pipelineIds.length) + 1,
      state: outcome.state,
      blocked: false,
      cancel_reason: null,
      message: `Change ${index + 1}`,
      commit: commitOf(id),
      branch: branchOf(index),
      env: {},
      source: 'webhook',
      creatorId: user?.id ?? null,
      author: user ? { name: user.name, email: user.email } : null,
      jobs: shapes.map((shape, position): JobRecord => {
        const ended = outcome.jobs[position] ?? 'passed'
        return {
          ...shape,
          id: context.uuid('job'),
          state: ended,
          exit_status: exitStatuses[ended],
          created_at,
          scheduled_at: created_at,
          runnable_at: created_at,
          started_at: ended === 'canceled' ? null : started_at,
          finished_at: ends[position] ?? null,
        }
      }),
      created_at,
      scheduled_at: created_at,
      started_at,
      failing_at: outcome.state === 'failed' ? (ends[1] ?? null) : null,
      finished_at: ends.at(-1) ?? null,
      meta_data: { team: `team-${index % 5}`, change: `change-${index + 1}` },
      pull_request: null,
      rebuiltFrom: null,
      triggeredFrom: null,
      triggerDepth: 0,
      clean_checkout: false,
      lifecycle: null,
      testRuns: [],
    }
  }
}
