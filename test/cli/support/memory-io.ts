import { Readable } from 'node:stream'
import type { InputStream, Io, OutputStream } from '../../../cli/src/io/io.js'

/** An Io that keeps its output as text. Its stdin is empty unless `stdin` is set. */
export interface MemoryIo extends Io {
  readonly written: { stdout: string; stderr: string }
  /** Sends a signal to all listeners. */
  signal(name: string): void
  readonly exits: number[]
}

export interface MemoryIoOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly home?: string
  /** Columns of a terminal on stdout, stdin and stderr; absent: everything is a pipe. */
  readonly columns?: number
  readonly rows?: number
  /** The terminal shows links. */
  readonly links?: boolean
  readonly stdin?: string
  /** Which streams are terminals when `columns` is given; default all. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[]
}

/** Streams in memory, with an empty environment in an empty home. */
export function memoryIo(options: MemoryIoOptions = {}): MemoryIo {
  const {
    env = {},
    columns,
    rows = 24,
    links = false,
    stdin = '',
    terminals = ['stdin', 'stdout', 'stderr'],
  } = options
  const written = { stdout: '', stderr: '' }
  const listeners = new Map<string, Set<() => void>>()
  const exits: number[] = []
  const isTTY = (name: 'stdin' | 'stdout' | 'stderr') =>
    columns !== undefined && terminals.includes(name)
  const output = (name: 'stdout' | 'stderr'): OutputStream => ({
    isTTY: isTTY(name),
    columns: columns ?? 80,
    rows,
    showsLinks: async () => links,
    async write(text) {
      written[name] +=
        text instanceof Uint8Array ? Buffer.from(text).toString('utf8') : String(text)
    },
  })
  let rest = stdin
  const input: InputStream = {
    isTTY: isTTY('stdin'),
    stream: () => Readable.from(rest),
    async readAll() {
      const all = rest
      rest = ''
      return Buffer.from(all)
    },
    async readLine() {
      if (rest === '') return null
      const [line = ''] = rest.split('\n', 1)
      rest = rest.slice(line.length + 1)
      return line
    },
  }
  return {
    stdin: input,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    cwd: options.cwd ?? '/nowhere',
    home: options.home ?? '/nowhere',
    platform: 'linux',
    pid: 1,
    nodeVersion: '20.19.0',
    written,
    exits,
    onSignal(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
    onUncaught: () => () => undefined,
    exitNow: (code) => void exits.push(code),
    signal(name) {
      for (const listener of listeners.get(name) ?? []) listener()
    },
  }
}
