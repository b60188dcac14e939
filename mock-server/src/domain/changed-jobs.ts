import type { JobRecord, List } from '../records/records.js'
import { JobList } from './job-list.js'

/** Neighbouring jobs that differ between two versions of a list. */
export interface ChangedJobs {
  /** The index of the first new job in the new list. */
  readonly at: number
  readonly gone: readonly JobRecord[]
  readonly come: readonly JobRecord[]
}

function partsOf(
  jobs: List<JobRecord> | undefined,
): readonly { readonly jobs: readonly JobRecord[] }[] {
  if (jobs === undefined) return []
  if (jobs instanceof JobList) return jobs.parts
  return [{ jobs: jobs as readonly JobRecord[] }]
}

/** The differences between two versions of a list: at most one for each part of the list. */
export function changedJobs(
  before: List<JobRecord> | undefined,
  after: List<JobRecord> | undefined,
): readonly ChangedJobs[] {
  if (before === after) return []
  const old = partsOf(before)
  const parts = partsOf(after)
  if (old.length !== parts.length) return trimmed(0, [...(before ?? [])], [...(after ?? [])])
  const changed: ChangedJobs[] = []
  let at = 0
  for (let n = 0; n < parts.length; n++) {
    const other = old[n]
    const part = parts[n]
    if (other === undefined || part === undefined) break
    if (other !== part) changed.push(...trimmed(at, other.jobs, part.jobs))
    at += part.jobs.length
  }
  return changed
}

/** The difference without the jobs that both share at the beginning and at the end. */
function trimmed(
  at: number,
  gone: readonly JobRecord[],
  come: readonly JobRecord[],
): readonly ChangedJobs[] {
  const least = Math.min(gone.length, come.length)
  let from = 0
  while (from < least && gone[from] === come[from]) from++
  let back = 0
  while (back < least - from && gone.at(-1 - back) === come.at(-1 - back)) back++
  if (gone.length === come.length && from === gone.length) return []
  return [
    {
      at: at + from,
      gone: gone.slice(from, gone.length - back),
      come: come.slice(from, come.length - back),
    },
  ]
}
