import { changedJobs } from '../domain/changed-jobs.js'
import { list, maybe, object } from '../fields/composites.js'
import type { Accepted } from '../fields/field.js'
import { integer } from '../fields/scalars.js'
import {
  type BuildRecord,
  type Collection,
  type JobRecord,
  jobField,
  type List,
  plain,
  type Records,
  recordFields,
} from '../records/records.js'

type AnyRecord = Records[Collection]
type ChangedFields = Readonly<Record<string, unknown>>

/** Changes the job at an index (`set`), or inserts a job there (`add`). Edits apply in order. */
const jobEdit = object({ at: integer(), set: maybe(plain), add: maybe(jobField) })
type JobEdit = Accepted<typeof jobEdit>

/** The keys of an edit: what differs between a version of a record and the one before. */
export const editKeys = { set: maybe(plain), jobs: maybe(list(jobEdit)) }
interface RecordEdit {
  readonly set: ChangedFields
  readonly jobs?: readonly JobEdit[]
}

/** The edit that turns one version of a record into another; null if no edit can express it. */
export function editOf(before: AnyRecord, after: AnyRecord): RecordEdit | null {
  const set = changedFields(before, after)
  if (set === null) return null
  if (!('jobs' in set)) return { set }
  const { jobs: _, ...others } = set
  const jobs = jobEdits((before as BuildRecord).jobs, (after as BuildRecord).jobs)
  return jobs === null ? null : { set: others, jobs }
}

/** The keys with another value; null if a key was removed. */
function changedFields(before: object, after: object): ChangedFields | null {
  const set: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(after)) {
    if (value !== Reflect.get(before, key)) set[key] = value
    if (value === undefined) return null
  }
  for (const key in before) if (!(key in after)) return null
  return set
}

function jobEdits(before: List<JobRecord>, after: List<JobRecord>): readonly JobEdit[] | null {
  const edits: JobEdit[] = []
  for (const { at, gone, come } of changedJobs(before, after)) {
    let left = 0
    for (const [n, job] of come.entries()) {
      const old = gone[left]
      if (old?.id !== job.id) {
        edits.push({ at: at + n, add: job })
        continue
      }
      left++
      const set = changedFields(old, job)
      if (set === null) return null
      if (Object.keys(set).length > 0) edits.push({ at: at + n, set })
    }
    // A job was removed or moved.
    if (left < gone.length) return null
  }
  return edits
}

/** Applies an edit to a record in place, before it is shared; false if the edit is not valid. */
export function applyEdit(
  collection: Collection,
  record: AnyRecord,
  { set, jobs }: RecordEdit,
): boolean {
  const { id } = record
  Object.assign(record, set)
  // Of the jobs of a build only the changed ones are checked, in `applyJobEdit`.
  const rest = collection === 'builds' ? { ...record, jobs: [] } : record
  if (record.id !== id || 'jobs' in set || !recordFields[collection].is(rest)) return false
  if (jobs === undefined) return true
  const list = (record as BuildRecord).jobs as JobRecord[]
  return collection === 'builds' && jobs.every((edit) => applyJobEdit(list, edit))
}

function applyJobEdit(list: JobRecord[], { at, add, set }: JobEdit): boolean {
  if (add !== undefined) {
    list.splice(at, 0, add)
    return set === undefined && at >= 0 && list[at] === add
  }
  const job = list[at]
  if (job === undefined || set === undefined) return false
  const { id } = job
  return jobField.is(Object.assign(job, set)) && job.id === id
}
