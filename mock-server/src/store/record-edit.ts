import { changedJobs } from '../domain/job-list.js'
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

/**
 * One job of a build: changed where it stands, or new at that place. Edits are made in their order.
 */
const jobEdit = object({ at: integer(), set: maybe(plain), add: maybe(jobField) })
type JobEdit = Accepted<typeof jobEdit>

/** What a version of a record changes in the one before. */
export const editKeys = { set: maybe(plain), jobs: maybe(list(jobEdit)) }
interface RecordEdit {
  readonly set: ChangedFields
  readonly jobs?: readonly JobEdit[]
}

/**
 * What leads from one version of a record to another; null when only the whole record can say it.
 */
export function editOf(before: AnyRecord, after: AnyRecord): RecordEdit | null {
  const set = changedFields(before, after)
  if (set === null) return null
  if (!('jobs' in set)) return { set }
  const { jobs: _, ...others } = set
  const jobs = jobEdits((before as BuildRecord).jobs, (after as BuildRecord).jobs)
  return jobs === null ? null : { set: others, jobs }
}

/** Keys with another value; null when a key is gone. */
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
    // One that is gone, or stands elsewhere.
    if (left < gone.length) return null
  }
  return edits
}

/** Makes an edit in a record that nobody else holds; false when it does not fit. */
export function applyEdit(
  collection: Collection,
  record: AnyRecord,
  { set, jobs }: RecordEdit,
): boolean {
  const { id } = record
  Object.assign(record, set)
  // The jobs of a build are checked where they change.
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
