import { blankJob } from '../../mock-server/src/domain/job.js'
import type { BuildRecord, JobRecord, UserRecord } from '../../mock-server/src/records/records.js'

/** A user with the given fields and plausible other fields. */
export const aUser = (fields: Partial<UserRecord> & { id: string }): UserRecord => ({
  name: 'Robin Reyes',
  email: 'robin@acme.example',
  emailVerified: true,
  active: true,
  created_at: '2026-01-01T00:00:00.000Z',
  ...fields,
})

/** A scheduled build of pipeline `p1` in organization `o1`, with the given fields replaced. */
export const aBuild = (
  fields: Partial<BuildRecord> & { id: string; number: number },
): BuildRecord => ({
  organizationId: 'o1',
  pipelineId: 'p1',
  state: 'scheduled',
  blocked: false,
  cancel_reason: null,
  message: 'Change things',
  commit: 'c0ffee',
  branch: 'main',
  env: {},
  source: 'api',
  creatorId: 'u1',
  author: null,
  jobs: [],
  created_at: '2026-03-01T09:00:00.000Z',
  scheduled_at: '2026-03-01T09:00:00.000Z',
  started_at: null,
  failing_at: null,
  finished_at: null,
  meta_data: {},
  pull_request: null,
  rebuiltFrom: null,
  triggeredFrom: null,
  triggerDepth: 0,
  clean_checkout: false,
  lifecycle: null,
  testRuns: [],
  ...fields,
})

/** A script job that waits to run, with the given fields replaced. */
export const aJob = (fields: Partial<JobRecord> & { id: string }): JobRecord => ({
  ...blankJob,
  type: 'script',
  state: 'scheduled',
  name: 'unit',
  step_key: 'unit',
  stepId: 's1',
  command: 'npm test',
  created_at: '2026-03-01T09:00:00.000Z',
  scheduled_at: '2026-03-01T09:00:00.000Z',
  ...fields,
})
