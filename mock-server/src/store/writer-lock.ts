import { rename, stat, unlink } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { StoreError } from './errors.js'

/** The kernel cuts longer paths of unix sockets without a word. */
const longestPath = 100

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Where the one writer of a directory listens. */
export function lockPath(directory: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return join('\\\\.\\pipe', `buildwire-${encodeURIComponent(directory)}`)
  const path = join(directory, 'writer.sock')
  if (Buffer.byteLength(path) > longestPath) {
    throw new StoreError(
      'path_too_long',
      `The path ${path} is longer than ${longestPath} bytes; use a shorter directory`,
    )
  }
  return path
}

/**
 * Makes this process the one writer of a directory. The kernel frees the socket when the process ends, however it
 * ends; what a dead owner left is replaced.
 *
 * @throws StoreError `in_use`, naming the owner's pid.
 */
export async function lockWriter(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const server = await listenAt(path)
      return () => new Promise((resolve) => server.close(() => resolve()))
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
    const left = await stat(path).catch(() => undefined)
    const owner = await ownerOf(path)
    if (owner !== null) throw new StoreError('in_use', `The data directory is in use by process ${owner}`)
    await takeAway(path, left?.ino)
  }
  throw new StoreError('in_use', 'The data directory is in use by another process')
}

function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(`${process.pid}`))
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

/** The pid behind the socket; null when nobody is there. */
function ownerOf(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let pid = ''
    const socket = createConnection(path)
    socket.on('data', (data) => {
      pid += data.toString('latin1')
    })
    socket.on('end', () => resolve(pid || 'unknown'))
    socket.on('error', (error) =>
      resolve(codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT' ? null : 'unknown'),
    )
  })
}

/** Removes the socket that was looked at; one that another process made meanwhile goes back to its place. */
async function takeAway(path: string, inode: number | undefined): Promise<void> {
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
    if ((await stat(aside)).ino === inode) await unlink(aside)
    else await rename(aside, path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
