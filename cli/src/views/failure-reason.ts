import { parseTimestamp, promisedFailure, signalReasonWords } from '@buildwire/sdk'
import type { Job } from '@buildwire/sdk/contract'
import { jobTitle, stateWords } from './job.js'

function isHardFailure({ state = '', soft_failed, retried }: Job): boolean {
  const hasFailed = ['failed', 'timed_out', 'expired'].includes(state)
  return hasFailed && soft_failed !== true && retried !== true
}

/**
 * Which job failed first and how, from the records of the jobs: `Unit tests 3/8 failed: exit 1; 2
 * more jobs failed`; else which promised to fail, else which did not run. Null if there is none.
 */
export function failureReason(jobs: readonly Job[] | undefined): string | null {
  const failed = (jobs ?? []).filter(isHardFailure)
  const [first] = failed.sort((one, other) => endOf(one) - endOf(other))
  if (first === undefined) {
    const promised = promisedFailure(jobs)
    if (promised !== undefined)
      return `${jobTitle(promised)} will fail: it promised exit ${promised.promised_exit_status}`
    const broken = jobs?.find(({ state }) => state === 'broken')
    return broken === undefined ? null : `${jobTitle(broken)} ${stateWords(broken)}`
  }
  const { exit_status, signal, signal_reason } = first
  const reason = signal_reason ? signalReasonWords(signal_reason) : null
  const how = reason ?? signal ?? (exit_status ? `exit ${exit_status}` : null)
  const more = failed.length - 1
  return [
    `${jobTitle(first)} ${stateWords(first)}`,
    how ? `: ${how}` : '',
    more === 0 ? '' : `; ${more} more ${more === 1 ? 'job' : 'jobs'} failed`,
  ].join('')
}

/** When a job ended, epoch ms. */
function endOf({ finished_at }: Job): number {
  return parseTimestamp(finished_at) ?? Number.MAX_SAFE_INTEGER
}
