import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getArtifact } from '../../../cli/src/mcp/get-artifact.js'
import { listening } from '../support/server.js'
import { callTool } from '../support/tool-call.js'

const SECRET = 'bwat_0123456789abcdefghij'
const id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
const path = { org_slug: 'acme', pipeline_slug: 'web', number: 1, job_id: 'j1', artifact_id: id }
const job = '/v2/organizations/acme/pipelines/web/builds/1/jobs/j1'

let service: ReturnType<typeof createServer>
let storage: ReturnType<typeof createServer>
let baseUrl: string
let artifact: Record<string, unknown>
let content: Buffer
/** The authorization of each request to the storage. */
let tokens: (string | undefined)[]

beforeEach(async () => {
  tokens = []
  setContent('one\ntwo error\nthree\n')
  storage = createServer((request, response) => {
    tokens.push(request.headers.authorization)
    response.end(content)
  })
  const storageUrl = await listening(storage)
  service = createServer((request, response) => {
    const isDownload = request.url === `${job}/artifacts/${id}/download`
    if (isDownload) response.writeHead(302, { location: `${storageUrl}/signed` })
    else response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isDownload ? { url: `${storageUrl}/signed` } : [artifact]))
  })
  baseUrl = await listening(service)
})
afterEach(() => {
  for (const server of [service, storage]) server.close()
})

/** Sets the content and a record that fits it. */
function setContent(data: string | Buffer) {
  content = Buffer.from(data)
  const sha1sum = createHash('sha1').update(content).digest('hex')
  artifact = { id, job_id: 'j1', path: 'out.txt', file_size: content.length, sha1sum }
}

const get = (input: object = {}) =>
  callTool(getArtifact, { ...path, ...input }, { baseUrl, secret: SECRET, pinned: true })

test('get_artifact reads a text from the storage, without the token', async () => {
  expect(await get()).toMatchObject({ path: 'out.txt', lines: ['one', 'two error', 'three'] })
  expect((await get({ search: ['ERROR'], context_lines: 1 })).matches).toEqual([
    { byte: 4, text: 'two error', before: ['one'], after: ['three'] },
  ])
  expect((await get({ from_byte: 6 })).lines).toEqual(['two error', 'three'])
  expect(tokens).toEqual([undefined, undefined, undefined])
})

test('get_artifact masks secrets before it cuts lines', async () => {
  setContent(`${'x'.repeat(1_990)}${SECRET}\n`)
  expect(JSON.stringify(await get())).not.toContain('bwat_')
  setContent(`${SECRET.slice(0, 6)}\u200b${SECRET.slice(6)} end\n`)
  expect((await get({ from_byte: 3 })).lines).toEqual(['[redacted] end'])
})

test.each([
  ['another SHA-1', () => Object.assign(artifact, { sha1sum: '0'.repeat(40) }), /its SHA-1 is/u],
  ['too few bytes', () => Object.assign(artifact, { file_size: 99 }), /the server says 99/u],
  ['too many bytes', () => Object.assign(artifact, { file_size: 3 }), /the server says 3/u],
])('get_artifact keeps nothing of a content with %s', async (_, damage, why) => {
  damage()
  await expect(get()).rejects.toMatchObject({
    code: 'unavailable',
    lines: [expect.objectContaining({})],
    message: 'the artifact "out.txt" arrived damaged, and was not saved',
  })
  await expect(get().catch((error) => String(error.lines[0]))).resolves.toMatch(why)
})

test.each([
  ['is not text', () => setContent(Buffer.from([0xff, 0xfe, 0x41, 0x00]))],
  ['has 8388609 bytes: 8 MiB can be read', () => setContent('x'.repeat(8 * 1024 * 1024 + 1))],
  ['is new: it has no content', () => Object.assign(artifact, { state: 'new' })],
])(
  'get_artifact refuses an artifact that %s, and names the command that fetches it',
  async (why, make) => {
    make()
    const error = await get().catch((each) => each)
    expect(error).toMatchObject({ code: 'rejected', message: `the artifact "out.txt" ${why}` })
    expect(String(error.hint)).toBe(
      'the user can run ci artifacts download acme/web#1 --path out.txt',
    )
  },
)

test('get_artifact bounds a content without a size', async () => {
  setContent('x'.repeat(8 * 1024 * 1024 + 1))
  Object.assign(artifact, { file_size: null, sha1sum: null })
  await expect(get()).rejects.toThrow('has more than 8388608 bytes')
})
