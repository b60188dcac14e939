import { STATUS_CODES } from 'node:http'

/** What the door refuses by itself, before there is a request: JSON like every other answer, by the same clock. */
export const refusal = (status: number, message: string, now: number) => ({
  status,
  body: JSON.stringify({ message }),
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    Date: new Date(now).toUTCString(),
    Connection: 'close',
  },
})
export type Refusal = ReturnType<typeof refusal>

export const asResponse = ({ status, body, headers }: Refusal): Response => new Response(body, { status, headers })

/** The whole answer as it goes over the wire; that to HEAD tells the length of a body and has none. */
export function asBytes({ status, body, headers }: Refusal, method?: string): Buffer {
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${method === 'HEAD' ? '' : body}`)
}
