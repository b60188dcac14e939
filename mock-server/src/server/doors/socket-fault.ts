import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { systemClock } from '../../base/clock.js'
import type { WireFault } from '../../rules/perform.js'

type BrokenAnswer = Extract<WireFault, { kind: 'socket' }>

/** Plays a fault that no HTTP library would send. Afterwards the connection cannot be used. */
export function playFault(socket: Socket, fault: WireFault, gone: AbortSignal): void {
  if (fault.kind === 'networkError' || fault.socket === 'reset') {
    socket.resetAndDestroy()
  } else if (fault.socket === 'closeEmpty') {
    socket.end()
  } else if (fault.socket === 'randomBytes') {
    socket.end(randomBytes(256))
  } else if (fault.socket === 'stallHeaders') {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n')
  } else {
    void playAnswer(socket, fault, gone).catch(() => socket.destroy())
  }
}

async function playAnswer(socket: Socket, fault: BrokenAnswer, gone: AbortSignal): Promise<void> {
  const body = Buffer.from(await fault.answer.arrayBuffer())
  const firstHalf = body.subarray(0, body.length >> 1)
  if (fault.socket === 'malformedChunk') {
    socket.write(head(fault.answer, 'Transfer-Encoding: chunked'))
    socket.end(`${body.length.toString(16)}\r\n${firstHalf.toString()}\r\nnot-hex\r\n`)
    return
  }

  socket.write(head(fault.answer, `Content-Length: ${body.length}`))
  if (fault.socket === 'resetMidBody') {
    socket.write(firstHalf, () => socket.resetAndDestroy())
    return
  }

  const stepMs = 1000 / Math.max(fault.bytesPerSecond, 1)
  for (let at = 0; at < body.length; at++) {
    await systemClock.sleep(stepMs, gone)
    socket.write(body.subarray(at, at + 1))
  }
  socket.end()
}

function head({ status, headers }: Response, framing: string): string {
  const framingNames = ['content-length', 'transfer-encoding', 'connection']
  const lines = [...headers]
    .filter(([name]) => !framingNames.includes(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}${framing}\r\nConnection: close\r\n\r\n`
}
