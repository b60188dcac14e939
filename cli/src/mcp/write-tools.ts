import { buildRecord, jobRecord } from './records.js'
import { type Tool, tool } from './tool.js'

/** The tools that `--allow-writes` adds. */
export const writeTools: readonly Tool[] = [
  tool({
    name: 'create_build',
    description: 'Starts a build of a commit on a branch.',
    effect: 'adds',
    operation: 'builds.create',
    takes: [
      'commit',
      'branch',
      'message',
      'env',
      'meta_data',
      'clean_checkout',
      'ignore_pipeline_branch_filters',
    ],
    call: async (params, { ci, signal }) => ({
      record: buildRecord(await ci.builds.create(params, { signal })),
    }),
  }),
  tool({
    name: 'rebuild_build',
    description: 'Starts a new build of the same commit, and returns it.',
    effect: 'adds',
    operation: 'builds.rebuild',
    call: async (params, { ci, signal }) => ({
      record: buildRecord(await ci.builds.rebuild(params, { signal })),
    }),
  }),
  tool({
    name: 'retry_failed_jobs',
    description: 'Runs the failed jobs of a build again, in the same build.',
    effect: 'adds',
    operation: 'builds.retryFailedJobs',
    takes: ['states'],
    async call(params, { ci, signal }) {
      const build = await ci.builds.retryFailedJobs(params, { signal })
      return { record: { ...buildRecord(build), retried_jobs_count: build.retried_jobs_count } }
    },
  }),
  tool({
    name: 'retry_job',
    description: 'Runs one failed job again, and returns the new job.',
    effect: 'adds',
    operation: 'jobs.retry',
    call: async (params, { ci, signal }) => ({
      record: jobRecord(await ci.jobs.retry(params, { signal })),
    }),
  }),
  tool({
    name: 'unblock_job',
    description: 'Unblocks a job, so that its build continues: the next step may be a deployment.',
    effect: 'changes',
    operation: 'jobs.unblock',
    takes: ['fields'],
    call: async (params, { ci, signal }) => ({
      record: jobRecord(await ci.jobs.unblock(params, { signal })),
    }),
  }),
  tool({
    name: 'cancel_build',
    description: 'Cancels a build that has not finished.',
    effect: 'changes',
    operation: 'builds.cancel',
    takes: ['cancel_reason'],
    call: async (params, { ci, signal }) => ({
      record: buildRecord(await ci.builds.cancel(params, { signal })),
    }),
  }),
]
