import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { deviceGrant, encodeForm, exchangeGrant, expectRefusal, expectTokens, startServer } from './harness.js'

const notAForm = 'The request must be a form POST'
const unreadable = 'The request body could not be read'

/** Sends bytes as they are and reads until the server closes. */
const raw = (port: number, bytes: string, { reset = false } = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, () => {
        if (reset) socket.resetAndDestroy()
      })
    })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (reset ? resolve(answer) : reject(error)))
  })

describe('form', () => {
  test.each([
    'application/x-www-form-urlencoded',
    'APPLICATION/x-www-form-urlencoded; charset="UTF-8"',
    'application/X-WWW-Form-Urlencoded;charset=utf-8',
    'application/x-www-form-urlencoded; boundary=whatever',
  ])('FO1 %s is a form', async (contentType) => {
    await using s = await startServer()
    expectTokens(await s.exchange(s.assertion(), {}, { headers: { 'Content-Type': contentType } }))
    s.expectLive(1)
  })

  test.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
    'application/x-www-form-urlencoded; charset=latin1',
    'application/x-www-form-urlencoded, application/json',
    'application/x-www-form-urlencoded2',
  ])('FO2 %j is no form', async (contentType) => {
    await using s = await startServer()
    const assertion = s.assertion()
    expectRefusal(
      await s.exchange(assertion, {}, { headers: { 'Content-Type': contentType } }),
      'invalid_request',
      notAForm,
    )
    s.expectBurnt(0)
    expectTokens(await s.exchange(assertion))
    s.expectLive(1)
  })

  test.each([
    ['a bad escape', '%zz'],
    ['a cut escape', '%a'],
    ['bad UTF-8', '%ff'],
    ['an overlong NUL', '%c0%80'],
    ['a surrogate', '%ed%a0%80'],
    ['NUL', '%00'],
  ])('G3 %s spoils the whole body', async (_name, broken) => {
    await using s = await startServer()
    const form = encodeForm(s.exchangeForm(s.assertion()))
    expectRefusal(await s.token(`${form}&ignored=${broken}`), 'invalid_request', unreadable)
    expectRefusal(await s.token(`${form}&${broken}=ignored`), 'invalid_request', unreadable)
    s.expectLive(0)
    expectTokens(await s.token(form))
  })

  test('FO5 a body over 64 KiB, announced or chunked', async () => {
    await using s = await startServer()
    const form = encodeForm(s.exchangeForm(s.assertion()))
    const padded = `${form}&padding=${'x'.repeat(65_536 - form.length - 9)}`
    const stream = new ReadableStream({
      start(controller) {
        for (const part of [padded, 'y']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answers = [
      await s.token(`${padded}y`),
      await s.call('/oauth/token', { method: 'POST', headers, body: stream, duplex: 'half' }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(413)
      expect(answer.body).toEqual({ error: 'invalid_request', error_description: unreadable })
    }
    s.expectLive(0)
    expectTokens(await s.token(padded))
    s.expectLive(1)
  })

  test('FO5 the connection closes after a body over 64 KiB', async () => {
    await using s = await startServer()
    const { port } = await s.server.listen()
    const head = 'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n11000\r\n${'a'.repeat(0x11000)}\r\n0\r\n\r\n`
    expect(await raw(port, chunked)).toMatch(/^HTTP\/1.1 413 /)
    expect(await raw(port, `${head}Content-Length: 70000\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /)
    s.expectLive(0)
  })

  test('FO6 broken bodies change nothing, and the process serves on', async () => {
    await using s = await startServer()
    const { port } = await s.server.listen()
    const { device_code } = await s.start()
    const body = encodeForm({ grant_type: deviceGrant, client_id: 'public', device_code })
    const head = 'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
    await raw(port, `${head}Content-Length: ${body.length + 10}\r\n\r\n${body}`, { reset: true })
    const both = await raw(port, `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
    expect(both).toMatch(/^HTTP\/1.1 400 /)
    // A poll that had been counted would make this one too early.
    expectRefusal(await s.poll(device_code), 'authorization_pending')
    s.expectLive(0)
  })
})

describe('A10 parameter smuggling', () => {
  test('two Content-Type headers', async () => {
    await using s = await startServer()
    const { port } = await s.server.listen()
    const body = encodeForm({ grant_type: exchangeGrant })
    const answer = await raw(
      port,
      `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Type: application/json\r\n\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain(notAForm)
    s.expectLive(0)
  })

  test('; separates nothing', async () => {
    await using s = await startServer()
    const form = encodeForm(s.exchangeForm(s.assertion(), { audience: undefined }))
    expectRefusal(await s.token(`${form};audience=acme`), 'invalid_request', 'Missing parameter: audience')
    expectTokens(await s.token(`${form}&x=1;scope=nope&audience=acme`), { scope: 'read_builds' })
    s.expectLive(1)
  })
})
