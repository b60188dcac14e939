import type { Build, Job } from '@buildwire/sdk/contract'

let ids = 0

/** A job as the server sends one, with what a test cares about. */
export function job(fields: Partial<Job> = {}): Job {
  ids += 1
  return { id: `job-${ids}`, type: 'script', name: `Job ${ids}`, state: 'scheduled', soft_failed: false, ...fields }
}

/** A build as the server sends one, with what a test cares about. */
export function build(fields: Partial<Build> = {}): Build {
  return {
    id: '0b4c1c6e-0000-4000-8000-000000004214',
    url: 'https://ci.example.test/v2/organizations/acme/pipelines/web/builds/4214',
    web_url: 'https://ci.example.test/acme/web/builds/4214',
    number: 4214,
    state: 'running',
    blocked: false,
    message: 'Add rate limiting to the upload endpoint',
    commit: '9b1d4e7c02ab9b1d4e7c02ab9b1d4e7c02ab0000',
    branch: 'feat/uploads',
    env: {},
    meta_data: {},
    created_at: '2026-11-27T13:02:00.000Z',
    scheduled_at: '2026-11-27T13:02:00.000Z',
    started_at: '2026-11-27T13:02:11.000Z',
    failing_at: null,
    finished_at: null,
    ...fields,
  }
}
