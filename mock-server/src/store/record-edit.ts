import { changedJobs } from '../domain/job-list.js'
import type { List } from './list.js'
import { jobChecks, recordChecks } from './record-shapes.js'
import type { BuildRecord, Collection, JobRecord, Records } from './records.js'

type AnyRecord = Records[Collection]
type Fields = Readonly<Record<string, unknown>>

/** One job of a build: changed where it stands, or new at that place. Edits are made in their order. */
export type JobEdit = { readonly at: number; readonly set: Fields } | { readonly at: number; readonly add: JobRecord }

/** What a version of a record changes in the one before. */
export interface RecordEdit {
  readonly set: Fields
  readonly jobs?: readonly JobEdit[]
}

/** What leads from one version of a record to another; null when only the whole record can say it. */
export function editOf(before: AnyRecord, after: AnyRecord): RecordEdit | null {
  const set = changedFields(before, after)
  if (set === null) return null
  if (!('jobs' in set)) return { set }
  const { jobs: _, ...others } = set
  const jobs = jobEdits((before as BuildRecord).jobs, (after as BuildRecord).jobs)
  return jobs === null ? null : { set: others, jobs }
}

/** Keys with another value; null when a key is gone. */
function changedFields(before: object, after: object): Fields | null {
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
export function applyEdit(collection: string, record: AnyRecord, { set, jobs = [] }: RecordEdit): boolean {
  if (recordChecks.get(collection)?.part(set) !== true || 'id' in set) return false
  if (!Array.isArray(jobs) || (jobs.length > 0 && collection !== 'builds')) return false
  Object.assign(record, set)
  const list = (record as BuildRecord).jobs as JobRecord[]
  return (jobs as readonly Partial<Extract<JobEdit, { set: Fields }> & Extract<JobEdit, { add: JobRecord }>>[]).every(
    (edit) => {
      if (typeof edit !== 'object' || edit === null) return false
      const { at, add } = edit
      if (!Number.isSafeInteger(at) || at === undefined || at < 0 || at > list.length) return false
      if (add !== undefined) {
        if (!jobChecks.whole(add)) return false
        list.splice(at, 0, add)
        return true
      }
      const job = list[at]
      if (job === undefined || !jobChecks.part(edit.set) || 'id' in (edit.set as object)) return false
      Object.assign(job, edit.set)
      return true
    },
  )
}
