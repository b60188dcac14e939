import { timestamp } from '../domain/timestamp.js'
import type { BuildRecord, JobRecord, OrganizationRecord, PipelineRecord, Step, UserRecord } from '../store/records.js'
import type { Entry, SeedContext } from './context.js'
import { apiToken, memberOf, pipelineRecord } from './parts.js'

const pipelineCount = 50
const branchCount = 2_000
const creatorCount = 12
const day = 86_400_000

const steps: readonly Step[] = [
  { command: 'make lint', key: 'lint', label: ':lint-roller: Lint' },
  { command: 'make test', key: 'test', label: ':test_tube: Test' },
  { command: 'make package', key: 'package', label: ':package: Package' },
]

/** What the three jobs of a build show; the build's state is what they imply. */
const outcomes: readonly { readonly state: string; readonly jobs: readonly string[] }[] = [
  { state: 'passed', jobs: ['passed', 'passed', 'passed'] },
  { state: 'failed', jobs: ['passed', 'failed', 'passed'] },
  { state: 'canceled', jobs: ['passed', 'canceled', 'canceled'] },
]

/** 77 % passed, 15 % failed, 8 % canceled, spread so that neighbours differ. */
const outcomeOf = (index: number) => outcomes[(index * 37) % 100 < 77 ? 0 : (index * 37) % 100 < 92 ? 1 : 2]

/**
 * N builds over 50 pipelines with 3 jobs each, 2 000 branches (60 % `main`), 12 creators, unique commits, one common
 * and one unique meta_data key: the store at the size that page and write costs are measured at. All have ended.
 */
export function* largeSeed(count: number, context: SeedContext): Generator<Entry> {
  const created_at = timestamp(context.now - 400 * day)
  const organization: OrganizationRecord = {
    id: context.uuid('organization'),
    slug: 'acme',
    name: 'Acme Rockets',
    tokenExchangeEnabled: true,
    jtiRequired: false,
    created_at,
  }
  yield ['organizations', organization]

  const users: UserRecord[] = Array.from({ length: creatorCount }, (_, index) => ({
    id: context.uuid('user'),
    name: `Engineer ${index + 1}`,
    email: `engineer-${index + 1}@acme.example`,
    emailVerified: true,
    active: true,
    created_at,
  }))
  for (const [index, user] of users.entries()) {
    yield ['users', user]
    yield ['members', memberOf(organization, user, index === 0 ? 'admin' : 'member')]
  }

  const pipelines = Array.from({ length: pipelineCount }, (_, index) =>
    pipelineOf(context, organization, index, created_at),
  )
  for (const pipeline of pipelines) yield ['pipelines', pipeline]

  const scopes = [
    'read_builds',
    'write_builds',
    'read_build_logs',
    'read_pipelines',
    'read_user',
    'read_organizations',
    'graphql',
  ]
  for (const [name, granted] of [
    ['admin', scopes],
    ['reader', ['read_builds', 'read_suites']],
  ] as const) {
    yield apiToken(context, {
      name,
      userId: users[0]?.id ?? '',
      scopes: granted,
      organizationIds: [organization.id],
      created_at,
    })
  }

  const shapes = steps.map((step) => ({ step, stepId: context.uuid('step') }))
  const gap = Math.min(60_000, (365 * day) / Math.max(count, 1))
  for (let index = 0; index < count; index += 1) {
    const at = Math.floor(context.now - (count - index) * gap)
    const pipeline = pipelines[index % pipelineCount]
    const user = users[(index * 7) % creatorCount]
    if (pipeline === undefined || user === undefined) return
    yield ['builds', buildOf(context, pipeline, user, shapes, index, at)]
  }
}

type Shape = { readonly step: Step; readonly stepId: string }

function buildOf(
  context: SeedContext,
  pipeline: PipelineRecord,
  user: UserRecord,
  shapes: readonly Shape[],
  index: number,
  at: number,
): BuildRecord {
  const outcome = outcomeOf(index)
  const id = context.uuid('build')
  const created_at = timestamp(at)
  const started_at = timestamp(at + 1_000)
  const ends = shapes.map((_, position) => timestamp(at + 11_000 + position * 10_000))
  const finished_at = ends.at(-1) ?? started_at
  const failed = outcome?.state === 'failed'
  return {
    id,
    organizationId: pipeline.organizationId,
    pipelineId: pipeline.id,
    number: Math.floor(index / pipelineCount) + 1,
    state: outcome?.state ?? 'passed',
    blocked: false,
    cancel_reason: null,
    message: `Change ${index + 1}`,
    commit: commitOf(id),
    branch: branchOf(index),
    env: {},
    source: 'webhook',
    creatorId: user.id,
    author: { name: user.name, email: user.email },
    jobs: shapes.map((shape, position) =>
      jobOf(context, shape, outcome?.jobs[position] ?? 'passed', created_at, started_at, ends[position] ?? finished_at),
    ),
    created_at,
    scheduled_at: created_at,
    started_at,
    failing_at: failed ? (ends[1] ?? null) : null,
    finished_at,
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

function jobOf(
  context: SeedContext,
  shape: Shape,
  state: string,
  created_at: string,
  started_at: string,
  finished_at: string,
): JobRecord {
  const { step, stepId } = shape
  return {
    id: context.uuid('job'),
    type: 'script',
    state,
    name: 'label' in step ? (step.label ?? null) : null,
    step_key: 'key' in step ? (step.key ?? null) : null,
    stepId,
    command: 'command' in step ? step.command : '',
    artifact_paths: '',
    agent_query_rules: [],
    priority: 0,
    queueId: null,
    agent: null,
    soft_failed: false,
    exit_status: state === 'passed' ? 0 : state === 'failed' ? 1 : null,
    signal: null,
    signal_reason: null,
    created_at,
    scheduled_at: created_at,
    runnable_at: created_at,
    started_at: state === 'canceled' ? null : started_at,
    finished_at,
    retried: false,
    retried_in_job_id: null,
    retries_count: null,
    retry_source: null,
    retry_type: null,
    parallel_group_index: null,
    parallel_group_total: null,
    matrix: null,
    signature: null,
    step,
    log: null,
  }
}

/** Six in ten on main; the others go round the remaining branches. */
const branchOf = (index: number): string =>
  index % 5 < 3 ? 'main' : `feature/${((Math.floor(index / 5) * 2 + (index % 5) - 3) % (branchCount - 1)) + 1}`

/** 40 hex digits; unique because the build's id is. */
const commitOf = (id: string): string => {
  const hex = id.replaceAll('-', '')
  return hex + hex.slice(4, 12)
}

function pipelineOf(
  context: SeedContext,
  organization: OrganizationRecord,
  index: number,
  created_at: string,
): PipelineRecord {
  const slug = `service-${String(index + 1).padStart(2, '0')}`
  return pipelineRecord(context, organization, { slug, name: `Service ${index + 1}`, steps, created_at })
}
