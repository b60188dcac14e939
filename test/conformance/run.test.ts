import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { knownTarget, openTarget } from './adapters.js'
import type { Config } from './config.js'
import { probe } from './probe.js'
import { openRemote, UnreachableError } from './remote.js'
import { details, junit, tap } from './reports.js'
import { rows } from './rows/index.js'
import { needsOf, runRows } from './run.js'
import { type ConformanceRow, NotApplicable, type Target } from './target.js'

const baseUrl = 'https://ci.acme.example'
const portable = rows.filter((row) => !needsOf(row).includes('seed'))

/** A target that answers every request with the same response. */
const monotonous = (status: number, body: string, type = 'application/json'): Target =>
  knownTarget({
    name: 'monotonous',
    baseUrl,
    authUrl: baseUrl,
    webUrl: baseUrl,
    tokens: { admin: 'a', reader: 'b', bare: 'c' },
    send: async () =>
      new Response(body, {
        status,
        headers: { 'content-type': type, date: new Date(0).toUTCString() },
      }),
  })

const passedBy = async (target: Target): Promise<readonly string[]> =>
  (await runRows(target, portable, new Map()))
    .filter(({ outcome }) => outcome === 'passed')
    .map(({ row }) => row.id)

describe('a server that always sends the same response', () => {
  it.each([400, 401, 403, 404, 422, 500])('passes no row with %i', async (status) => {
    for (const body of ['', '[]', '{"message":"No"}'])
      expect(await passedBy(monotonous(status, body))).toEqual([])
  })

  it.each([
    ['text/html', '<p>Welcome</p>'],
    ['application/json', '{}'],
  ])('passes rows about HEAD alone with 200 and %s %s', async (type, body) => {
    const passed = await passedBy(monotonous(200, body, type))
    expect(passed.filter((id) => !id.endsWith('-HEAD'))).toEqual([])
  })

  it.each(['[]', '[null]'])('with %s passes only rows that accept any list', async (body) => {
    const passed = await passedBy(monotonous(200, body))
    expect(passed.filter((id) => !id.endsWith('-HEAD'))).toEqual(['BE3', 'AB-state-each'])
  })
})

describe('the message of a row', () => {
  const row = (run: ConformanceRow['run']): ConformanceRow => ({
    id: 'X1',
    section: 'api',
    level: 'M',
    title: 'a # b \\ c',
    run,
  })
  const failing = (message: string) =>
    runRows(monotonous(200, ''), [row(() => Promise.reject(new Error(message)))], new Map())

  it('is shown without control characters and valid tokens', async () => {
    const results = await failing(
      'got \u001b[31m{"access_token":"bwua_x","refresh_token": "bwrt_y"}\u0007 <\ud800>\u0000',
    )
    const shown = [details(results), tap(results), junit(results), JSON.stringify(results)].join(
      '\n',
    )
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|bwua_x|bwrt_y/)
    expect(results[0]?.reason).toBe(
      'got {"access_token":"…","refresh_token": "…"}\ufffd <\ud800>\ufffd',
    )
  })

  it('is not a pass if the row found no record to test', async () => {
    const nothing = row(() => Promise.reject(new NotApplicable('no build')))
    expect(await runRows(monotonous(200, ''), [nothing], new Map())).toMatchObject([
      { outcome: 'not applicable', reason: 'no build' },
    ])
  })
})

describe('probes', () => {
  it('find a token with more rights than its name says', async () => {
    const { target, close } = await openTarget('fetch')
    onTestFinished(close)
    const { admin = '' } = target.tokens
    const lacks = await probe({ ...target, tokens: { admin, reader: admin, bare: admin } })
    expect([...lacks.keys()]).toEqual(['reader', 'bare'])
    expect(lacks.get('reader')).toContain('tokens.reader has read_builds write_builds')
  })

  it('without a usable response are missing capabilities with a reason', async () => {
    const lacks = await probe({
      ...monotonous(200, ''),
      send: () => Promise.reject(new Error('other side closed')),
    })
    expect(lacks.get('suite')).toContain('other side closed')
    expect(lacks.has('user')).toBe(false)
  })
})

describe('a server that cannot be judged', () => {
  const config: Config = {
    organization: 'acme',
    pipeline: 'web',
    allowWrites: false,
    tokens: { admin: 'secret-token' },
    applications: {},
  }
  async function serving(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    await new Promise((resolve) => server.once('listening', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const answering = (status: number, type: string, body: string) =>
    serving((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
  const refusal = async (url: string, more: Partial<Config> = {}): Promise<string> => {
    const error: unknown = await openRemote(url, { ...config, ...more }, 300).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(UnreachableError)
    expect(String(error)).not.toContain('secret-token')
    return String(error)
  }

  it.each([
    [
      404,
      'application/json',
      '{"message":"No"}',
      '404 application/json: {"message":"No"}\ndo the address,',
    ],
    [200, 'text/html', '<p>\u001b[1mHi', '200 text/html: <p>Hi\ndo the address,'],
    [200, 'application/json', '{}', '200 application/json: {}'],
    [401, 'application/json', '{}', 'is tokens.admin a token of this server?'],
  ])('answers %i %s %j', async (status, type, body, message) => {
    expect(await refusal(await answering(status, type, body))).toContain(message)
  })

  it('does not answer, closes the connection, or does not exist', async () => {
    expect(await refusal(await serving(() => undefined))).toMatch(
      /builds: no answer within 0\.3 s$/,
    )
    expect(await refusal(await serving(({ socket }) => socket.destroy()))).toContain(
      'other side closed',
    )
    expect(await refusal('http://127.0.0.1:1')).toContain('bad port')
  })

  it('has a control API that refuses the token', async () => {
    const url = await answering(401, 'application/json', '{"message":"Wrong token"}')
    const control = { url: `${url}/_control`, token: 'secret-token' }
    expect(await refusal(url, { control })).toContain(
      'control.sandboxes.create: 401 {"message":"Wrong token"}',
    )
  })
})
