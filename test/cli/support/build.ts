import type { Build, Job } from '@buildwire/sdk/contract'
import { painter } from '../../../cli/src/io/color.js'
import { commandLine } from '../../../cli/src/io/printable.js'
import type { ViewOptions } from '../../../cli/src/views/view.js'

/** The server's time in these tests. */
const NOW = Date.parse('2026-11-27T14:28:11Z')

/** The timestamp that is `seconds` before 14:28:11 of 27 November. */
export function ago(seconds: number): string {
  return new Date(NOW - seconds * 1000).toISOString()
}

/** A build as the server sends it, with the fields of a test. */
export function build(fields: Partial<Build> = {}): Build {
  const number = fields.number ?? 4210
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    url: `https://api.example.test/v2/organizations/acme/pipelines/web/builds/${number}`,
    web_url: `https://ci.example.test/acme/web/builds/${number}`,
    number,
    state: 'passed',
    blocked: false,
    message: 'wip',
    commit: '9b1d4e7c02ab9b1d4e7c02ab9b1d4e7c02ab9b1d',
    branch: 'main',
    env: {},
    source: 'webhook',
    creator: null,
    created_at: ago(60),
    scheduled_at: ago(60),
    started_at: null,
    finished_at: null,
    meta_data: {},
    ...fields,
  }
}

/** A user of the sample organization. */
export function user(name: string) {
  return { id: '00000000-0000-4000-8000-0000000000aa', name, email: `${name}@acme.example` }
}

let jobs = 0

/** A script job with the fields of a test. */
export function job(fields: Partial<Job> = {}): Job {
  jobs += 1
  return {
    id: `00000000-0000-4000-9000-${String(jobs).padStart(12, '0')}`,
    type: 'script',
    name: 'Job',
    state: 'passed',
    soft_failed: false,
    exit_status: null,
    ...fields,
  }
}

/** A view of that width at 14:28:11 of 27 November, without colours and links. */
export function view(width: number, looks: Partial<ViewOptions['looks']> = {}): ViewOptions {
  const all = { ascii: false, plain: false, utc: true, paint: painter(false), ...looks }
  return {
    width,
    looks: all,
    now: NOW,
    manyPipelines: false,
    command: commandLine,
    link: (text) => text,
  }
}
