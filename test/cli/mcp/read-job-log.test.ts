import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { VirtualClock } from '@buildwire/mock-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readJobLog } from '../../../cli/src/mcp/read-job-log.js'
import { listening } from '../support/server.js'
import { callTool, type ToolCallOptions } from '../support/tool-call.js'

const SECRET = 'bwat_0123456789abcdefghij'
const path = { org_slug: 'acme', pipeline_slug: 'web', number: 1, job_id: 'j1' }
const builds = '/v2/organizations/acme/pipelines/web/builds/1'
const built = `${builds}/jobs/j1/log.txt`

let service: ReturnType<typeof createServer>
let baseUrl: string
/** The paths of the requests for logs. */
let asked: string[]
let job: Record<string, unknown>
/** The logs by path; a log that is null is never sent to its end. */
let logs: Record<string, string>
let isEndless: boolean

function sendLog(
  request: { readonly range?: string | undefined },
  log: Buffer,
  to: ServerResponse,
) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/u.exec(request.range ?? 'bytes=0-') ?? []
  const start = first === '' ? Math.max(0, log.length - Number(last)) : Number(first)
  const type = { 'content-type': 'text/plain' }
  if (request.range === undefined) to.writeHead(200, type)
  else if (start >= log.length && log.length > 0)
    return void to.writeHead(416, { 'content-range': `bytes */${log.length}` }).end()
  else
    to.writeHead(206, {
      ...type,
      'content-range': `bytes ${start}-${log.length - 1}/${log.length}`,
    })
  to.write(log.subarray(start))
  if (!isEndless) to.end()
}

