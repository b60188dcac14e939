import type { CiError } from '@buildwire/sdk'
import type { RunFacts } from '../../io/error-report.js'
import { type Printable, reference, say } from '../../io/printable.js'

interface WriteWords {
  /** The headline when the server refuses the request. */
  readonly refused: string
  /** What the operation makes or starts: if its response is lost, that may exist. */
  readonly made?: string
}

const WRITES: Readonly<Record<string, WriteWords>> = {
  'builds.create': { refused: 'the build was not created', made: 'The build' },
  'builds.cancel': { refused: 'the build was not canceled' },
  'builds.rebuild': { refused: 'the build was not rebuilt', made: 'The build' },
  'builds.retryFailedJobs': { refused: 'the jobs were not retried', made: 'The build' },
  'jobs.retry': { refused: 'the job was not retried', made: 'The new job' },
  'jobs.unblock': { refused: 'the job was not unblocked' },
  'annotations.create': { refused: 'the annotation was not created', made: 'The annotation' },
  'tests.changeLabels': { refused: 'the labels were not changed' },
  'tests.find': { refused: 'the test was not looked up' },
}

/** What was refused, and the server's reason if it gave one. */
export function refusalText(operationId: string, reason?: string): Printable {
  const { refused } = WRITES[operationId] ?? { refused: 'the request was refused' }
  return reason === undefined ? say`${refused}` : say`${refused}: ${reason}`
}

export interface UnknownOutcome {
  readonly lines: readonly Printable[]
  readonly hint: readonly (string | number)[]
}

/** What to say when a request may have made something; null when it made nothing. */
export function unknownOutcome(
  { sent, operationId }: Pick<CiError, 'sent' | 'operationId'>,
  { pipeline }: RunFacts,
): UnknownOutcome | null {
  const made = WRITES[operationId ?? '']?.made
  if (sent !== 'unknown' || made === undefined) return null
  const ofPipeline = pipeline === null ? [] : ['-p', reference(pipeline)]
  const ofBranch = pipeline?.branch === undefined ? [] : ['-b', pipeline.branch]
  return {
    lines: [say`${made} may exist; check before you try again`],
    hint: ['builds', 'list', ...ofPipeline, ...ofBranch, '-L', 5],
  }
}
