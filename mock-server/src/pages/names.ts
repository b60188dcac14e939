import { emojify } from '@buildwire/sdk/contract'
import type { JobRecord } from '../records/records.js'
import { loadEmojis } from './parsers.js'

/** A text with emoji for their names, without the names of images: these pages load none. */
export function withEmoji(text: string): string {
  return emojify(text, (name) => {
    const emoji = loadEmojis()[name]
    return typeof emoji === 'string' ? emoji : undefined
  })
}

/** The name of a job with its place among parallel jobs: `Unit tests 3/8`. */
export function jobName(job: JobRecord): string {
  const { parallel_group_index: index, parallel_group_total: total } = job
  const name = stepName(job)
  return index === null || total === null ? name : `${name} ${index + 1}/${total}`
}

/** The name that all parallel jobs of a step share. */
export function stepName(job: JobRecord): string {
  return job.type === 'waiter' ? 'Wait' : withEmoji(job.name ?? job.step_key ?? job.type)
}
