import { operations } from '@buildwire/sdk/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { tools } from '../../../cli/src/mcp/tools.js'
import { type Assistant, assistant } from '../support/assistant.js'
import { runChild } from '../support/child.js'
import { serverOfFile } from '../support/server-of-file.js'

const web = { org_slug: 'acme', pipeline_slug: 'web' }
const docs = { org_slug: 'acme', pipeline_slug: 'docs' }
const ID = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
const HOSTILE = '\u001b]0;pwn\u0007\u001b[2J\u009b3Jred\u202e\u200b\u{e0041}\u0000end'
const INVISIBLE = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/u
const reads = tools.filter(({ effect }) => effect === 'reads')

const started = serverOfFile()
let reader: Assistant
let writer: Assistant

beforeAll(async () => {
  ;[reader, writer] = await Promise.all([
    assistant(started.env),
    assistant(started.env, ['--allow-writes']),
  ])
})
afterAll(async () => {
  await Promise.all([reader?.client.close(), writer?.client.close()])
})
beforeEach(async () => {
  await started.server.control.rules.delete()
  await started.server.control.requests.delete()
})

const requestedOperations = async () =>
  (await started.server.control.requests.list()).map(({ operation }) => operation)
const respond = (
  operation: string,
  json: object,
  status = 200,
  headers: Record<string, string> = {},
) =>
  started.server.control.rules.create({
    match: { operation },
    actions: [{ respond: { status, json, headers } }],
  })

/** The newest build of a pipeline in a state. */
async function newest(place: object, state = 'failed') {
  const { record } = await reader.call('list_builds', { ...place, state: [state], per_page: 1 })
  return (await reader.call('get_build', { ...place, number: record.builds[0].number })).record
}

/** A valid input of a tool. */
const inputOf = ({ name, operation }: (typeof tools)[number], build: object) => ({
  ...(operations[operation].pathParameters.includes('number') ? build : {}),
  ...(operation.startsWith('jobs.') ? { job_id: ID } : {}),
  ...(operation === 'artifacts.download' ? { job_id: ID, artifact_id: ID } : {}),
  ...(name === 'create_build' ? { commit: 'HEAD', branch: 'main' } : {}),
})

