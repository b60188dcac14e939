import type { JobRecord } from '../records/records.js'

/** A name of an image or an emoji, as in `:vitest: Unit tests`, with blanks around it. */
const ICON = /(?<!\S):([a-z][a-z0-9_+-]*):(?!\S)/gu

/** A text without the names of images: these pages load none. A name alone stays as a word. */
export function iconless(text: string): string {
  const [first = ''] = text.trim().split(/\s/u, 1)
  const rest = text.trim().slice(first.length).trim()
  const hasIcon = first !== first.replace(ICON, '') && rest !== ''
  return (hasIcon ? rest : text).replace(ICON, '$1')
}

/** The name of a job with its place among parallel jobs: `Unit tests 3/8`. */
export function jobName(job: JobRecord): string {
  const { parallel_group_index: index, parallel_group_total: total } = job
  const name = stepName(job)
  return index === null || total === null ? name : `${name} ${index + 1}/${total}`
}

/** The name that all parallel jobs of a step share. */
export function stepName(job: JobRecord): string {
  return job.type === 'waiter' ? 'Wait' : iconless(job.name ?? job.step_key ?? job.type)
}