beforeEach(async () => {
  asked = []
  logs = {}
  isEndless = false
  service = createServer((request, response) => {
    const { url = '' } = request
    const record = (status: number, json: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    if (url === `${builds}/jobs/j1`) return void record(200, job)
    asked.push(url)
    const log = logs[url]
    if (log === undefined) return void record(404, { message: 'No log found' })
    sendLog({ range: request.headers.range }, Buffer.from(log), response)
  })
  baseUrl = await listening(service)
  job = { id: 'j1', type: 'script', state: 'failed', started_at: '2026-01-01T00:00:00Z' }
})
afterEach(() => {
  service.closeAllConnections()
  service.close()
})

/** The record of the tool, as a server with or without a pin makes it. */
const read = (input: object, options: Partial<ToolCallOptions> = {}) =>
  callTool(readJobLog, { ...path, ...input }, { baseUrl, secret: SECRET, ...options })

describe('the address of a log', () => {
  test('is the raw_log_url of the job, and without a log there, the job says why', async () => {
    job['raw_log_url'] = `${baseUrl}/raw/7.txt`
    logs['/raw/7.txt'] = 'from the record\n'
    expect((await read({})).lines).toEqual(['from the record'])
    delete logs['/raw/7.txt']
    expect((await read({})).log_absent.reason).toBe('gone')
    expect(asked).toEqual(['/raw/7.txt', '/raw/7.txt'])
  })

  test('is below the pinned pipeline, or that of the operation', async () => {
    logs[built] = 'built\n'
    const below = `${builds}/raw/7.txt`
    logs[below] = 'below\n'
    const away = [
      `${baseUrl}/raw/7.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/docs/builds/1/jobs/j1/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/website/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/../docs/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/%2e%2e/docs/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/..%2fdocs/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/..%5cdocs/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/..%252fdocs/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/..;/docs/log.txt`,
      `${baseUrl}/v2/organizations/acme/pipelines/web/..\\docs/log.txt`,
      `http://other.example${built}`,
      'no address',
    ]
    for (const raw_log_url of away) {
      job['raw_log_url'] = raw_log_url
      expect([raw_log_url, (await read({}, { pinned: true })).lines]).toEqual([
        raw_log_url,
        ['built'],
      ])
    }
    expect(new Set(asked)).toEqual(new Set([built]))
    job['raw_log_url'] = `${baseUrl}${below}`
    expect((await read({}, { pinned: true })).lines).toEqual(['below'])
  })

  test('is not asked for if the job has no log', async () => {
    job['type'] = 'manual'
    expect((await read({})).log_absent.sentence).toBe('A manual job has no log')
    expect(asked).toEqual([])
  })
})

describe('a secret in a log', () => {
  test('is masked before a line is cut', async () => {
    for (const before of [1_975, 1_984, 1_993, 1_999, 2_000]) {
      logs[built] =
        `${'x'.repeat(before)}${SECRET.slice(0, 8)}\u200b${SECRET.slice(8)} ${'y'.repeat(99)}\n`
      for (const input of [{}, { from_byte: 0 }, { search: ['yy'] }])
        expect(JSON.stringify(await read(input))).not.toMatch(/bwat_0/u)
    }
  })

  test('is masked for every byte that an answer begins with', async () => {
    const line = `${'a'.repeat(40)} ${SECRET} end`
    logs[built] = `first\n${line}\nlast\n`
    for (let from_byte = 0; from_byte < line.length + 8; from_byte += 5) {
      const { lines } = await read({ from_byte })
      const expected = `${'a'.repeat(40)} ${'*'.repeat(SECRET.length)} end`
      expect(lines.slice(-2)).toEqual(
        [...(from_byte < line.length + 7 ? [expected] : []), 'last'].slice(-2),
      )
    }
    const giant = `${'a'.repeat(70_000)}${SECRET}${'b'.repeat(2_000_000)}\n`
    logs[built] = giant
    for (const shift of [-30, -10, 0]) {
      // The answer begins 64 KiB before the byte, inside the secret.
      const from_byte = 70_000 + SECRET.length + 65_536 + shift
      const { lines } = await read({ from_byte })
      expect(lines[0]).toMatch(/^…b+…$/u)
    }
  })

  test('is not found by a search for a part of it', async () => {
    logs[built] = `token ${SECRET}\n`
    expect((await read({ search: ['bwat_01'] })).matches).toEqual([])
    expect((await read({ search: ['token'] })).matches[0].text).toMatch(/^token \*+$/u)
  })
})

describe('a search', () => {
  test('finds one of several texts in any case, with the lines around', async () => {
    logs[built] =
      'one\ntwo\nThree Errors\nfour\nfive\nsix\nseven\nWARNING: eight\nnine\nERROR ten\n'
    const { matches, next_byte } = await read({ search: ['error', 'warning'], context_lines: 1 })
    expect(matches).toEqual([
      { byte: 8, text: 'Three Errors', before: ['two'], after: ['four'] },
      { byte: 41, text: 'WARNING: eight', before: ['seven'], after: ['nine'] },
      { byte: 61, text: 'ERROR ten' },
    ])
    expect(next_byte).toBeNull()
    const bare = await read({ search: ['warning'], context_lines: 0 })
    expect(bare.matches).toEqual([{ byte: 41, text: 'WARNING: eight' }])
    expect((await read({ search: ['.*'] })).matches).toEqual([])
  })

  test('cuts a long line around the places, wherever they are in it', async () => {
    const line = `${'x'.repeat(300_000)}first needle${'y'.repeat(900_000)}İ second NEEDLE${'z'.repeat(999)}`
    logs[built] = `${line}\nshort needle\n`
    const { matches } = await read({ search: ['needle'] })
    expect(matches.map(({ byte }: { byte: number }) => byte)).toEqual([
      0,
      expect.any(Number),
      Buffer.byteLength(line) + 1,
    ])
    expect(matches[0].text).toMatch(/^…x{194}first needley{200}…$/u)
    expect(matches[1].text).toMatch(/^…y{191}İ second NEEDLEz{200}…$/u)
    expect(matches[2].text).toBe('short needle')
  })

  test('finds a text that the cut of a giant line divides', async () => {
    for (const at of [1_048_566, 1_048_570, 1_048_575, 1_048_576]) {
      logs[built] = `${'x'.repeat(at)}needle${'y'.repeat(500)}\n`
      expect((await read({ search: ['needle'] })).matches).toHaveLength(1)
    }
  })

  test('continues at next_byte with every match once, whatever fits in an answer', async () => {
    const numbers = Array.from({ length: 60 }, (_, at) => `error ${at} ${'x'.repeat(4 * at)}`)
    logs[built] = numbers.map((line) => `${line}\nplain\n`).join('')
    const found: string[] = []
    for (let from_byte: number | undefined = 0; from_byte !== undefined; ) {
      const answer = await read({ search: ['error'], from_byte }, { maxBytes: 2_000 })
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(2_000)
      found.push(...answer.matches.map(({ text }: { text: string }) => text))
      from_byte = answer.next_byte ?? undefined
    }
    expect(found).toEqual(numbers)
  })
})

test('a line shows what a carriage return drew over if it says that something failed', async () => {
  logs[built] = '10%\rERROR: checksum mismatch\r100%\r\n\ndone\n'
  expect((await read({})).lines).toEqual(['ERROR: checksum mismatch', '100%', '', 'done'])
  expect((await read({ from_byte: 0 })).lines).toEqual([
    'ERROR: checksum mismatch',
    '100%',
    '',
    'done',
  ])
  expect((await read({ search: ['mismatch'] })).matches[0].text).toBe('ERROR: checksum mismatch')
  expect((await read({ search: ['10%'] })).matches[0].text).toBe('10%')
})

test('progress is sent every 5 s while a long log is read', async () => {
  logs[built] = 'line of a log\n'.repeat(100_000)
  const clock = new VirtualClock()
  const messages: string[] = []
  let texts = 0
  const onText = () => {
    texts += 1
    if (texts % 40_000 === 0) void clock.advance(5_000)
  }
  await read({ search: ['nothing'] }, { clock, onText, onProgress: (text) => messages.push(text) })
  expect(messages).toHaveLength(2)
  expect(messages[0]).toMatch(/^\d+ bytes are read$/u)
})

describe('a log that does not end', () => {
  test('is answered after 45 s with what was found, and the byte to go on from', async () => {
    isEndless = true
    logs[built] = 'one error\ntwo\nthree'
    const clock = new VirtualClock()
    const answer = await new Promise((resolve) => {
      // The line that is not over has no text yet.
      const onText = (text: string) => void (text === 'two' && clock.advance(45_000))
      resolve(read({ search: ['error'] }, { clock, onText }))
    })
    expect(answer).toMatchObject({ matches: [{ text: 'one error' }], next_byte: 14 })
  })

  test('of which nothing came is an error that says so', async () => {
    isEndless = true
    logs[built] = 'one'
    const clock = new VirtualClock()
    const answer = read({ from_byte: 0 }, { clock })
    // The second request is for the log.
    await once(service, 'request')
    await once(service, 'request')
    await Promise.all([
      clock.advance(45_000),
      expect(answer).rejects.toThrow('the text did not come within 45 s'),
    ])
  })
})