it('lists the tools that read, and with --allow-writes the others, in 18 kB and with hints on their effect', async () => {
  const { tools: few } = await reader.client.listTools()
  const { tools: all } = await writer.client.listTools()
  expect(few.map(({ name }) => name)).toEqual(reads.map(({ name }) => name))
  expect(all.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect([few.length, all.length]).toEqual([12, 18])
  expect(Buffer.byteLength(JSON.stringify({ tools: all }))).toBeLessThanOrEqual(18_000)
  const hints = new Map(all.map(({ name, annotations }) => [name, annotations]))
  for (const { name } of few) expect(hints.get(name)).toEqual({ readOnlyHint: true })
  for (const name of ['create_build', 'rebuild_build', 'retry_failed_jobs', 'retry_job'])
    expect(hints.get(name)).toEqual({ readOnlyHint: false, destructiveHint: false })
  for (const name of ['cancel_build', 'unblock_job'])
    expect(hints.get(name)).toEqual({ readOnlyHint: false, destructiveHint: true })
})

it('tools that read report why a build failed, its jobs, annotations and artifacts', async () => {
  const { number, jobs } = await newest(web)
  const { record, text } = await reader.call('get_build_failure_summary', { ...web, number })
  expect(record).toMatchObject({ build: { ...web, number }, outcome: 'failed' })
  expect(record.problems[0].log.lines).toContain('Exited with status 1')
  expect(JSON.parse(text)).toEqual(record)
  const job_id: string = jobs[0].id
  expect([jobs[0].state, job_id]).toEqual(['failed', record.problems[0].id])
  const { record: notes } = await reader.call('list_annotations', { ...web, number })
  expect(notes.annotations[0]).toMatchObject({
    style: 'error',
    text: expect.stringMatching(/failed/u),
  })
  const { record: files } = await reader.call('list_artifacts', { ...web, number, job_id })
  expect(files.artifacts[0]).toMatchObject({ job_id, path: expect.any(String) })
  expect((await reader.call('current_user')).record).toMatchObject({ user: 'robin@acme.example' })
})

it('read_job_log reads a log by its end, from a byte on or by a text, or reports why there is none', async () => {
  const { number, jobs } = await newest(web)
  const log = async (input: object, job_id = jobs[0].id) =>
    (await reader.call('read_job_log', { ...web, number, job_id, ...input })).record
  const end = await log({ tail: 2 })
  expect([end.lines.length, end.lines.at(-1)]).toEqual([2, 'Exited with status 1'])
  const all: string[] = []
  for (let from_byte: number | undefined = 0; from_byte !== undefined; ) {
    const part = await log({ from_byte, max_bytes: 2_000 })
    all.push(...part.lines)
    from_byte = part.next_byte
  }
  expect(all.length).toBeGreaterThan(30)
  expect((await log({ tail: 10_000 })).lines).toEqual(all)
  expect((await log({ from_byte: end.from_byte })).lines).toEqual(end.lines)
  const { matches } = await log({ search: ['no such text', 'EXITED WITH'], context_lines: 1 })
  const before = [all.at(-2)]
  expect(matches).toEqual([{ byte: expect.any(Number), text: 'Exited with status 1', before }])
  expect((await log({ from_byte: matches[0].byte })).lines).toEqual(['Exited with status 1'])
  const manual = jobs.find(({ type }: { type: string }) => type === 'manual')
  expect((await log({}, manual.id)).log_absent.sentence).toBe('A manual job has no log')
})

it('list_builds lists builds of a pipeline, of an organization or of the one in the environment', async () => {
  const { record: first } = await reader.call('list_builds', { ...web, per_page: 2 })
  const { record: second } = await reader.call('list_builds', {
    ...web,
    per_page: 2,
    page: first.next_page,
  })
  expect(first.builds[1].number).toBeGreaterThan(second.builds[0].number)
  await reader.call('list_builds', { org_slug: 'acme' })
  await reader.call('list_builds')
  expect((await requestedOperations()).slice(2)).toEqual([
    'builds.listForOrganization',
    'builds.listForOrganization',
  ])
})

it('a server that only reads refuses tools that write, and sends nothing', async () => {
  for (const tool of tools.filter((each) => !reads.includes(each))) {
    const { isError, record } = await reader.call(tool.name, {
      ...web,
      ...inputOf(tool, { number: 1 }),
    })
    expect([isError, record.error.code, record.error.hint]).toEqual([
      true,
      'forbidden',
      expect.stringContaining('--allow-writes'),
    ])
  }
  expect(await requestedOperations()).toEqual([])
})

it('tools that write start, cancel, rebuild, retry and unblock', async () => {
  const create = { ...web, commit: 'HEAD', branch: 'main', message: 'Try' }
  const { record: made } = await writer.call('create_build', create)
  expect(made).toMatchObject({ ...web, state: 'scheduled', message: 'Try' })
  const at = { ...web, number: made.number }
  expect(
    (await writer.call('cancel_build', { ...at, cancel_reason: 'enough' })).record.state,
  ).toMatch(/^cancel/u)
  expect((await writer.call('rebuild_build', at)).record.number).toBeGreaterThan(made.number)
  const { number, jobs } = await newest(docs)
  const job = { ...docs, number, job_id: jobs[0].id }
  expect((await writer.call('retry_job', job)).record).toMatchObject({
    state: 'scheduled',
    name: jobs[0].name,
  })
  const { isError, record: twice } = await writer.call('retry_job', job)
  expect([isError, twice.error]).toMatchObject([
    true,
    { code: 'unprocessable', message: /not retried/u },
  ])
  const other = await newest(web)
  const { record: retried } = await writer.call('retry_failed_jobs', {
    ...web,
    number: other.number,
  })
  expect(retried.retried_jobs_count).toBe(1)
  const blocked = await newest(web, 'blocked')
  const gate = { ...web, number: blocked.number, job_id: blocked.jobs[0].id }
  expect(blocked.jobs[0].unblockable).toBe(true)
  expect((await writer.call('unblock_job', gate)).record.state).toBe('unblocked')
})

it.each([
  ['of a pipeline', ['-p', 'acme/docs'], 'acme/docs'],
  ['of a pipeline whose organization a variable names', ['-p', 'docs'], 'docs'],
  ['of an organization', ['--org', 'acme'], 'acme'],
])('a pin %s limits every tool to it, for any input', async (_, flags, pin) => {
  const { number } = await newest(docs)
  await using session = await assistant(started.env, ['--allow-writes', ...flags])
  expect(session.client.getInstructions()).toContain(`Only ${pin} can be reached`)
  for (const place of [pin === 'acme' ? docs : {}, docs])
    expect((await session.call('get_build', { ...place, number })).record).toMatchObject({
      ...docs,
      number,
    })
  await started.server.control.requests.delete()
  const slugs = [
    '..',
    '.',
    '%2e%2e',
    'docs/../web',
    'docs%2f..%2fweb',
    'acme/web',
    'docs\u0000',
    '',
  ]
  const away = [
    ...(pin === 'acme' ? slugs : ['web', ...slugs]).map((pipeline_slug) => ({ pipeline_slug })),
    ...['other', 'acme%2f..%2fother', '..'].map((org_slug) => ({
      org_slug,
      pipeline_slug: 'docs',
    })),
  ]
  for (const place of away) {
    for (const tool of tools.filter(({ operation }) => operation !== 'user.get')) {
      const { isError, record } = await session.call(tool.name, {
        ...inputOf(tool, { number }),
        ...place,
      })
      expect([tool.name, place, isError, record.error?.code]).toEqual([
        tool.name,
        place,
        true,
        expect.stringMatching(/forbidden|usage/u),
      ])
    }
  }
  expect(await requestedOperations()).toEqual([])
})

it('a pin limits ids of other builds, redirects and links of the server, and names one organization', async () => {
  const [{ jobs }, { number }] = [await newest(web), await newest(docs)]
  const { control, baseUrl } = started.server
  await using session = await assistant(started.env, ['-p', 'acme/docs'])
  const log = await session.call('read_job_log', { number, job_id: jobs[0].id })
  expect([log.isError, log.record.error.code]).toEqual([true, 'not_found'])
  await control.requests.delete()
  const elsewhere = `${baseUrl}/v2/organizations/acme/pipelines/web/builds?page=2`
  await respond('builds.get', {}, 302, { Location: elsewhere })
  expect((await session.call('get_build', { number })).record.error.code).toBe('redirect_refused')
  const patchResponse = { headers: { Link: `<${elsewhere}>; rel="next"` } }
  await control.rules.create({
    match: { operation: 'builds.listForPipeline' },
    actions: [{ patchResponse }],
  })
  const { record } = await session.call('list_builds', { per_page: 2 })
  await session.call('list_builds', { per_page: 2, page: record.next_page })
  const paths = (await control.requests.list()).map(({ path }) => path)
  expect(paths).toHaveLength(3)
  for (const path of paths) expect(path).toMatch(/^\/v2\/organizations\/acme\/pipelines\/docs\//u)
  const two = await runChild(['mcp', '--org', 'other', '-p', 'acme/docs'], { env: started.env })
  expect(two).toMatchObject({ code: 2, stdout: '' })
})

it('a pin limits what a summary reads: not a triggered build elsewhere, and no other address of a log', async () => {
  const { control, baseUrl } = started.server
  const elsewhere = `${baseUrl}/v2/organizations/acme/pipelines/web/builds/1`
  const job = {
    type: 'script',
    state: 'failed',
    exit_status: 1,
    started_at: '2026-11-27T14:00:00Z',
  }
  const triggered_build = { id: ID, number: 1, url: elsewhere, web_url: elsewhere }
  const jobs = [
    { ...job, id: ID, name: 'test', raw_log_url: `${elsewhere}/jobs/${ID}/log.txt` },
    { ...job, id: ID.replace('0', '1'), name: 'deploy', type: 'trigger', triggered_build },
  ]
  await respond('builds.get', { id: ID, number: 7, state: 'failed', branch: 'main', jobs })
  await using session = await assistant(started.env, ['-p', 'acme/docs'])
  const { record } = await session.call('get_build_failure_summary', { number: 7 })
  expect(record.problems.map(({ name }: { name: string }) => name)).toEqual(['test', 'deploy'])
  expect(record.problems[0].log_absent.sentence).toContain('is not below acme/docs')
  const paths = (await control.requests.list()).map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(1)
  for (const path of paths) expect(path).toMatch(/^\/v2\/organizations\/acme\/pipelines\/docs\//u)
})

it('a summary shows no part of a secret where it cuts a line', async () => {
  const { control } = started.server
  const { id, number } = await control.builds.create({ ...docs, commit: 'HEAD', branch: 'main' })
  await control.builds.advance({ id, to: 'finished', outcome: 'failed' })
  const { record } = await reader.call('get_build_failure_summary', { ...docs, number })
  const job_id = record.problems[0].id
  for (let before = 250; before <= 400; before += 15) {
    const content = `error: ${'x'.repeat(before)} ${started.token} ${'y'.repeat(300)}\n`
    await control.jobLogs.set({ job_id, content })
    const { text } = await reader.call('get_build_failure_summary', { ...docs, number })
    expect(text).toContain('xxxxxxxxxx')
    expect(text).not.toContain(started.token.slice(0, 8))
  }
})

it('answers contain texts of others as data without invisible characters; lists and instructions do not', async () => {
  const { control } = started.server
  const fixedTexts = async () => [
    reader.client.getInstructions(),
    JSON.stringify(await reader.client.listTools()),
  ]
  const before = await fixedTexts()
  const build = await control.builds.create({
    ...docs,
    commit: 'HEAD',
    branch: `b${HOSTILE}`,
    message: HOSTILE,
  })
  await control.builds.advance({ id: build.id, to: 'finished', outcome: 'failed' })
  const { number, jobs } = await newest(docs)
  expect(number).toBe(build.number)
  await control.jobLogs.set({
    job_id: jobs[0].id,
    content: `+++ one\n${HOSTILE}\ntoken ${started.token}\n`,
  })
  await respond('annotations.list', [
    { id: ID, style: 'error', context: HOSTILE, body_html: `<b>${HOSTILE}</b>` },
  ])
  await respond('artifacts.list', { message: HOSTILE }, 403)
  const texts: string[] = []
  for (const tool of reads) {
    const job = tool.name === 'read_job_log' ? { job_id: jobs[0].id } : {}
    texts.push(
      (await reader.call(tool.name, { ...inputOf(tool, { ...docs, number }), ...job })).text,
    )
  }
  const stringsOf = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.entries(Object(value)).flat().flatMap(stringsOf)
  for (const text of stringsOf(texts.map((each) => JSON.parse(each))))
    expect(text).not.toMatch(INVISIBLE)
  expect(texts.filter((text) => text.includes('redend')).length).toBeGreaterThanOrEqual(6)
  expect(texts.join('')).not.toContain(started.token)
  expect(await fixedTexts()).toEqual(before)
})

it.each([2_000, 5_000, 32_768])(
  'answers of any data have at most %i bytes, and name what they leave out',
  async (max_bytes) => {
    const long = 'ü"\n'.repeat(700)
    const many = (record: object) => Array.from({ length: 100 }, () => record)
    const build = {
      id: ID,
      number: 7,
      state: 'failed',
      branch: long,
      commit: long,
      message: long,
      web_url: long,
    }
    const job = {
      id: ID,
      type: 'script',
      state: 'failed',
      name: long,
      step_key: long,
      command: long,
      exit_status: 1,
    }
    await respond('builds.get', { ...build, jobs: many(job) })
    const matrix = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, long]))
    await respond('jobs.get', { ...job, agent: { id: ID, name: long }, matrix })
    await respond('builds.listForOrganization', many(build))
    const named = { id: ID, slug: long, name: long, web_url: long }
    await respond('organizations.list', many(named))
    await respond('pipelines.list', many({ ...named, repository: long }))
    await respond(
      'annotations.list',
      many({ id: ID, style: 'error', context: long, body_html: long }),
    )
    await respond('artifacts.list', many({ id: ID, path: long, mime_type: long }))
    await respond('accessToken.get', {
      uuid: ID,
      scopes: many({}).map(() => long),
      description: long,
    })
    const readers = ['read_job_log', 'get_artifact']
    for (const tool of reads.filter(({ name }) => !readers.includes(name))) {
      const place = tool.name === 'list_pipelines' ? { org_slug: 'acme' } : {}
      const input = { ...inputOf(tool, { ...docs, number: 7 }), ...place, max_bytes }
      const { isError, record, text } = await reader.call(tool.name, input)
      expect([tool.name, isError, JSON.stringify(record.truncated)]).toEqual([
        tool.name,
        false,
        expect.stringMatching(/are shown: |are cut to \d+ characters|allow more bytes/u),
      ])
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max_bytes)
      expect(Buffer.byteLength(text)).toBeGreaterThan(max_bytes / 8)
    }
  },
)

it('answers are never larger than --max-bytes', async () => {
  const { number } = await newest(docs)
  await using session = await assistant(started.env, ['--max-bytes', '2500'])
  const { text } = await session.call('get_build_failure_summary', { ...docs, number })
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_500)
  const { record } = await session.call('get_build', { ...docs, number, max_bytes: 9_000 })
  expect(record.error).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('max_bytes'),
  })
})
