import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readlink, realpath, rm, symlink, unlink } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { patiently } from './patience.js'

export { patiently }

export interface Ownership {
  /**
   * Whether this process still is the owner: false once a hand has removed its files, or put others
   * there.
   */
  check(): Promise<boolean>
  /** Frees the name, and wakes all who wait for it. */
  release(): Promise<void>
}

/**
 * Which running system a process belongs to: containers of one machine share the boot, and see each
 * other's sockets.
 */
export interface HostIdentity {
  readonly host: string
  /** Empty where the system does not tell. */
  readonly boot: string
}

export interface OwnerOptions {
  /** Waits for a living owner until this aborts; without it a living owner is an error at once. */
  readonly patience?: AbortSignal
  readonly identity?: HostIdentity
}

/**
 * `held`: a process lives that owns it. `other_host`: another system left it, and may live.
 * `no_sockets`: it cannot be done here.
 */
export class OwnerError extends Error {
  override readonly name = 'OwnerError'
  readonly code: 'held' | 'other_host' | 'no_sockets'

  /** @param message What is in the way, without naming the directory's use: `process 4711`. */
  constructor(code: OwnerError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/**
 * The kernel cuts longer paths of sockets; 108 bytes on Linux, 104 elsewhere, with the zero at the
 * end.
 */
const longestPath = 103
/** Nobody who waits for a stopped owner may be taken for one who found nobody. */
const backlog = 4_096

/** Of whom, and on which system: `writer.4711.1a2b3c4d.5e6f7a8b.9c0d1e2f`. */
const socketName = /^([a-z0-9]+)\.(\d+)\.([0-9a-f]*)\.([0-9a-f]*)\.[0-9a-f]{8}$/

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function shortDigest(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

/**
 * Makes this process the one owner of a name in a directory. `name.N` is a symbolic link to the
 * socket that its owner listens on; the highest N counts. A newcomer asks that socket: it answers
 * while its process lives, a stopped one too, and is refused by the kernel once it has ended,
 * however it ended. Then the newcomer, which listens already, makes `name.N+1` — of several only
 * one can — and looks again, for somebody may have been faster by more than one number. Nobody
 * removes the highest number, so a number never comes again. A clean end removes the socket alone.
 *
 * @throws OwnerError `held`, `other_host`, `no_sockets`; what the system says of a directory that
 * cannot be written.
 * @example
 * const ownership = await own('/var/lib/ci', 'writer')
 */
export async function own(
  directory: string,
  name: string,
  options: OwnerOptions = {},
): Promise<Ownership> {
  if (process.platform === 'win32') return ownPipe(directory, name, options)
  const { identity = thisHost() } = options
  const prefix = /^[a-z]{1,16}$/.test(name) ? name : shortDigest(name)
  const newSocket = () =>
    `${prefix}.${process.pid}.${identity.host}.${identity.boot}.${randomBytes(4).toString('hex')}`
  const near = await nearName(directory, newSocket())
  const place: Place = { directory, near: near.path, name, prefix }
  try {
    for (;;) {
      const number = highestIn(await readdir(directory), name)
      if (number > 0 && !(await isFree(place, number, identity, options.patience))) continue
      const ownership = await claim(place, number + 1, newSocket())
      if (ownership !== null) return ownership
    }
  } finally {
    await near.remove()
  }
}

interface Place {
  readonly directory: string
  /** The same directory under a name that is short enough for sockets. */
  readonly near: string
  readonly name: string
  readonly prefix: string
}

function highestIn(names: readonly string[], name: string): number {
  return Math.max(0, ...names.map((each) => numberOf(each, name)))
}

/** The N of `name.N`, else 0. */
function numberOf(entry: string, name: string): number {
  const rest = entry.startsWith(`${name}.`) ? entry.slice(name.length + 1) : ''
  return /^[1-9]\d{0,14}$/.test(rest) ? Number(rest) : 0
}

/** Whether nobody owns that number. False after a wait: then things have changed. */
async function isFree(
  place: Place,
  number: number,
  identity: HostIdentity,
  patience?: AbortSignal,
): Promise<boolean> {
  const target = await readlink(join(place.directory, `${place.name}.${number}`)).catch(
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EINVAL') return ''
      throw error
    },
  )
  const [, prefix, pid, host, boot] = socketName.exec(target) ?? []
  if (prefix !== place.prefix) return true
  const found = await connectTo(join(place.near, target))
  if (found === 'ENOENT') return true
  if (typeof found !== 'string') return outlast(found, `process ${pid}`, patience)
  // It ended while we asked.
  if (found === 'ECONNRESET') return false
  if (found !== 'ECONNREFUSED' && found !== 'ENOTSOCK')
    throw new OwnerError('held', `process ${pid} (${found})`)
  // A socket of another system is refused too, however alive its process is; one of an earlier boot
  // is not.
  if ((boot === identity.boot && boot !== '') || host === identity.host) return true
  throw new OwnerError('other_host', join(place.directory, target))
}

async function outlast(
  owner: Socket,
  text: string,
  patience: AbortSignal | undefined,
): Promise<false> {
  if (patience === undefined || patience.aborted) {
    owner.destroy()
    throw new OwnerError('held', text)
  }
  const stop = () => void owner.destroy()
  patience.addEventListener('abort', stop, { once: true })
  await new Promise((resolve) => owner.once('close', resolve).resume())
  patience.removeEventListener('abort', stop)
  return false
}

/**
 * Takes a number; null when others were faster. What is left then is nobody's: a number whose
 * socket is gone.
 */
async function claim(place: Place, number: number, socket: string): Promise<Ownership | null> {
  const { directory, name } = place
  const link = join(directory, `${name}.${number}`)
  const close = await listenAt(join(place.near, socket))
  const release = async (): Promise<void> => {
    await unlink(join(directory, socket)).catch(() => undefined)
    await close()
  }
  const check = async (): Promise<boolean> => {
    const names = await readdir(directory)
    if (highestIn(names, name) !== number || !names.includes(socket)) return false
    return (await readlink(link).catch(() => '')) === socket
  }
  try {
    await symlink(socket, link)
    if (await check()) {
      await tidy(place, number, socket)
      return { check, release }
    }
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') {
      await release()
      throw cannot(cause)
    }
  }
  await release()
  return null
}

/** Removes lower numbers, and the sockets of those who ended without a word. */
async function tidy(place: Place, mine: number, socket: string): Promise<void> {
  for (const entry of await readdir(place.directory)) {
    const number = numberOf(entry, place.name)
    const isSocket = entry !== socket && socketName.exec(entry)?.[1] === place.prefix
    const isDead = async (): Promise<boolean> => {
      const found = await connectTo(join(place.near, entry))
      if (typeof found !== 'string') found.destroy()
      return found === 'ECONNREFUSED'
    }
    if ((number > 0 && number < mine) || (isSocket && (await isDead()))) {
      await unlink(join(place.directory, entry)).catch(() => undefined)
    }
  }
}

/** A connection, or the system's word for why there is none. */
function connectTo(path: string): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => resolve(socket))
    socket.on('error', (error) => resolve(codeOf(error) ?? error.message))
  })
}

