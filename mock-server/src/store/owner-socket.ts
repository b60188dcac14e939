import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The longest path of a socket in bytes: longer paths are cut by the kernel, at 108 bytes on Linux
 * and 104 elsewhere, with the zero at the end.
 */
export const longestSocketPath = 103
/**
 * Connections that wait while an owner is stopped. A connection beyond this limit is refused, as if
 * the owner had ended, so the limit is high.
 */
const backlog = 4_096

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/** A connection, or the system's code for why there is none. */
export function connectTo(path: string): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => resolve(socket))
    socket.on('error', (error) => resolve(codeOf(error) ?? error.message))
  })
}

/**
 * Listens without keeping the process alive. Returns a function that closes the server and every
 * connection. @throws the system's error
 */
export async function listenAt(path: string): Promise<() => Promise<void>> {
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('error', () => undefined).on('close', () => connections.delete(socket))
    socket.unref().resume()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, backlog }, resolve)
  })
  server.unref().on('error', () => undefined)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of connections) socket.destroy()
    })
}

/**
 * Waits until the other end closes the connection, or until the signal aborts. False, and the
 * connection is closed, if there is no signal or it is aborted already.
 */
export async function waitUntilClosed(
  connection: Socket,
  patience: AbortSignal | undefined,
): Promise<boolean> {
  if (patience === undefined || patience.aborted) {
    connection.destroy()
    return false
  }
  const stop = () => void connection.destroy()
  patience.addEventListener('abort', stop, { once: true })
  await new Promise((resolve) => connection.once('close', resolve).resume())
  patience.removeEventListener('abort', stop)
  return true
}

interface ShortPath {
  readonly path: string
  remove(): Promise<void>
}

/**
 * A path of the directory that is short enough for this socket name: the directory itself, or a
 * temporary link to it. Null if no temporary directory can be written.
 */
export async function shortPathOf(directory: string, socket: string): Promise<ShortPath | null> {
  const fits = (path: string) => Buffer.byteLength(join(path, socket)) <= longestSocketPath
  if (fits(directory)) return { path: directory, remove: () => Promise.resolve() }
  const target = await realpath(directory)
  for (const base of new Set([tmpdir(), '/tmp'])) {
    const temporary = fits(join(base, 'bw-123456', 'd'))
      ? await mkdtemp(join(base, 'bw-')).catch(() => null)
      : null
    if (temporary === null) continue
    const link = join(temporary, 'd')
    await symlink(target, link)
    return { path: link, remove: () => rm(temporary, { recursive: true, force: true }) }
  }
  return null
}
