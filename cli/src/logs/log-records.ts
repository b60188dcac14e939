import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { readBounded } from '../io/input.js'
import { bytes, escapeControls, jsonLine, listItem } from '../io/machine.js'
import { jobTitle } from '../views/job.js'
import type { AbsentLog } from './found-log.js'
import { leanMemory } from './lean-memory.js'
import type { LogPart } from './read-log.js'

/** Prints logs as JSON records, one after another. Their text is written as it arrives. */
export function logRecords({ out, io }: Context) {
  const recordsForJq: object[] = []
  const collectGarbage = leanMemory()
  const isLine = out.mode === 'jsonl'
  let count = 0
  const write = (text: string) => io.stdout.write(bytes(text))
  const writeEscaped = (text: string) => write(escapeControls(JSON.stringify(text).slice(1, -1)))

  return {
    /** Prints the record of a job; its text is empty without a log. */
    async print(job: Job, part: LogPart | null, absent: AbsentLog | null): Promise<void> {
      const record = {
        job_id: job.id,
        name: jobTitle(job),
        state: job.state ?? null,
        log_absent: absent,
        text: '',
      }
      if (out.jq !== null) {
        const log = part === null ? null : await readBounded(part, `the log of ${record.name}`)
        const wholeRecord = { ...record, text: log?.toString('utf8') ?? '' }
        if (isLine) return out.value(wholeRecord, () => [])
        recordsForJq.push(wholeRecord)
        return
      }
      const json = isLine ? jsonLine(record) : listItem(record)
      const textAt = json.lastIndexOf('""') + 1
      const listStart = count === 0 ? '[' : ','
      count += 1
      await write((isLine ? '' : listStart) + json.slice(0, textAt))
      if (part !== null) {
        const decoder = new TextDecoder()
        for await (const piece of part) {
          await writeEscaped(decoder.decode(piece, { stream: true }))
          collectGarbage(piece.byteLength)
        }
        await writeEscaped(decoder.decode())
      }
      await write(json.slice(textAt))
    },
    async end(): Promise<void> {
      if (isLine) return
      if (out.jq !== null) return out.value(recordsForJq, () => [])
      await write(count === 0 ? '[]\n' : '\n]\n')
    },
  }
}
