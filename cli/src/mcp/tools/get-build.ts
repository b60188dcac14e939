import { buildRecord, jobRecords } from '../records.js'
import { tool } from '../tool.js'

/** `get_build` */
export const getBuild = tool({
  name: 'get_build',
  description: 'One build with its jobs: those that failed or wait for a person stand first.',
  effect: 'reads',
  operation: 'builds.get',
  takes: ['job_states', 'include_retried_jobs'],
  async call(params, { ci, signal }) {
    const build = await ci.builds.get(params, { signal })
    const record = { ...buildRecord(build, params), jobs: jobRecords(build.jobs) }
    return { record, list: { key: 'jobs', advice: 'ask with job_states' } }
  },
})
