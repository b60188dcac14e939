import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A connection on which a test writes its own bytes. */
export interface RawSocket {
  write(text: string): Promise<void>
  /**
   * All bytes until the peer closes, or until `count` responses with Content-Length are complete.
   */
  answers(count?: number): Promise<readonly RawAnswer[]>
  close(): void
}

export async function openRaw(port: number): Promise<RawSocket> {
  const socket: Socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) =>
    socket.once('connect', resolve).once('error', reject),
  )
  let received = ''
  let over = false
  let wake: () => void = () => undefined
  socket.setEncoding('latin1')
  socket.on('data', (data) => {
    received += data
    wake()
  })
  for (const event of ['end', 'close', 'error'] as const) {
    socket.on(event, () => {
      over = true
      wake()
    })
  }
  return {
    write: (text) => new Promise((resolve) => socket.write(text, 'latin1', () => resolve())),
    async answers(count = Number.POSITIVE_INFINITY) {
      while (!over && parse(received).length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return parse(received)
    },
    close: () => socket.destroy(),
  }
}

/** The complete responses in the received bytes. */
function parse(received: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = received
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return answers
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    if (rest.length < end + 4 + length) return answers
    answers.push({
      status: Number(head.slice(9, 12)),
      head,
      body: rest.slice(end + 4, end + 4 + length),
    })
    rest = rest.slice(end + 4 + length)
  }
}

/** Writes once and reads until the peer closes. */
export async function exchangeRaw(port: number, text: string): Promise<readonly RawAnswer[]> {
  const socket = await openRaw(port)
  await socket.write(text)
  const answers = await socket.answers()
  socket.close()
  return answers
}
