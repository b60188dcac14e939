import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Rule } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { acmeServer, adminToken } from '../../support/control-client.js'

const builds = '/v2/organizations/acme/pipelines/web/builds'
const create = JSON.stringify({ commit: 'HEAD', branch: 'main' })

describe('socket faults on a port', () => {
  /** What arrives on a raw socket, and how the connection ends. */
  const raw = async (port: number, token: string, patienceMs = 3000) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    let ended = 'open'
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => (ended = 'end'))
    socket.on('error', (error: NodeJS.ErrnoException) => (ended = error.code ?? 'error'))
    await once(socket, 'connect')
    socket.write(
      `POST ${builds} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${create.length}\r\n\r\n${create}`,
    )
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([closed, setTimeout(patienceMs, undefined, { ref: false })])
    socket.destroy()
    return { text: Buffer.concat(chunks).toString('latin1'), ended, parts: chunks.length }
  }

  const play = async (action: Rule['actions'][number], patienceMs?: number) => {
    await using server = acmeServer()
    const token = await adminToken(server)
    const { port } = await server.listen()
    await server.control.rules.create({ match: { method: 'POST' }, actions: [action] })
    const seen = await raw(port, token, patienceMs)
    const stored = (await server.control.records.list({ collection: 'builds' })).length
    expect((await server.control.requests.list())[0]).toMatchObject({ outcome: 'faulted' })
    return { ...seen, stored }
  }

  it('reset: nothing but RST', async () => {
    expect(await play({ socket: 'reset' })).toMatchObject({
      text: '',
      ended: 'ECONNRESET',
      stored: 0,
    })
    expect(await play({ socket: 'reset', commit: true })).toMatchObject({
      text: '',
      ended: 'ECONNRESET',
      stored: 1,
    })
  })

  it('closeEmpty: FIN without a byte', async () => {
    expect(await play({ socket: 'closeEmpty' })).toMatchObject({
      text: '',
      ended: 'end',
      stored: 0,
    })
  })

  it('resetMidBody: a true head, half a body', async () => {
    const { text, ended, stored } = await play({ socket: 'resetMidBody' })
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 201 /)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect(body.length).toBeLessThan(length)
    expect(['ECONNRESET', 'open', 'end']).toContain(ended)
    expect(stored).toBe(1)
  })

  it('malformedChunk: a chunk size that is none', async () => {
    const { text } = await play({ socket: 'malformedChunk' })
    expect(text).toMatch(/transfer-encoding: chunked/i)
    expect(text).toContain('not-hex')
  })

  it('randomBytes: no HTTP at all', async () => {
    const { text } = await play({ socket: 'randomBytes' })
    expect(text.length).toBe(256)
    expect(text).not.toMatch(/^HTTP/)
  })

  it('stallHeaders: a head that never ends', async () => {
    const { text, ended } = await play({ socket: 'stallHeaders' }, 150)
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).not.toContain('\r\n\r\n')
    expect(ended).toBe('open')
  })

  it('dripBody: the whole answer, byte by byte', async ({ server, token }) => {
    const { port } = await server.listen()
    await server.control.rules.create({
      match: { method: 'POST' },
      actions: [
        { respond: { status: 200, json: { slow: true } } },
        { socket: 'dripBody', bytesPerSecond: 200 },
      ],
    })
    const { text, ended, parts } = await raw(port, token)
    expect(text).toContain('{"slow":true}')
    expect(parts).toBeGreaterThan(5)
    expect(ended).toBe('end')
  })

  it('leaves the next request alone', async ({ server, token }) => {
    const { url } = await server.listen()
    await server.control.rules.create({ times: 1, actions: [{ socket: 'reset' }] })
    const send = () => fetch(`${url}/v2/builds`, { headers: { authorization: `Bearer ${token}` } })
    await expect(send()).rejects.toThrow()
    expect((await send()).status).toBe(200)
  })
})
