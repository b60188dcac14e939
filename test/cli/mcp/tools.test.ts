import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tools } from '../../../cli/src/mcp/tools.js'
import { type Assistant, assistant } from '../support/assistant.js'
import { startServer } from '../support/server.js'

const web = { org_slug: 'acme', pipeline_slug: 'web' }
const docs = { org_slug: 'acme', pipeline_slug: 'docs' }

let started: Awaited<ReturnType<typeof startServer>>
let reader: Assistant
let writer: Assistant

beforeAll(async () => {
  started = await startServer()
  ;[reader, writer] = await Promise.all([assistant(started.env), assistant(started.env, ['--allow-writes'])])
})
afterAll(async () => {
  await Promise.all([reader?.client.close(), writer?.client.close()])
  await started?.close()
})
beforeEach(async () => {
  await started.server.control.rules.delete()
  await started.server.control.requests.delete()
})

const asked = async () => (await started.server.control.requests.list()).map(({ operation }) => operation)

/** The newest failed build of a pipeline. */
async function failed(place: object): Promise<number> {
  const { record } = await reader.call('list_builds', { ...place, state: ['failed'], per_page: 1 })
  return record.builds[0].number
}

describe('the list of tools', () => {
  it('has those that read, and with --allow-writes the others; all of it takes 12 kB at most', async () => {
    const names = async ({ client }: Assistant) => (await client.listTools()).tools.map(({ name }) => name)
    const reads = tools.filter(({ effect }) => effect === 'reads').map(({ name }) => name)
    expect(await names(reader)).toEqual(reads)
    expect(await names(writer)).toEqual(tools.map(({ name }) => name))
    expect([reads.length, tools.length]).toEqual([8, 14])
    expect(Buffer.byteLength(JSON.stringify(await writer.client.listTools()))).toBeLessThanOrEqual(12_000)
  })

  it('says of each what it does, and closes its input', async () => {
    const { tools: listed } = await writer.client.listTools()
    const hints = Object.fromEntries(listed.map(({ name, annotations }) => [name, annotations]))
    expect(hints['read_job_log']).toEqual({ readOnlyHint: true })
    expect(hints['retry_job']).toEqual({ readOnlyHint: false, destructiveHint: false })
    expect(hints['cancel_build']).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: true })
    expect(hints['unblock_job']?.destructiveHint).toBe(true)
    for (const { inputSchema } of listed) expect(inputSchema['additionalProperties']).toBe(false)
  })
})

describe('tools that read', () => {
  it('say why a build failed, as `ci why` does', async () => {
    const number = await failed(docs)
    const { record, text } = await reader.call('get_build_failure_summary', { ...docs, number })
    expect(record).toMatchObject({ build: { ...docs, number }, outcome: 'failed' })
    expect(record.problems[0].log.lines).toContain('Exited with status 1')
    expect(JSON.parse(text)).toEqual(record)
  })

  it('list builds of a pipeline, an organization and all, page by page, and follow no link', async () => {
    const { record: first } = await reader.call('list_builds', { ...web, per_page: 2 })
    const { record: second } = await reader.call('list_builds', { ...web, per_page: 2, page: first.next_page })
    expect(first.builds[1].number).toBeGreaterThan(second.builds[0].number)
    await reader.call('list_builds', { org_slug: 'acme' })
    await reader.call('list_builds', {})
    expect(await asked()).toEqual([
      'builds.listForPipeline',
      'builds.listForPipeline',
      'builds.listForOrganization',
      'builds.listForOrganization',
    ])
  })

  it('show a build with what needs a look first, and read its notes, files and log', async () => {
    const number = await failed(web)
    const { record } = await reader.call('get_build', { ...web, number })
    expect(record.jobs[0].state).toBe('failed')
    const job_id: string = record.jobs[0].id
    const { record: notes } = await reader.call('list_annotations', { ...web, number })
    expect(notes.annotations[0]).toMatchObject({ style: 'error', text: expect.stringMatching(/failed/u) })
    const { record: files } = await reader.call('list_artifacts', { ...web, number, job_id })
    expect(files.artifacts[0]).toMatchObject({ job_id, path: expect.any(String) })
    const log = async (input: object) =>
      (await reader.call('read_job_log', { ...web, number, job_id, ...input })).record
    const end = await log({ tail: 2 })
    expect(end.lines.at(-1)).toBe('Exited with status 1')
    const all: string[] = []
    for (let from_byte: number | undefined = 0; from_byte !== undefined; ) {
      const part = await log({ from_byte, max_bytes: 2_000 })
      all.push(...part.lines)
      from_byte = part.next_byte
    }
    expect(all.slice(-2)).toEqual(end.lines)
    const { matches } = await log({ search: 'EXITED WITH' })
    expect(matches).toHaveLength(1)
    expect((await log({ from_byte: matches[0].byte })).lines).toEqual(['Exited with status 1'])
  })

  it('say why a job has no log', async () => {
    const number = await failed(web)
    const { record } = await reader.call('get_build', { ...web, number })
    const waiting = record.jobs.find(({ state }: { state: string }) => state === 'waiting_failed')
    const { record: log } = await reader.call('read_job_log', { ...web, number, job_id: waiting.id })
    expect(log.log_absent.sentence).toBe('A manual job has no log')
  })

  it('tell who one is, also without the scope to read users', async () => {
    expect((await reader.call('current_user')).record).toMatchObject({ user: 'robin@acme.example' })
  })
})

describe('tools that write', () => {
  it('are refused by a server that only reads, and nothing is sent', async () => {
    const { isError, record } = await reader.call('retry_failed_jobs', { ...web, number: 1 })
    expect(isError).toBe(true)
    expect(record.error).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('--allow-writes') })
    expect(await asked()).toEqual([])
  })

  it('start, retry, unblock, rebuild and cancel', async () => {
    const { record: made } = await writer.call('create_build', {
      ...web,
      commit: 'HEAD',
      branch: 'main',
      message: 'Try',
    })
    expect(made).toMatchObject({ ...web, state: 'scheduled', message: 'Try' })
    const at = { ...web, number: made.number }
    expect((await writer.call('cancel_build', { ...at, cancel_reason: 'enough' })).record.state).toMatch(/^cancel/u)
    const { record: again } = await writer.call('rebuild_build', at)
    expect(again.number).toBeGreaterThan(made.number)
    const number = await failed(docs)
    const { record: build } = await writer.call('get_build', { ...docs, number })
    const job_id: string = build.jobs[0].id
    const { record: job } = await writer.call('retry_job', { ...docs, number, job_id })
    expect(job).toMatchObject({ state: 'scheduled', name: build.jobs[0].name })
    const twice = await writer.call('retry_job', { ...docs, number, job_id })
    expect([twice.isError, twice.record.error.code]).toEqual([true, 'unprocessable'])
    const other = await failed(web)
    expect((await writer.call('retry_failed_jobs', { ...web, number: other })).record.retried_jobs_count).toBe(1)
    const { record: blocked } = await writer.call('list_builds', { ...web, state: ['blocked'], per_page: 1 })
    const { record: gate } = await writer.call('get_build', { ...web, number: blocked.builds[0].number })
    expect(gate.jobs[0].unblockable).toBe(true)
    const unblock = { ...web, number: gate.number, job_id: gate.jobs[0].id }
    expect((await writer.call('unblock_job', unblock)).record.state).toBe('unblocked')
  })
})
