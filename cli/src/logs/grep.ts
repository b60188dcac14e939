import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { joined, type Printable, say } from '../io/printable.js'
import { jobTitle } from '../views/job.js'
import { cleanLines } from './escapes.js'
import { leanMemory } from './lean-memory.js'
import { LineBuffer } from './line-buffer.js'
import { type LogStyle, lineLooks } from './print-log.js'

/** A line of a log, without colours and counted from 1. */
interface NumberedLine {
  readonly number: number
  readonly shown: Printable
}

const LINE_END = say`\n`
const SEPARATOR = say`--\n`

/** A line contains a text; case counts only if the text has a capital letter, as in ripgrep. */
function lineMatcher(text: string): (line: string) => boolean {
  if (text !== text.toLowerCase()) return (line) => line.includes(text)
  return (line) => line.toLowerCase().includes(text)
}

/**
 * Prints the lines of logs that contain a text, and the lines around them; `--` stands between lines
 * that do not follow each other. With `-o jsonl` each matching line is an object. It keeps no more
 * than the lines around one match.
 */
export function grepPrinter(
  context: Context,
  jobs: readonly Job[],
  style: LogStyle & { readonly grep: string },
) {
  const { io, out } = context
  const { around = 0 } = style
  const { logLooks, prefixOf } = lineLooks(context, jobs, style)
  const matches = lineMatcher(style.grep)
  const collectGarbage = leanMemory()
  let buffer = new LineBuffer()
  let number = 0
  let before: NumberedLine[] = []
  /** So many lines are still printed after a match. */
  let after = 0
  let printed: { readonly job: string; readonly number: number } | null = null
  let count = 0

  function add(job: Job, line: NumberedLine, shown: Printable[]): void {
    const follows = printed?.job === job.id && printed.number + 1 === line.number
    if (around > 0 && printed !== null && !follows) shown.push(SEPARATOR)
    shown.push(say`${prefixOf(job)}${line.shown}${LINE_END}`)
    printed = { job: job.id, number: line.number }
  }

  async function search(job: Job, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    const text = new TextDecoder().decode(bytes)
    const plain = cleanLines(text, 'piped')
    const styled = logLooks === 'piped' ? plain : cleanLines(text, logLooks)
    const shown: Printable[] = []
    for (const [at, cleaned] of plain.entries()) {
      number += 1
      const line = { number, shown: styled[at] ?? cleaned }
      if (matches(String(cleaned))) {
        count += 1
        if (out.machine) {
          const { id: job_id } = job
          const match = { job_id, name: jobTitle(job), text: String(cleaned) }
          await out.value(match, () => [], true)
          continue
        }
        for (const earlier of before) add(job, earlier, shown)
        before = []
        add(job, line, shown)
        after = around
      } else if (after > 0) {
        after -= 1
        add(job, line, shown)
      } else if (around > 0) {
        before.push(line)
        if (before.length > around) before.shift()
      }
    }
    if (shown.length > 0) await io.stdout.write(joined(shown))
  }

  return {
    async print(job: Job, bytes: Uint8Array): Promise<void> {
      for (const part of buffer.add(bytes)) await search(job, part)
      collectGarbage(bytes.byteLength)
    },
    async end(job: Job): Promise<void> {
      await search(job, buffer.rest())
      buffer = new LineBuffer()
      number = 0
      before = []
      after = 0
    },
    /** How many lines contained the text. */
    count: () => count,
  }
}
