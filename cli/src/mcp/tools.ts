import type { Tool } from './tool.js'
import { currentUser } from './tools/current-user.js'
import { failureSummary } from './tools/failure-summary.js'
import { getBuild } from './tools/get-build.js'
import { listAnnotations } from './tools/list-annotations.js'
import { listArtifacts } from './tools/list-artifacts.js'
import { listBuilds } from './tools/list-builds.js'
import { readJobLog } from './tools/read-job-log.js'
import { waitForBuild } from './tools/wait-for-build.js'
import { writes } from './tools/writes.js'

const reads = [
  failureSummary,
  getBuild,
  listBuilds,
  readJobLog,
  listAnnotations,
  listArtifacts,
  waitForBuild,
  currentUser,
]

/** All tools, in the order in which a client lists them. */
export const tools: readonly Tool[] = [...reads, ...writes]
