import { createServer, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listening } from '../support/server.js'
import { workshopOfTest } from '../support/workshop.js'

const shop = workshopOfTest()
let service: ReturnType<typeof createServer>
let baseUrl: string
/** The paths of the requests for logs. */
let asked: string[]
let job: Record<string, unknown>
let build: Record<string, unknown>
/** A log whose size the service does not tell; it ignores ranges. */
let chunkedLog: string
/** Called at each request for the build. */
let onBuild: () => void
const builds = '/v2/organizations/acme/pipelines/web/builds/1'
const built = `${builds}/jobs/j1/log.txt`

function json(response: ServerResponse, status: number, record: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(record))
}

beforeEach(async () => {
  asked = []
  onBuild = () => undefined
  service = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === builds) {
      onBuild()
      return json(response, 200, { ...build, jobs: [job] })
    }
    asked.push(path)
    if (path === '/raw/7.txt')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('from the record\n')
    if (path === '/raw/chunks.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).write(chunkedLog)
      return void response.end()
    }
    json(response, 404, { message: 'No log found' })
  })
  baseUrl = await listening(service)
  job = {
    id: 'j1',
    type: 'script',
    name: 'make',
    state: 'failed',
    started_at: '2026-01-01T00:00:00Z',
  }
  build = { id: 'b1', number: 1, state: 'failed', url: `${baseUrl}${builds}` }
})
afterEach(() => service.close())

const logs = (...flags: string[]) =>
  shop.run(['builds', 'logs', '1', '-p', 'acme/web', ...flags], {
    env: { BUILDWIRE_BASE_URL: baseUrl },
  })

describe('the log of a job', () => {
  test('is read at the raw_log_url of its record', async () => {
    job['raw_log_url'] = `${baseUrl}/raw/7.txt`
    expect(await logs()).toMatchObject({ code: 0, stdout: 'from the record\n' })
    expect((await logs('--tail', '1')).stdout).toBe('from the record\n')
    expect(asked).toEqual(['/raw/7.txt', '/raw/7.txt'])
  })

  test('is read at the address of the operation if the record names another origin', async () => {
    job['raw_log_url'] = 'http://127.0.0.1:9/raw/7.txt'
    expect((await logs()).code).toBe(5)
    expect(asked).toEqual([built])
  })

  test('that does not exist yet, of a running job, is not called gone', async () => {
    job['raw_log_url'] = `${baseUrl}/raw/none.txt`
    job['state'] = 'running'
    const { code, stderr } = await logs()
    expect(code).toBe(5)
    expect(stderr).toContain('make: the job is running, and the service has no log of it yet')
    expect(stderr).toContain('Try: ci builds logs acme/web#1 --job j1 --follow')
  })

  test.each([
    ['the end of its job', () => Object.assign(job, { state: 'failed' })],
    ['the end of its build', () => Object.assign(build, { finished_at: '2026-01-01T00:01:00Z' })],
  ])('that never exists is followed until %s', async (_, end) => {
    job['raw_log_url'] = `${baseUrl}/raw/none.txt`
    job['state'] = 'running'
    let count = 0
    onBuild = () => {
      count += 1
      if (count === 4) end()
    }
    const { code, stderr } = await logs('--follow')
    expect(stderr).toContain('make: the ')
    expect(count).toBe(4)
    expect([0, 1]).toContain(code)
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  test('that got shorter, and has no known size, starts again', async () => {
    Object.assign(job, { raw_log_url: `${baseUrl}/raw/chunks.txt`, state: 'running' })
    chunkedLog = 'one\ntwo\n'
    let count = 0
    onBuild = () => {
      count += 1
      if (count === 3) chunkedLog = 'x\n'
      if (count === 5) job['state'] = 'passed'
    }
    const { code, stdout, stderr } = await logs('--follow')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'one\ntwo\nx\n' })
    expect(stderr.match(/starts again/gu)).toHaveLength(1)
  })
})
