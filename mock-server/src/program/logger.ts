import { Writable } from 'node:stream'
import { systemClock } from '../base/clock.js'
import { escapeControls } from '../base/escape-controls.js'
import type { LogLine } from '../base/log.js'
import { loadPrettyPrinter } from '../base/packages.js'

export interface Logger {
  log(line: LogLine): void
  /** How many lines a slow reader has lost. */
  readonly dropped: number
  /** Resolves when all lines are written, or the reader has closed its end. */
  flush(): Promise<void>
}

/** Characters that may wait for a slow reader; Node itself buffers a pipe without limit. */
const mostWaiting = 1_048_576

/** Writes lines to `output`. It drops whole lines if a slow reader would fill the memory. */
class BoundedStream extends Writable {
  dropped = 0
  #gone = false
  readonly #output: NodeJS.WritableStream

  constructor(output: NodeJS.WritableStream) {
    super({ decodeStrings: false })
    this.#output = output
    // The server continues if the reader closes its end.
    output.on('error', () => {
      this.#gone = true
    })
  }

  override _write(line: string, _encoding: BufferEncoding, done: () => void): void {
    const waiting = (this.#output as Partial<Writable>).writableLength ?? 0
    if (this.#gone || waiting + line.length > mostWaiting) this.dropped++
    else this.#output.write(line)
    done()
  }

  flushed(): Promise<void> {
    if (this.#gone) return Promise.resolve()
    return new Promise((resolve) => {
      this.#output.write('', () => resolve())
    })
  }
}

/** The log of the program as lines on `output`. Without a log nothing is loaded for it. */
export async function createLogger(
  form: 'json' | 'pretty' | 'off',
  output: NodeJS.WritableStream,
): Promise<Logger> {
  if (form === 'off') return { log: () => undefined, dropped: 0, flush: async () => undefined }
  const { pino } = await import('pino')
  const stream = new BoundedStream(output)
  const look = {
    singleLine: true,
    messageFormat: '{msg}{if method} {method} {path} {status}{end}{if bytes} · {bytes} bytes{end}',
    ignore: 'method,path,status,operation,bytes,ip,client_id,accessTokenId',
  }
  const target =
    form === 'pretty'
      ? loadPrettyPrinter()({ destination: stream, colorize: false, sync: true, ...look })
      : stream
  const sink = pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date(systemClock.now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    target,
  )
  return {
    log: ({ level, msg, ...facts }: LogLine) =>
      sink[level](form === 'pretty' ? escaped(facts) : facts, msg),
    get dropped() {
      return stream.dropped
    },
    flush: () => stream.flushed(),
  }
}

function escaped(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, typeof value === 'string' ? escapeControls(value) : value]),
  )
}
