import type { Control } from '@buildwire/mock-server'
import type { Build, Job } from '@buildwire/sdk/contract'
import {
  type ApiRequest,
  type ApiResponse,
  ask,
  type ConformanceRow,
  type RowHead,
  row,
  type Target,
} from '../target.js'

/** The states that the control API can give a job. */
export type JobState = Parameters<Control['jobs']['transition']>[0]['state']

const steps = [
  { command: 'make lint', key: 'lint', softFail: true },
  { command: 'make test', key: 'test' },
  { wait: true },
  { command: 'make ship', key: 'ship' },
] as const

const pipelines = [
  { slug: 'bench', steps: [...steps] },
  {
    slug: 'bench-gated',
    steps: [
      { command: 'a', key: 'a' },
      { block: 'Go?', key: 'go' },
      { command: 'b', key: 'b' },
    ],
  },
  { slug: 'bench-picky', branch_configuration: 'main release/* !release/old', steps: [...steps] },
  { slug: 'bench-frozen', allowRebuilds: false, steps: [...steps] },
  {
    slug: 'bench-newest',
    skip_queued_branch_builds: true,
    cancel_running_branch_builds: true,
    steps: [...steps],
  },
  { slug: 'bench-auto', steps: [{ command: 'a', key: 'a', retry: { automatic: 1 } }] },
  {
    slug: 'bench-wide',
    steps: [
      { command: 'a', key: 'a', parallelism: 3 },
      { command: 'b', key: 'b', matrix: { os: ['linux', 'mac'] } },
      { group: 'G', key: 'group', steps: [{ command: 'c', key: 'c' }] },
    ],
  },
  { slug: 'bench-chain', steps: [{ trigger: 'bench', key: 'go' }] },
]

/**
 * Pipelines for rows that write. They are not in the seed, so that writes do not change the records
 * of the seed.
 */
export async function workbench(target: Target, pipeline = 'bench') {
  const { control } = target
  if (control === undefined) throw new Error('this row needs a server that can be steered')
  await control.apply({ organizations: [{ slug: 'acme', pipelines }] } as Parameters<
    typeof control.apply
  >[0])
  const path = `/v2/organizations/acme/pipelines/${pipeline}/builds`
  const builds = (rest = '', asked: ApiRequest = {}): Promise<ApiResponse> =>
    ask(target, `${path}${rest}`, asked)
  return {
    control,
    builds,
    create: async (more: object = {}): Promise<Build> =>
      (await builds('', { method: 'POST', json: { commit: 'HEAD', branch: 'main', ...more } }))
        .json,
    get: async (build: Build, query = ''): Promise<Build> =>
      (await builds(`/${build.number}${query}`)).json,
    put: (build: Build, verb: string, asked: ApiRequest = {}) =>
      builds(`/${build.number}/${verb}`, { method: 'PUT', ...asked }),
    /** Brings the job of a step key through these states. */
    async move(build: Build, key: string, ...states: readonly JobState[]): Promise<void> {
      const { json } = await builds(`/${build.number}`)
      const job = json.jobs.find(({ step_key }: Job) => step_key === key)
      for (const state of states) await control.jobs.transition({ job_id: job.id, state })
    },
  }
}

/** The states of the jobs in a response. */
export const jobStates = (build: Build): readonly (string | undefined)[] =>
  (build.jobs ?? []).map(({ state }) => state)

export type Workbench = Awaited<ReturnType<typeof workbench>>

/** Rows that each start with a new workbench. */
export const benchRows = (
  checks: Readonly<Record<RowHead, (bench: Workbench, target: Target) => Promise<void>>>,
): readonly ConformanceRow[] =>
  Object.entries(checks).map(([head, run]) =>
    row('seed', head as RowHead, async (target) => run(await workbench(target), target)),
  )
