import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The fault of a session bus. */
export const BUS_FAULTS = ['silent', 'no-hello', 'no-unlock', 'dies', 'locked', 'garbage'] as const
export type BusFault = (typeof BUS_FAULTS)[number]

/** A session bus with a secret service that does as little as its fault permits. */
export interface FaultyBus extends AsyncDisposable {
  /** The value of DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string
  /** The members that were called, in order. */
  readonly calls: readonly string[]
}

/** Listens on its own socket until it is disposed. */
export async function openFaultyBus(fault: BusFault): Promise<FaultyBus> {
  const directory = await mkdtemp(join(tmpdir(), 'bus-'))
  const path = join(directory, 'socket')
  const calls: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    serve(socket, fault, calls)
  })
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(path, resolve))
  return {
    address: `unix:path=${path}`,
    calls,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function serve(socket: Socket, fault: BusFault, calls: string[]): void {
  if (fault === 'silent') return void socket.resume()
  let pending = Buffer.alloc(0)
  let speaks = false
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    while (!speaks && pending.includes('\n')) {
      const end = pending.indexOf('\n')
      const line = pending.subarray(0, end).toString('latin1').replaceAll('\0', '').trim()
      pending = pending.subarray(end + 1)
      if (line.startsWith('AUTH'))
        socket.write(line === 'AUTH' ? 'REJECTED EXTERNAL\r\n' : `OK ${'ab'.repeat(16)}\r\n`)
      else if (line.startsWith('NEGOTIATE')) socket.write('AGREE_UNIX_FD\r\n')
      else if (line === 'BEGIN') speaks = true
      else socket.write('ERROR\r\n')
    }
    for (let call = speaks ? readCall(pending) : null; call !== null; call = readCall(pending)) {
      pending = pending.subarray(call.size)
      calls.push(call.member)
      if (fault === 'no-hello') continue
      if (fault === 'garbage') return void socket.write(Buffer.alloc(4096, 0xa5))
      if (fault === 'dies' && call.member !== 'Hello') return void socket.destroy()
      socket.write(message(call.serial, answerTo(call.member, fault)))
    }
  })
}

interface BusReply {
  readonly signature: string
  readonly body: Buffer
  /** The name of the error, if the reply is an error. */
  readonly error?: string
}

const ITEM = '/org/freedesktop/secrets/collection/login/1'

/** The replies of the secret service: it holds one locked item. */
function answerTo(member: string, fault: BusFault): BusReply {
  const nothing = { signature: '', body: Buffer.alloc(0) }
  switch (member) {
    case 'Hello':
      return { signature: 's', body: text(':1.1') }
    case 'OpenSession':
      return {
        signature: 'vo',
        body: row(variant('ay', row(number(128), Buffer.alloc(128, 0x5a))), text('/session/1')),
      }
    case 'SearchItems':
      return { signature: 'aoao', body: row(list([]), list([ITEM])) }
    case 'ReadAlias':
      return { signature: 'o', body: text('/org/freedesktop/secrets/collection/login') }
    case 'Get':
      return { signature: 'v', body: variant('b', number(1)) }
    case 'Unlock':
      if (fault === 'no-unlock') return { signature: 'aoo', body: row(list([]), text('/prompt/1')) }
      return {
        signature: 's',
        body: text('it is locked'),
        error: 'org.freedesktop.Secret.Error.IsLocked',
      }
    // The dialog is never completed.
    case 'Prompt':
    case 'AddMatch':
    case 'RemoveMatch':
      return nothing
    default:
      return {
        signature: 's',
        body: text('it is locked'),
        error: 'org.freedesktop.Secret.Error.IsLocked',
      }
  }
}

const pad = (size: number, to: number) => Buffer.alloc((to - (size % to)) % to)

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A string or object path. */
function text(value: string): Buffer {
  return Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(`${value}\0`)])
}

/** Values one after the other, each aligned to 4 bytes. */
function row(...parts: readonly Buffer[]): Buffer {
  return parts.reduce(
    (all, part) => Buffer.concat([all, pad(all.length, 4), part]),
    Buffer.alloc(0),
  )
}

function list(paths: readonly string[]): Buffer {
  const items = row(...paths.map(text))
  return Buffer.concat([number(items.length), items])
}

function variant(signature: string, value: Buffer): Buffer {
  const head = Buffer.from(`${String.fromCharCode(signature.length)}${signature}\0`, 'latin1')
  return Buffer.concat([head, pad(head.length, 4), value])
}

/** A method return or an error, little-endian. */
function message(serial: number, { signature, body, error }: BusReply): Buffer {
  const field = (code: number, kind: string, value: Buffer) => {
    const bytes = Buffer.concat([
      Buffer.from(`${String.fromCharCode(code)}\u0001${kind}\0`, 'latin1'),
      value,
    ])
    return Buffer.concat([bytes, pad(bytes.length, 8)])
  }
  const sign = Buffer.concat([
    Buffer.from([8]),
    Buffer.from(`\u0001g\0${String.fromCharCode(signature.length)}${signature}\0`, 'latin1'),
  ])
  const fields = Buffer.concat([
    field(5, 'u', number(serial)),
    ...(error === undefined ? [] : [field(4, 's', text(error))]),
    field(7, 's', text('org.freedesktop.secrets')),
    sign,
  ])
  const start = Buffer.from([0x6c, error === undefined ? 2 : 3, 0, 1])
  const head = Buffer.concat([
    start,
    number(body.length),
    number(serial + 1000),
    number(fields.length),
    fields,
  ])
  return Buffer.concat([head, pad(head.length, 8), body])
}

/** The first complete call in the bytes, or null if there is none yet. */
function readCall(bytes: Buffer): { member: string; serial: number; size: number } | null {
  if (bytes.length < 16) return null
  const fields = bytes.readUInt32LE(12)
  const head = 16 + fields + ((8 - (fields % 8)) % 8)
  const size = head + bytes.readUInt32LE(4)
  if (bytes.length < size) return null
  let at = 16
  let member = ''
  while (at < 16 + fields) {
    at += (8 - (at % 8)) % 8
    const code = bytes[at] ?? 0
    const kind = String.fromCharCode(bytes[at + 2] ?? 0)
    at += 4
    if (kind === 'g') at += (bytes[at] ?? 0) + 2
    else {
      at += (4 - (at % 4)) % 4
      const value = bytes.readUInt32LE(at)
      if (kind === 'u') at += 4
      else {
        if (code === 3) member = bytes.subarray(at + 4, at + 4 + value).toString('latin1')
        at += 4 + value + 1
      }
    }
  }
  return { member, serial: bytes.readUInt32LE(8), size }
}
