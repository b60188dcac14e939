const job = (state: string, more: object = {}) => ({
  state,
  name: 'unit',
  step_key: 'unit',
  command: 'npm test',
  ...more,
})

const day = (number: number, finished: boolean) => {
  const at = (time: string) => `2026-02-0${number}T${time}Z`
  return {
    created_at: at('08:00:00.000'),
    started_at: at('08:00:05.500'),
    ...(finished && { finished_at: at('08:03:00.250') }),
  }
}

const builds = [
  { number: 1, state: 'passed', branch: 'main', ...day(1, true), jobs: [job('passed', { exit_status: 0 })] },
  { number: 2, state: 'failed', branch: 'topic/a,b;c d', ...day(2, true), jobs: [job('failed', { exit_status: 1 })] },
  {
    number: 3,
    state: 'passed',
    branch: 'main',
    ...day(3, true),
    meta_data: { 'a.key': 'v', flag: true },
    jobs: [job('passed', { exit_status: 0 }), job('passed', { name: 'lint', step_key: 'lint', exit_status: 0 })],
  },
  { number: 4, state: 'canceled', branch: 'dev', ...day(4, true), jobs: [job('canceled', { exit_status: -1 })] },
  { number: 5, state: 'running', branch: 'dev', ...day(5, false), jobs: [job('running', { agent: 'builder-2' })] },
].map((build) => ({ creator: 'robin@acme.example', commit: `${build.number}`.repeat(40), force: true, ...build }))

/** The pipeline that rows for every server read and write: what they leave behind disturbs no row that knows the seed. */
export const zoo = { slug: 'zoo', name: 'Zoo', steps: [{ command: 'npm test', key: 'unit' }], builds }
