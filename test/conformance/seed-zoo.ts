export const job = (state: string, more: object = {}) => ({
  state,
  name: 'unit',
  step_key: 'unit',
  command: 'npm test',
  ...more,
})

const day = (number: number, finished: boolean) => {
  const at = (time: string) => `2026-02-${String(number).padStart(2, '0')}T${time}Z`
  return {
    created_at: at('08:00:00.000'),
    started_at: at('08:00:05.500'),
    ...(finished && { finished_at: at('08:03:00.250') }),
  }
}

/** One build of each lasting state that no build below has, so that every filter finds a build. */
const seldom = [
  { state: 'passed', blocked: true },
  ...'scheduled failing canceling waiting waiting_failed skipped not_run'
    .split(' ')
    .map((state) => ({ state })),
].map((build) => ({ branch: 'main', jobs: [job('passed', { exit_status: 0 })], ...build }))

const often = [
  { state: 'passed', branch: 'main', jobs: [job('passed', { exit_status: 0 })] },
  {
    state: 'failed',
    branch: 'topic/a,b;c d',
    jobs: [job('failed', { exit_status: 1, artifacts: [{ path: 'reports/unit.xml' }] })],
  },
  {
    state: 'passed',
    branch: 'main',
    meta_data: { 'a.key': 'v', flag: true },
    jobs: [
      job('passed', { exit_status: 0 }),
      job('passed', { name: 'lint', step_key: 'lint', exit_status: 0 }),
    ],
  },
  { state: 'canceled', branch: 'dev', jobs: [job('canceled', { exit_status: -1 })] },
  { state: 'running', branch: 'dev', jobs: [job('running', { agent: 'builder-2' })] },
]

const ended = ['passed', 'failed', 'canceled']
const builds = [...seldom, ...often].map((build, at) => ({
  creator: 'robin@acme.example',
  number: at + 1,
  commit: (at + 1).toString(16).repeat(40),
  force: true,
  ...day(at + 1, ended.includes(build.state)),
  ...build,
}))

/**
 * The pipeline that rows for every server read and write. The records that they leave behind change
 * no row that expects the seed.
 */
export const zoo = {
  slug: 'zoo',
  name: 'Zoo',
  steps: [{ command: 'npm test', key: 'unit' }],
  builds,
}
