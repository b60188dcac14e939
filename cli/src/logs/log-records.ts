import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { readBounded } from '../io/input.js'
import { bytes, escapeControls, jsonLine, listItem } from '../io/machine.js'
import { jobTitle } from '../views/job.js'
import type { AbsentLog } from './found-log.js'
import { leanMemory } from './lean-memory.js'
import type { LogPart } from './read-log.js'

/** Prints logs as JSON records, one after another; their text is written as it comes. */
export function logRecords({ out, io }: Context) {
  const filtered: object[] = []
  const passed = leanMemory()
  const isLine = out.mode === 'jsonl'
  let count = 0
  const write = (text: string) => io.stdout.write(bytes(text))
  const escaped = (text: string) => write(escapeControls(JSON.stringify(text).slice(1, -1)))

  return {
    /** Prints the record of a job, with an empty text where there is no log. */
    async print(job: Job, part: LogPart | null, absent: AbsentLog | null): Promise<void> {
      const record = {
        job_id: job.id,
        name: jobTitle(job),
        state: job.state ?? null,
        log_absent: absent,
        text: '',
      }
      if (out.jq !== null) {
        const text =
          part === null
            ? ''
            : (await readBounded(part, `the log of ${record.name}`)).toString('utf8')
        const whole = { ...record, text }
        if (isLine) return out.value(whole, () => [])
        filtered.push(whole)
        return
      }
      const json = isLine ? jsonLine(record) : listItem(record)
      const text = json.lastIndexOf('""') + 1
      const start = isLine ? '' : count === 0 ? '[' : ','
      count += 1
      await write(start + json.slice(0, text))
      if (part !== null) {
        const decoder = new TextDecoder()
        for await (const piece of part) {
          await escaped(decoder.decode(piece, { stream: true }))
          passed(piece.byteLength)
        }
        await escaped(decoder.decode())
      }
      await write(json.slice(text))
    },
    async end(): Promise<void> {
      if (isLine) return
      if (out.jq !== null) return out.value(filtered, () => [])
      await write(count === 0 ? '[]\n' : '\n]\n')
    },
  }
}
