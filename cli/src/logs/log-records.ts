import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { readBounded } from '../io/input.js'
import { bytes, escapeControls, jsonLine, listItem } from '../io/machine.js'
import { jobTitle } from '../views/job.js'
import type { AbsentLog } from './found-log.js'
import { leanMemory } from './lean-memory.js'
import type { LogPart } from './read-log.js'

/** Prints logs as JSON records, one after another; their text is written as it comes. */
export class LogRecords {
  readonly #context: Context
  readonly #filtered: object[] = []
  readonly #passed = leanMemory()
  #count = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Prints the record of a job, with an empty text where there is no log. */
  async print(job: Job, part: LogPart | null, absent: AbsentLog | null): Promise<void> {
    const { out, io } = this.#context
    const record = { job_id: job.id, name: jobTitle(job), state: job.state ?? null, log_absent: absent, text: '' }
    if (out.jq !== null) {
      const text = part === null ? '' : (await readBounded(part, `the log of ${record.name}`)).toString('utf8')
      const whole = { ...record, text }
      if (out.mode === 'jsonl') return out.value(whole, () => [])
      this.#filtered.push(whole)
      return
    }
    const isLine = out.mode === 'jsonl'
    const json = isLine ? jsonLine(record) : listItem(record)
    const text = json.lastIndexOf('""') + 1
    const start = isLine ? '' : this.#count === 0 ? '[' : ','
    this.#count += 1
    await io.stdout.write(bytes(start + json.slice(0, text)))
    if (part !== null) {
      const decoder = new TextDecoder()
      for await (const piece of part) {
        await this.#escaped(decoder.decode(piece, { stream: true }))
        this.#passed(piece.byteLength)
      }
      await this.#escaped(decoder.decode())
    }
    await io.stdout.write(bytes(json.slice(text)))
  }

  async end(): Promise<void> {
    const { out, io } = this.#context
    if (out.mode === 'jsonl') return
    if (out.jq !== null) return out.value(this.#filtered, () => [])
    await io.stdout.write(bytes(this.#count === 0 ? '[]\n' : '\n]\n'))
  }

  #escaped(text: string): Promise<void> {
    return this.#context.io.stdout.write(bytes(escapeControls(JSON.stringify(text).slice(1, -1))))
  }
}
