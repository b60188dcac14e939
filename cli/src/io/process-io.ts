import { homedir } from 'node:os'
import process from 'node:process'
import { OutputClosedError } from './command-error.js'
import type { InputStream, Io, OutputStream } from './io.js'

const MIN_COLUMNS = 40
const MAX_COLUMNS = 500

/** The real world: this process's streams, environment and signals. */
export function processIo(): Io {
  const env = { ...process.env }
  const forced = Number.parseInt(env.BUILDWIRE_FORCE_TTY ?? '', 10)
  const columns = Number.isSafeInteger(forced) && forced > 0 ? forced : undefined
  return {
    stdin: inputStream(),
    stdout: outputStream(process.stdout, columns),
    stderr: outputStream(process.stderr, columns),
    env,
    cwd: process.cwd(),
    home: env.HOME || homedir(),
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

function outputStream(stream: NodeJS.WriteStream, forcedColumns: number | undefined): OutputStream {
  let closed = false
  // Without a listener a lost reader would end the program by an uncaught error.
  stream.on('error', () => {
    closed = true
  })
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
    write(text) {
      if (closed) return Promise.reject(new OutputClosedError('the output was closed'))
      if (text.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (error == null) return resolve()
          closed = true
          reject(new OutputClosedError('the output was closed', { cause: error }))
        })
      })
    },
    onResize(listener) {
      stream.on('resize', listener)
      return () => void stream.off('resize', listener)
    },
    refreshSize() {
      // Not documented, and so only used where it is there: without it the size lags behind by a signal.
      if ('_refreshSize' in stream && typeof stream._refreshSize === 'function' && stream.isTTY) stream._refreshSize()
    },
  }
}

function inputStream(): InputStream {
  let pending = ''
  return {
    get isTTY() {
      return process.stdin.isTTY === true
    },
    onKeys(listener) {
      const { stdin } = process
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
    async readAll() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
    },
    async readLine() {
      const iterator = process.stdin[Symbol.asyncIterator]()
      for (;;) {
        const end = pending.indexOf('\n')
        if (end !== -1) {
          const line = pending.slice(0, end)
          pending = pending.slice(end + 1)
          process.stdin.pause()
          return line.endsWith('\r') ? line.slice(0, -1) : line
        }
        const next = await iterator.next()
        if (next.done) return pending === '' ? null : pending
        pending += String(next.value)
      }
    },
  }
}
