import type { Control } from '@buildwire/mock-server'
import type { Build, Job } from '@buildwire/sdk/contract'
import {
  type Answered,
  type Asked,
  ask,
  type Row,
  type RowHead,
  row,
  type Target,
} from '../target.js'

/** The states that a job can be sent to. */
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
 * Pipelines of the rows' own beside the seed's, so that writes disturb nobody who knows the seed.
 */
export async function workbench(target: Target, pipeline = 'bench') {
  const { control } = target
  if (control === undefined) throw new Error('this row needs a server that can be steered')
  await control.apply({ organizations: [{ slug: 'acme', pipelines }] } as Parameters<
    typeof control.apply
  >[0])
  const path = `/v2/organizations/acme/pipelines/${pipeline}/builds`
  const builds = (rest = '', asked: Asked = {}): Promise<Answered> =>
    ask(target, `${path}${rest}`, asked)
  return {
    control,
    builds,
    create: async (more: object = {}): Promise<Build> =>
      (await builds('', { method: 'POST', json: { commit: 'HEAD', branch: 'main', ...more } }))
        .json,
    get: async (build: Build, query = ''): Promise<Build> =>
      (await builds(`/${build.number}${query}`)).json,
    put: (build: Build, verb: string, asked: Asked = {}) =>
      builds(`/${build.number}/${verb}`, { method: 'PUT', ...asked }),
    /** Leads the job of a step key through states. */
    async move(build: Build, key: string, ...states: readonly JobState[]): Promise<void> {
      const { json } = await builds(`/${build.number}`)
      const job = json.jobs.find(({ step_key }: Job) => step_key === key)
      for (const state of states) await control.jobs.transition({ job_id: job.id, state })
    },
  }
}

/** States of the jobs that an answer shows. */
export const jobStates = (build: Build): readonly (string | undefined)[] =>
  (build.jobs ?? []).map(({ state }) => state)

export type Bench = Awaited<ReturnType<typeof workbench>>

/** Rows of which each begins at a workbench. */
export const benchRows = (
  told: Readonly<Record<RowHead, (bench: Bench, target: Target) => Promise<void>>>,
): readonly Row[] =>
  Object.entries(told).map(([head, run]) =>
    row('seed', head as RowHead, async (target) => run(await workbench(target), target)),
  )
