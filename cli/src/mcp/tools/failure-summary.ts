import { summarizeFailure } from '@buildwire/sdk'
import { tool } from '../tool.js'

/** `get_build_failure_summary` */
export const failureSummary = tool({
  name: 'get_build_failure_summary',
  description:
    'Why a build failed: what failed first with the log lines that matter, what followed from it, annotations, and since when.',
  effect: 'reads',
  operation: 'builds.get',
  async call(params, { ci, signal, maxBytes }) {
    return { record: { ...(await summarizeFailure(ci, params, { maxBytes, signal })) } }
  },
})
