import { artifacts } from '../../views/records.js'
import { pageAnswer, shortRecord } from '../records.js'
import { tool } from '../tool.js'

/** `list_artifacts` */
export const listArtifacts = tool({
  name: 'list_artifacts',
  description: 'Files that the jobs of a build left, or those of one job. `ci artifacts download` fetches them.',
  effect: 'reads',
  operation: 'artifacts.list',
  takes: ['page', 'per_page'],
  own: { job_id: { type: 'string', format: 'uuid' } },
  async call({ job_id, ...params }, { ci, signal }) {
    const page = await (typeof job_id === 'string'
      ? ci.artifacts.listForJob({ ...params, job_id }, { signal })
      : ci.artifacts.list(params, { signal }))
    return pageAnswer('artifacts', page, params.page, (artifact) => shortRecord(artifacts, artifact))
  },
})