/** Listens without keeping the process alive; the answer ends that and every connection. */
async function listenAt(path: string): Promise<() => Promise<void>> {
  const connections = new Set<Socket>()
  const server: Server = createServer((socket) => {
    connections.add(socket)
    socket.on('error', () => undefined).on('close', () => connections.delete(socket))
    socket.unref().resume()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannot(cause)))
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
 * What is the directory's own business stays as it is; everything else means that its file system
 * has no sockets.
 */
function cannot(cause: unknown): unknown {
  const code = codeOf(cause)
  const own = [
    'EACCES',
    'EROFS',
    'ENOENT',
    'ENOTDIR',
    'ENOSPC',
    'EDQUOT',
    'EMFILE',
    'ENFILE',
    'EADDRINUSE',
    'EIO',
  ]
  if (code === undefined || own.includes(code)) return cause
  return new OwnerError('no_sockets', `its file system holds no sockets (${code})`, { cause })
}

/**
 * Where the path is too long for a socket: a short link to the directory, which each process makes
 * for itself.
 */
async function nearName(
  directory: string,
  socket: string,
): Promise<{ path: string; remove(): Promise<void> }> {
  const fits = (path: string) => Buffer.byteLength(join(path, socket)) <= longestPath
  if (fits(directory)) return { path: directory, remove: () => Promise.resolve() }
  const target = await realpath(directory)
  for (const base of new Set([tmpdir(), '/tmp'])) {
    const own = fits(join(base, 'bw-123456', 'd'))
      ? await mkdtemp(join(base, 'bw-')).catch(() => null)
      : null
    if (own === null) continue
    await symlink(target, join(own, 'd'))
    return { path: join(own, 'd'), remove: () => rm(own, { recursive: true, force: true }) }
  }
  throw new OwnerError(
    'no_sockets',
    `its path is longer than ${longestPath} bytes, and /tmp cannot be written`,
  )
}

function thisHost(): HostIdentity {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8').trim()
    } catch {
      return ''
    }
  }
  const boot = read('/proc/sys/kernel/random/boot_id')
  return {
    host: shortDigest(read('/etc/machine-id') || hostname()),
    boot: boot === '' ? '' : shortDigest(boot),
  }
}

/** On Windows a pipe has one owner and ends with it. */
async function ownPipe(
  directory: string,
  name: string,
  { patience }: OwnerOptions,
): Promise<Ownership> {
  const place = (await realpath(directory)).toLowerCase()
  const path = `\\\\.\\pipe\\buildwire-${hash('sha256', `${place}\0${name}`).slice(0, 32)}`
  for (;;) {
    try {
      return { check: () => Promise.resolve(true), release: await patiently(() => listenAt(path)) }
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
    const found = await connectTo(path)
    if (typeof found !== 'string') await outlast(found, 'another process', patience)
    else if (found !== 'ENOENT') throw new OwnerError('held', `another process (${found})`)
  }
}
