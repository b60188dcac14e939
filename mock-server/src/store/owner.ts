import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readlink, realpath, symlink, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  codeOf,
  connectTo,
  listenAt,
  longestSocketPath,
  shortPathOf,
  waitUntilClosed,
} from './owner-socket.js'
import { patiently } from './patience.js'

export interface Ownership {
  /** False once the files of this owner were removed or replaced by others. */
  check(): Promise<boolean>
  /** Frees the name, and wakes all processes that wait for it. */
  release(): Promise<void>
}

/**
 * The running system that a process belongs to. Containers of one machine share the boot, and see
 * each other's sockets.
 */
export interface HostIdentity {
  readonly host: string
  /** Empty if the system has no boot id. */
  readonly boot: string
}

export interface OwnerOptions {
  /** Waits for a living owner until this aborts. Without it a living owner is an error at once. */
  readonly patience?: AbortSignal
  /** Called for each living owner before the wait for its end. */
  readonly onOwner?: () => void
  readonly identity?: HostIdentity
}

/**
 * `held`: another process owns the name. `other_host`: a process of another system owned it, and may
 * still run. `no_sockets`: the directory cannot hold sockets.
 */
export class OwnerError extends Error {
  override readonly name = 'OwnerError'
  readonly code: 'held' | 'other_host' | 'no_sockets'

  /** @param message The owner or the obstacle, such as `process 4711`. */
  constructor(code: OwnerError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Name, process, host, boot and a random part: `writer.4711.1a2b3c4d.5e6f7a8b.9c0d1e2f`. */
const socketName = /^([a-z0-9]+)\.(\d+)\.([0-9a-f]*)\.([0-9a-f]*)\.[0-9a-f]{8}$/

function shortDigest(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

/**
 * Makes this process the only owner of a name in a directory.
 *
 * `name.N` is a symbolic link to the socket that its owner listens on; the highest N counts. A new
 * process connects to that socket. The connection succeeds while the owner lives, even if it is
 * stopped. Once the owner has ended, in whatever way, the kernel refuses the connection. Then the
 * new process, which already listens, makes `name.N+1`. Only one process can make this link. The
 * winner checks the highest number again, because another process may have made an even higher one.
 * The highest number is never removed, so no number is used twice. A clean end removes only the
 * socket.
 *
 * @throws OwnerError `held`, `other_host`, `no_sockets`; the system's error for a directory that
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
  const short = await shortPathOf(directory, newSocket())
  if (short === null) {
    throw new OwnerError(
      'no_sockets',
      `its path is longer than ${longestSocketPath} bytes, and /tmp cannot be written`,
    )
  }
  const location: LockLocation = { directory, shortPath: short.path, name, prefix }
  try {
    for (;;) {
      const number = highestIn(await readdir(directory), name)
      if (number > 0 && !(await isFree(location, number, identity, options))) continue
      const ownership = await claim(location, number + 1, newSocket())
      if (ownership !== null) return ownership
    }
  } finally {
    await short.remove()
  }
}

interface LockLocation {
  readonly directory: string
  /** The same directory under a path that is short enough for sockets. */
  readonly shortPath: string
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

/**
 * True if the owner of this number has ended. False after a wait for its end: then a newer owner may
 * exist, and the caller has to look again. @throws OwnerError if it is owned
 */
async function isFree(
  location: LockLocation,
  number: number,
  identity: HostIdentity,
  { patience, onOwner }: OwnerOptions,
): Promise<boolean> {
  const link = join(location.directory, `${location.name}.${number}`)
  const target = await readlink(link).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EINVAL') return ''
    throw error
  })
  const [, prefix, pid, host, boot] = socketName.exec(target) ?? []
  if (prefix !== location.prefix) return true

  const connection = await connectTo(join(location.shortPath, target))
  if (typeof connection !== 'string') {
    onOwner?.()
    if (await waitUntilClosed(connection, patience)) return false
    throw new OwnerError('held', `process ${pid}`)
  }
  if (connection === 'ENOENT') return true
  // The owner ended while we connected.
  if (connection === 'ECONNRESET') return false
  if (connection !== 'ECONNREFUSED' && connection !== 'ENOTSOCK')
    throw new OwnerError('held', `process ${pid} (${connection})`)

  // The socket of a living process on another system is refused too. A socket of this host is
  // refused only after its process has ended, even if that was before the last boot.
  const isSameBoot = boot === identity.boot && boot !== ''
  if (isSameBoot || host === identity.host) return true
  throw new OwnerError('other_host', join(location.directory, target))
}

/**
 * Takes a number; null if another process was faster. Then a link to a removed socket may remain,
 * which counts as free.
 */
async function claim(
  location: LockLocation,
  number: number,
  socket: string,
): Promise<Ownership | null> {
  const { directory, name } = location
  const link = join(directory, `${name}.${number}`)
  const close = await listen(join(location.shortPath, socket))
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
      await removeOld(location, number, socket)
      return { check, release }
    }
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') {
      await release()
      throw asOwnerError(cause)
    }
  }
  await release()
  return null
}

/** Removes lower numbers, and sockets of processes that ended without removing them. */
async function removeOld(location: LockLocation, mine: number, socket: string): Promise<void> {
  const isDead = async (entry: string): Promise<boolean> => {
    const connection = await connectTo(join(location.shortPath, entry))
    if (typeof connection !== 'string') connection.destroy()
    return connection === 'ECONNREFUSED'
  }
  for (const entry of await readdir(location.directory)) {
    const number = numberOf(entry, location.name)
    const isLower = number > 0 && number < mine
    const isOtherSocket = entry !== socket && socketName.exec(entry)?.[1] === location.prefix
    if (isLower || (isOtherSocket && (await isDead(entry)))) {
      await unlink(join(location.directory, entry)).catch(() => undefined)
    }
  }
}

function listen(path: string): Promise<() => Promise<void>> {
  return listenAt(path).catch((cause: unknown) => {
    throw asOwnerError(cause)
  })
}

/** Errors that say nothing about sockets. They are thrown as they are. */
const directoryErrors: readonly string[] = [
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

/** Every other error of the system means that the file system of the directory has no sockets. */
function asOwnerError(cause: unknown): unknown {
  const code = codeOf(cause)
  if (code === undefined || directoryErrors.includes(code)) return cause
  return new OwnerError('no_sockets', `its file system holds no sockets (${code})`, { cause })
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

/** On Windows a named pipe has one owner, and it ends with its process. */
async function ownPipe(
  directory: string,
  name: string,
  { patience, onOwner }: OwnerOptions,
): Promise<Ownership> {
  const resolved = (await realpath(directory)).toLowerCase()
  const path = `\\\\.\\pipe\\buildwire-${hash('sha256', `${resolved}\0${name}`).slice(0, 32)}`
  for (;;) {
    try {
      return { check: () => Promise.resolve(true), release: await patiently(() => listen(path)) }
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
    const connection = await connectTo(path)
    if (connection === 'ENOENT') continue
    if (typeof connection === 'string')
      throw new OwnerError('held', `another process (${connection})`)
    onOwner?.()
    if (!(await waitUntilClosed(connection, patience)))
      throw new OwnerError('held', 'another process')
  }
}
