import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import process from 'node:process'
import { CommandError, errorCode, OutputClosedError } from './command-error.js'
import { readBounded } from './input.js'
import type { InputStream, Io, OutputStream } from './io.js'
import { say } from './printable.js'

const MIN_COLUMNS = 40
const MAX_COLUMNS = 500

export function processIo(): Io & { readonly releaseInput: () => void } {
  const env = { ...process.env }
  const forced = Number.parseInt(env.BUILDWIRE_FORCE_TTY ?? '', 10)
  const columns = Number.isSafeInteger(forced) && forced > 0 ? forced : undefined
  const { stdin, releaseInput } = inputStream()
  return {
    stdin,
    releaseInput,
    stdout: outputStream('stdout', columns),
    stderr: outputStream('stderr', columns),
    env,
    cwd: currentDirectory(),
    home: homeDirectory(env.HOME),
    platform: process.platform,
    pid: process.pid,
    nodeVersion: process.versions.node,
    onSignal(signal, listener) {
      process.on(signal, listener)
      return () => void process.off(signal, listener)
    },
    onUncaught(listener) {
      process.on('uncaughtException', listener)
      return () => void process.off('uncaughtException', listener)
    },
    exitNow: (code) => process.exit(code),
  }
}

/** The current directory; if it was removed, the one that the shell still names. */
function currentDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD || '/'
  }
}

/** Never a relative path: the current directory must not decide where a token is stored. */
function homeDirectory(named: string | undefined): string {
  if (named !== undefined && isAbsolute(named)) return named
  try {
    return userInfo().homedir
  } catch {
    // A user id without an account has no home directory.
    return '/nonexistent'
  }
}

function outputStream(name: 'stdout' | 'stderr', forcedColumns: number | undefined): OutputStream {
  const stream = process[name]
  let closed = false
  // Without a listener a closed stream would end the program with an uncaught error.
  const close = () => {
    closed = true
  }
  stream.on('error', close)
  return {
    get isTTY() {
      return forcedColumns !== undefined || stream.isTTY === true
    },
    get columns() {
      return Math.min(Math.max(forcedColumns ?? (stream.columns || 80), MIN_COLUMNS), MAX_COLUMNS)
    },
    get rows() {
      return stream.rows || 24
    },
    async showsLinks() {
      const { createSupportsHyperlinks } = await import('supports-hyperlinks')
      return createSupportsHyperlinks(stream)
    },
    write(output) {
      const text = output instanceof Uint8Array ? output : String(output)
      if (closed) return Promise.reject(new OutputClosedError('the output was closed'))
      if (text.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const fail = (error: unknown) => {
          close()
          // A listener of oclif throws every error but EPIPE when the event comes.
          stream.removeAllListeners('error').on('error', close)
          reject(writeError(name, error, stream.isTTY === true))
        }
        // Writing to a file is synchronous and throws.
        try {
          stream.write(text, (error) => (error == null ? resolve() : fail(error)))
        } catch (error) {
          fail(error)
        }
      })
    },
    onResize(listener) {
      stream.on('resize', listener)
      return () => void stream.off('resize', listener)
    },
    refreshSize() {
      // An undocumented method: without it the size is known only after the next signal.
      if ('_refreshSize' in stream && typeof stream._refreshSize === 'function' && stream.isTTY)
        stream._refreshSize()
    },
  }
}

/** Error codes of a closed reader; other errors, such as a full disk, are reported. */
const READER_LEFT = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

function writeError(name: string, cause: unknown, isTTY: boolean): Error {
  const code = errorCode(cause)
  if (READER_LEFT.has(code) || (isTTY && code === 'EIO'))
    return new OutputClosedError('the output was closed', { cause })
  return new CommandError('unavailable', say`cannot write to ${name} (${code})`, { cause })
}

/** Standard input, opened at its first use: opening it loads parts of Node that help avoids. */
function inputStream(): { readonly stdin: InputStream; readonly releaseInput: () => void } {
  let pending = ''
  let opened: NodeJS.ReadStream | undefined
  const open = () => {
    opened ??= process.stdin
    return opened
  }
  const stdin: InputStream = {
    get isTTY() {
      return open().isTTY === true
    },
    onKeys(listener) {
      const stdin = open()
      const read = (chunk: Buffer) => listener(chunk.toString('utf8'))
      if (stdin.isTTY) stdin.setRawMode(true)
      stdin.on('data', read)
      stdin.resume()
      return () => {
        stdin.off('data', read)
        if (stdin.isTTY) stdin.setRawMode(false)
        stdin.pause()
      }
    },
    stream: open,
    async readAll() {
      return readBounded(open(), 'stdin')
    },
    async readLine() {
      const iterator = open()[Symbol.asyncIterator]()
      for (;;) {
        const end = pending.indexOf('\n')
        if (end !== -1) {
          const line = pending.slice(0, end)
          pending = pending.slice(end + 1)
          open().pause()
          return line.endsWith('\r') ? line.slice(0, -1) : line
        }
        const next = await iterator.next()
        if (next.done) return pending === '' ? null : pending
        pending += String(next.value)
      }
    },
  }
  return { stdin, releaseInput: () => opened?.unref?.() }
}
