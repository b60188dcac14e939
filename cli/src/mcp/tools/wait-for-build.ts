import { watchBuild } from '@buildwire/sdk'
import { buildState } from '../../views/build.js'
import { isFailedJob } from '../../views/job.js'
import { buildRecord, jobRecord } from '../records.js'
import { tool } from '../tool.js'

/** Hosts give up on a tool after a minute where nobody told them otherwise. */
const SECONDS = 50

/** `wait_for_build` */
export const waitForBuild = tool({
  name: 'wait_for_build',
  description:
    'Waits until a build has finished or waits for a person. The outcome `timeout` means that it still runs: call again.',
  effect: 'reads',
  operation: 'builds.get',
  own: {
    until: { enum: ['finished', 'failing', 'started'], default: 'finished' },
    timeout_seconds: { type: 'integer', minimum: 1, maximum: 3600, default: SECONDS },
  },
  async call({ until, timeout_seconds = SECONDS, ...path }, { ci, signal, progress }) {
    const options = { until: until as 'finished' | undefined, timeoutMs: Number(timeout_seconds) * 1000, signal }
    for await (const change of watchBuild(ci, path, options)) {
      if (change.type === 'trouble') await progress(`${change.error.summary}; asking again`)
      if (change.type === 'build') {
        const jobs = (change.build.jobs ?? []).filter(({ type }) => type === 'script')
        const over = jobs.filter(({ finished_at }) => finished_at != null).length
        await progress(`build ${path.number} ${buildState(change.build)}: ${over} of ${jobs.length} jobs are over`)
      }
      if (change.type !== 'finished') continue
      const { build, outcome } = change
      const failed_jobs = (build.jobs ?? []).filter(isFailedJob).map(jobRecord)
      const record = { outcome, ...buildRecord(build, path), failed_jobs }
      return { record, list: { key: 'failed_jobs', advice: 'ask get_build_failure_summary' } }
    }
    throw new RangeError('a watch ended without its last change')
  },
})
